import Foundation
import TestSupport
import Testing

struct ModelComparisonTests {
  private let tool = Tool()

  /// Writes NAME.param, with these layers after an input of 1 × 4 × 4, and NAME.bin.
  private func write(_ name: String, _ layers: String..., weights: [Float] = []) throws {
    // The tag of fp32 weights, which is 0, then the weights.
    try writeModel(
      ["Input data 0 1 data 0=4 1=4 2=1"] + layers, weights: [0] + weights, named: name,
      in: tool.directory)
  }

  private func compare(_ arguments: String...) throws -> [String] {
    let run = try tool.runAll(["inspect"] + arguments).succeeded()
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func theSameModelIsTheSame() throws {
    let lines = try compare("--against", Tool.model("param"), "--against-bin", Tool.model("bin"))
    #expect(lines.last == "the same: all layers, settings and weights")
    #expect(lines.count == 7)
    let words = lines[1].split(separator: " ").map(String.init)
    #expect(words == ["layers", "224", "224"])
    let unweighed = try compare("--against", Tool.model("param"))
    #expect(
      unweighed.last
        == "the same layers and settings; to compare the weights, give both .bin files")
  }

  @Test func distinguishesWeights() throws {
    try write("a", "Convolution c 1 1 data c 0=2 1=1 6=2", weights: [1, 2])
    // 5=0 is the default.
    try write("b", "Convolution c 1 1 data c 0=2 1=1 5=0 6=2", weights: [1.125, 1.75])
    let lines = try compare("a.param", "a.bin", "--against", "b.param", "--against-bin", "b.bin")
    #expect(lines[lines.count - 2] == "differs: Convolution c: weights by up to 0.25")
    #expect(
      lines.last
        == "layers in both: 2, of which 1 differ; only in the first: 0, only in the second: 0")
    try write("c", "Convolution c 1 1 data c 0=2 1=1 6=2", weights: [1, .nan])
    let json = try compare(
      "a.param", "a.bin", "--against", "c.param", "--against-bin", "c.bin", "--json")
    #expect(json[0].contains("\"weightDifference\":3.4028"))
  }

  /// Int8 weights count as what they stand for.
  @Test func comparesInt8WithFloats() throws {
    try write("a", "Convolution c 1 1 data c 0=2 1=1 6=2", weights: [1, 2])
    try write("b", "Convolution c 1 1 data c 0=2 1=1 6=2 8=1")
    let weights: [UInt8] = [0x38, 0x4B, 0x0D, 0, 9, 33, 0, 0]
    // The scales of both channels and of the input.
    func int8(_ scales: Float...) -> Data { Data(weights + floatBytes(scales)) }
    try tool.write(int8(8, 16, 32), to: "b.bin")
    let lines = try compare("a.param", "a.bin", "--against", "b.param", "--against-bin", "b.bin")
    // 9 / 8 − 1, which is more than 33 / 16 − 2.
    #expect(
      lines[lines.count - 2] == """
        differs: Convolution c: settings - -> 8=1; scales - -> input 32.0; parameters 2 -> 5; \
        weights by up to 0.125
        """)
    try tool.write(int8(8, 16, 64), to: "c.bin")
    let other = try compare("b.param", "b.bin", "--against", "b.param", "--against-bin", "c.bin")
    #expect(other[other.count - 2] == "differs: Convolution c: scales input 32.0 -> input 64.0")
  }

  @Test func distinguishesLayers() throws {
    try write(
      "a", "Convolution c 1 1 data c 0=2 1=1 6=2", "ReLU r 1 1 c d", "Swish gone 1 1 d e",
      "SPP g 1 1 e out 0=7", weights: [1, 2])
    try write(
      "b", "Convolution c 1 1 data c 0=3 1=3 4=1 6=27", "Sigmoid r 1 1 c d",
      "HardSwish new 1 1 d e", "SPP g 1 1 e out 0=8", weights: [])
    let lines = try compare("a.param", "--against", "b.param")
    #expect(lines[0].split(separator: " ") == ["a.param", "b.param"])
    let parameters = lines.first { $0.hasPrefix("parameters") }
    #expect(parameters?.split(separator: " ") == ["parameters", "2", "27"])
    // 2 and 3 · 9 products at each of 16 cells.
    let multiplyAdds = lines.first { $0.hasPrefix("multiply-adds") }
    #expect(multiplyAdds?.split(separator: " ") == ["multiply-adds", "32", "432"])
    #expect(
      Array(lines.dropFirst(6)) == [
        "differs: Convolution c: settings 0=2, 1=1, 6=2 -> 0=3, 1=3, 4=1, 6=27; "
          + "output 2x4x4 -> 3x4x4; parameters 2 -> 27",
        "differs: ReLU r: kind ReLU -> Sigmoid; output 2x4x4 -> 3x4x4",
        "differs: SPP g: settings 0=7 -> 0=8",
        "only in the first: Swish gone",
        "only in the second: HardSwish new",
        "layers in both: 4, of which 3 differ; only in the first: 1, only in the second: 1; "
          + "weights not compared",
      ])
  }

  /// Layers and blobs as another converter names them.
  @Test func pairsRenamedLayers() throws {
    let lines = try String(contentsOfFile: Tool.model("param"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let renamed = lines.enumerated().map { (number: Int, words: [String]) -> [String] in
      guard number > 2, let inputs = Int(words[2]), let outputs = Int(words[3]) else {
        return words
      }
      var words = words
      words[1] = "layer\(number)"
      for index in 4..<(4 + inputs + outputs) where words[index] != "data" {
        words[index] = "blob_" + words[index]
      }
      return words
    }
    func write(_ name: String, _ lines: [[String]]) throws {
      let text = lines.map { $0.joined(separator: " ") }.joined(separator: "\n") + "\n"
      try tool.write(text, to: name)
    }
    try write("renamed.param", renamed)
    let same = try compare("--against", "renamed.param", "--against-bin", Tool.model("bin"))
    #expect(same.count == 8)
    #expect(same[6].hasPrefix("renamed in the second: 223, paired by kind, settings and shape: "))
    #expect(same[6].hasSuffix(" is layer5, and so on"))
    #expect(same[7] == "the same except for names: all layers, settings and weights")

    // One more activation before the last output.
    let last = try #require(renamed.last)
    var longer = renamed
    longer[1] = ["225", "\(try #require(Int(renamed[1][1])) + 1)"]
    longer[longer.count - 1][4] = "extra"
    longer.append(["ReLU", "added", "1", "1", last[4], "extra"])
    try write("longer.param", longer)
    let added = try compare("--against", "longer.param", "--against-bin", Tool.model("bin"))
    #expect(added.count == 10, "\(added.dropFirst(6))")
    #expect(added[7].hasPrefix("differs: \(last[0]) "))
    #expect(added[7].contains(": reads "))
    #expect(added[8] == "only in the second: ReLU added")
    #expect(added[9].hasPrefix("layers in both: 224, of which 1 differ; "))
  }

  @Test func distinguishesConnections() throws {
    try write("a", "ReLU r 1 1 data x", "Swish s 1 1 x out")
    try write("b", "ReLU r 1 1 y out", "Swish s 1 1 data y")
    let lines = try compare("a.param", "--against", "b.param")
    #expect(lines[6] == "differs: ReLU r: reads data -> y; writes x -> out")
    #expect(lines[7] == "differs: Swish s: reads x -> data; writes out -> y")
  }
}
