import Foundation
import Testing

struct InspectTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  @Test func describesTheDefaultModel() throws {
    let run = try tool.run("inspect", Tool.model("param"), Tool.model("bin"), "--size", "64x96")
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasSuffix(": magic 7767517, 224 layers, 251 blobs"))
    #expect(lines[1] == "inputs data 3x96x64")
    // 3 anchors, 12 · 8 cells and so on, 16 values.
    #expect(lines[2] == "outputs out_8 3x96x16, out_16 3x24x16, out_32 3x6x16")
    // 3 × 3 × 3 × 16 weights and 16 biases; 432 products for each of 32 × 48 pixels.
    let stem = try #require(
      run.output.split(separator: "\n").first { $0.contains(" stem_c1 ") })
    let words = stem.split(separator: " ").map { String($0) }
    #expect(words == ["4", "Convolution", "stem_c1", "16x48x32", "448", "663552"])
    #expect(run.output.contains("all layers supported"))
  }

  private func inspect(_ layers: String..., arguments: [String] = []) throws -> Tool.Run {
    let param = "7767517\n\(layers.count) \(layers.count)\n\(layers.joined(separator: "\n"))\n"
    try Data(param.utf8).write(to: tool.directory.appending(path: "m.param"))
    return try tool.runAll(["inspect", "m.param"] + arguments)
  }

  /// The words of a layer's row of the table.
  private func row(_ name: String, of run: Tool.Run) -> [String]? {
    run.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      .first { $0.count > 2 && Int($0[0]) != nil && $0[2] == name }
  }

  @Test(arguments: [
    ("", nil, "3x480x640"), ("", "64x96", "3x96x64"), ("0=-1 1=-1 2=1", "64x96", "1x96x64"),
    ("0=-1 1=-1 2=1", nil, "1x480x640"), ("0=8 1=6 2=4", nil, "4x6x8"),
    ("0=8 1=6 2=4", "64x96", "4x96x64"), ("0=8 1=6", "64x96", "6x8"), ("0=8", "64x96", "8"),
  ])
  func inputsHaveTheDeclaredShape(declared: String, size: String?, shape: String) throws {
    let run = try inspect(
      "Input data 0 1 data \(declared)", arguments: size.map { ["--size", $0] } ?? [])
    #expect(run.status == 0)
    #expect(run.output.contains("inputs data \(shape)\n"))
    #expect(row("data", of: run) == ["3", "Input", "data", shape])
  }

  @Test func listsWhatIsNotSupported() throws {
    let run = try inspect(
      "Input data 0 1 data 0=4 1=4 2=2", "GRU b 1 1 data b", "LSTM c 1 1 b c",
      "Convolution d 1 1 data d 0=3 1=1 6=6", "Convolution e 1 1 data e 0=3 1=9 6=486",
      "Convolution f 1 1 data f 0=3 1=1 6=6 8=1", arguments: ["missing.bin"])
    #expect(run.status == 1)
    #expect(row("c", of: run) == ["5", "LSTM", "c"])
    #expect(row("d", of: run) == ["6", "Convolution", "d", "3x4x4", "6", "96"])
    #expect(row("e", of: run) == ["7", "Convolution", "e", "486"])
    let refused = run.output.split(separator: "\n").filter { $0.hasPrefix("not supported: ") }
    #expect(refused.count == 4)
    for layer in ["GRU b (line 4)", "LSTM c (line 5)", "Convolution e (line 7)"] {
      #expect(refused.contains { $0.contains("\(layer): found ") }, "\(layer)")
    }
    #expect(refused.last?.contains("Convolution f (line 8): found int8_scale_term 1") == true)
    #expect(run.output.hasSuffix("; 4 layers not supported\n"))
  }
}
