// SPDX-License-Identifier: Apache-2.0
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

  /// With their weights.
  private func compareAll(_ a: String, _ b: String, _ flags: String...) throws -> [String] {
    let models = ["\(a).param", "\(a).bin", "--against", "\(b).param", "--against-bin", "\(b).bin"]
    let run = try tool.runAll(["inspect"] + models + flags).succeeded()
    return run.output.split(separator: "\n").map(String.init).suffix(2)
  }

  @Test func theSameModelIsTheSame() throws {
    let lines = try compare("--against", Tool.model("param"), "--against-bin", Tool.model("bin"))
    #expect(lines.count == 7 && lines.last == "the same: all layers, settings and weights")
    #expect(lines[1].split(separator: " ") == ["layers", "224", "224"])
    let unweighed = try compare("--against", Tool.model("param"))
    #expect(
      unweighed.last
        == "the same layers and settings; to compare the weights, give both .bin files")
  }

  @Test func distinguishesWeights() throws {
    try write("a", "Convolution c 1 1 data c 0=2 1=1 6=2", weights: [1, 2])
    // 5=0 is the default.
    try write("b", "Convolution c 1 1 data c 0=2 1=1 5=0 6=2", weights: [1.125, 1.75])
    #expect(
      try compareAll("a", "b") == [
        "differs: Convolution c: weights by up to 0.25",
        "layers in both: 2, of which 1 differ; only in the first: 0, only in the second: 0",
      ])
    try write("c", "MemoryData m 0 1 m 0=3", weights: [1, 2])
    try write("d", "MemoryData m 0 1 m 0=3", weights: [1, .nan])
    #expect(
      try compareAll("c", "d", "--json").last?.contains("\"weightDifference\":3.4028") == true)
  }

  /// Int8 weights count as what they stand for.
  @Test func comparesInt8WithFloats() throws {
    try write("a", "Convolution c 1 1 data c 0=2 1=1 6=2", weights: [1, 2])
    try write("b", "Convolution c 1 1 data c 0=2 1=1 6=2 8=1")
    for (name, scale) in [("b", 32), ("c", 64)] as [(String, Float)] {
      // The scales of both channels and of the input follow.
      let weights: [UInt8] = [0x38, 0x4B, 0x0D, 0, 9, 33, 0, 0]
      try tool.write(Data(weights + floatBytes([8, 16, scale])), to: "\(name).bin")
    }
    // 9 / 8 − 1, which is more than 33 / 16 − 2.
    #expect(
      try compareAll("a", "b").first == """
        differs: Convolution c: settings - -> 8=1; scales - -> input 32.0; parameters 2 -> 5; \
        weights by up to 0.125
        """)
    try tool.write(tool.text("b.param"), to: "c.param")
    #expect(
      try compareAll("b", "c").first == "differs: Convolution c: scales input 32.0 -> input 64.0")
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
    // 2 and 3 · 9 products at each of 16 cells.
    for row in [["parameters", "2", "27"], ["multiply-adds", "32", "432"]] {
      #expect(lines.contains { $0.split(separator: " ").map(String.init) == row })
    }
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
    var layers = try String(contentsOfFile: Tool.model("param"), encoding: .utf8)
      .split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").map(String.init) }
    for layer in layers.indices.dropFirst() {
      layers[layer][1] = "layer\(layer)"
      for word in layers[layer].indices.dropFirst(4) {
        let blob = layers[layer][word]
        if blob != "data", !blob.contains("=") { layers[layer][word] = "blob_" + blob }
      }
    }
    func compareLayers() throws -> [String] {
      try tool.write(networkText(layers.map { $0.joined(separator: " ") }), to: "renamed.param")
      return try compare("--against", "renamed.param", "--against-bin", Tool.model("bin"))
    }
    let same = try compareLayers()
    #expect(same.count == 8)
    #expect(same[6].hasPrefix("renamed in the second: 223, paired by kind, settings and shape: "))
    #expect(same[6].hasSuffix(" is layer3, and so on"))
    #expect(same[7] == "the same except for names: all layers, settings and weights")

    // One more activation before the last output.
    let last = layers[layers.count - 1]
    layers[layers.count - 1][4] = "extra"
    layers.append(["ReLU", "added", "1", "1", last[4], "extra"])
    let added = try compareLayers()
    #expect(added.count == 10, "\(added.dropFirst(6))")
    #expect(added[7].hasPrefix("differs: \(last[0]) ") && added[7].contains(": reads "))
    #expect(added[8] == "only in the second: ReLU added")
    #expect(added[9].hasPrefix("layers in both: 224, of which 1 differ; "))
  }

  @Test func distinguishesConnections() throws {
    try write("a", "ReLU r 1 1 data x", "Swish s 1 1 x out")
    try write("b", "ReLU r 1 1 y out", "Swish s 1 1 data y")
    #expect(
      try compare("a.param", "--against", "b.param").dropFirst(6).prefix(2) == [
        "differs: ReLU r: reads data -> y; writes x -> out",
        "differs: Swish s: reads x -> data; writes out -> y",
      ])
  }
}
