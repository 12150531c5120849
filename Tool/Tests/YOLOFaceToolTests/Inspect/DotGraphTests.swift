import Foundation
import TestSupport
import Testing

struct DotGraphTests {
  private let tool = Tool()

  private static let graphviz = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func dot(_ layers: String...) throws -> Tool.Run {
    try tool.write(networkText(layers), to: "m.param")
    return try tool.run("inspect", "m.param", "--dot")
  }

  @Test func writesLayersAndBlobs() throws {
    let run = try dot(
      "Input data 0 1 data 0=4 1=3 2=2", "Split s 1 2 data x y",
      "Convolution c 1 1 x c 0=5 1=1 5=1 6=10", "SPP g 1 1 y g"
    ).succeeded()
    #expect(
      run.output == #"""
        digraph "m.param" {
          node [shape=box, fontname="Helvetica"]
          edge [fontname="Helvetica", fontsize=10]
          layer0 [label="Input\ndata\n2x3x4"]
          layer1 [label="Split\ns\n2x3x4"]
          layer2 [label="Convolution\nc\n5x3x4\nkernel 1 × 1, bias one for each output channel\n15 parameters"]
          layer3 [label="SPP\ng", style=dashed]
          layer0 -> layer1 [label="data\n2x3x4"]
          layer1 -> layer2 [label="x\n2x3x4"]
          layer1 -> layer3 [label="y\n2x3x4"]
          output0 [label="c\n5x3x4", shape=ellipse]
          layer2 -> output0 [label="c\n5x3x4"]
          output1 [label="g", shape=ellipse]
          layer3 -> output1 [label="g"]
        }

        """#)
  }

  /// A quote and a combining accent after it are a single `Character`.
  @Test func quotesByScalars() throws {
    let run = try dot("Input a\"\u{301}b 0 1 q 0=4")
    #expect(run.output.contains("[label=\"Input\\na\\\"\u{301}b\\n4\"]"), "\(run.output)")
  }

  @Test func quotesHostileNames() throws {
    let run = try dot(
      #"Input a"];x->y[z\N<b>|{&lt;} 0 1 q"\ 0=4"#, #"ReLU // 1 1 q"\ <i>|\n"#
    ).succeeded()
    #expect(
      run.output.contains(
        #"""
          layer0 [label="Input\na\"];x->y[z\\N<b>|{&amp;lt;}\n4"]
          layer1 [label="ReLU\n//\n4"]
          layer0 -> layer1 [label="q\"\\\n4"]
          output0 [label="<i>|\\n\n4", shape=ellipse]
        """#))
  }

  @Test(.enabled(if: graphviz != nil, "needs Graphviz' dot"))
  func graphvizReadsTheDefaultModel() throws {
    let run = try tool.runShell("\"$tool\" inspect --dot | \"$1\" -Tplain", Self.graphviz ?? "")
    // One line for each layer and output.
    #expect(
      run.succeeded().output.split(separator: "\n").count { $0.hasPrefix("node ") } == 224 + 3)
  }
}
