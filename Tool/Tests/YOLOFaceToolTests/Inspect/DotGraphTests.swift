// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceTool

struct DotGraphTests {
  private let tool = Tool()

  private static let graphviz = ["/usr/bin/dot", "/usr/local/bin/dot", "/opt/homebrew/bin/dot"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private func dot(_ layers: String...) throws -> String {
    try tool.write(networkText(layers), to: "m.param")
    let lines = try graph(param: tool.path("m.param"))
    #expect(lines[0] == "digraph \"\(tool.path("m.param"))\" {")
    return lines.dropFirst().joined(separator: "\n")
  }

  private func graph(param: String?, size: ImageSize? = nil) throws -> [String] {
    var lines: [String] = []
    dotGraph(InspectReport(try Inspection(param: param, bin: nil, size: size))) { lines.append($0) }
    return lines
  }

  @Test func writesLayersAndBlobs() throws {
    let graph = try dot(
      "Input data 0 1 data 0=4 1=3 2=2", "Split s 1 2 data x y",
      "Convolution c 1 1 x c 0=5 1=1 5=1 6=10", "SPP g 1 1 y g"
    )
    #expect(
      graph == #"""
          rankdir=LR
          node [shape=box, fontname="Helvetica"]
          edge [fontname="Helvetica", fontsize=10]
          node0 [label="Input\ndata\n2x3x4"]
          node1 [label="Split\ns\n2x3x4"]
          node2 [label="Convolution\nc\n5x3x4\nkernel 1 × 1, bias one for each output channel\n15 parameters"]
          node3 [label="SPP\ng", style=dashed]
          node0 -> node1 [label="data\n2x3x4"]
          node1 -> node2 [label="x\n2x3x4"]
          node1 -> node3 [label="y\n2x3x4"]
          output0 [label="c\n5x3x4", shape=ellipse]
          node2 -> output0
          output1 [label="g", shape=ellipse]
          node3 -> output1
        }
        """#)
  }

  /// A quote and a combining accent after it are a single `Character`.
  @Test func quotesByScalars() throws {
    let graph = try dot("Input a\"\u{301}b 0 1 q 0=4")
    #expect(graph.contains("[label=\"Input\\na\\\"\u{301}b\\n4\"]"), "\(graph)")
  }

  @Test func quotesHostileNames() throws {
    let graph = try dot(
      #"Input a"];x->y[z\N<b>|{&lt;} 0 1 q"\ 0=4"#, #"ReLU // 1 1 q"\ <i>|\n"#
    )
    #expect(
      graph.contains(
        #"""
          node0 [label="Input\na\"];x->y[z\\N<b>|{&amp;lt;}\n4"]
          node1 [label="ReLU\n//\n4"]
          node0 -> node1 [label="q\"\\\n4"]
          output0 [label="<i>|\\n\n4", shape=ellipse]
        """#))
  }

  @Test(.enabled(if: graphviz != nil, "needs Graphviz' dot"))
  func graphvizReadsTheDefaultModel() throws {
    let run = try tool.runShell("\"$tool\" inspect --dot | \"$1\" -Tplain", Self.graphviz ?? "")
    #expect(
      run.succeeded().output.split(separator: "\n").count { $0.hasPrefix("node ") } == 13 + 3)
  }

  /// The groups of the page of `explain`: its folded table shows these layers for each part and stride.
  @Test func foldsTheDefaultModel() throws {
    let lines = try graph(param: nil, size: ImageSize(width: 640, height: 640))
    let groups = lines.compactMap {
      $0.firstMatch(of: /node\d+ \[label="(.*) layers?\\n/).map { String($0.1) }
    }
    #expect(
      groups == [
        #"backbone, stride 1\n1"#, #"backbone, stride 2\n5"#, #"backbone, stride 4\n9"#,
        #"backbone, stride 8\n35"#, #"backbone, stride 16\n67"#, #"backbone, stride 32\n35"#,
        #"neck, stride 16\n17"#, #"neck, stride 8\n15"#, #"neck, down again, stride 16\n16"#,
        #"neck, down again, stride 32\n15"#, #"heads, stride 8\n3"#, #"heads, stride 16\n3"#,
        #"heads, stride 32\n3"#,
      ])
    // What the neck reads of the backbone, and the heads of the neck.
    for edge in [
      "node3 -> node7 [label=\"64x80x80\"]", "node4 -> node6 [label=\"128x40x40\"]",
      "node9 -> node12",
    ] {
      #expect(lines.count { $0.hasPrefix("  \(edge)") } == 1, "\(edge)")
    }
  }
}
