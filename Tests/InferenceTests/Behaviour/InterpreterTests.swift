// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
@testable import YOLOFaceNCNN

struct InterpreterTests {
  private func interpreter(_ layers: [String]) throws -> Interpreter {
    try Interpreter(Network(layers: layers))
  }

  /// By hand, in the interpreter and in the engine.
  @Test(
    arguments: [
      // With a slope of 0.5: −1, 0, 3; doubled: −4, 0, 6.
      (
        [
          "Split s 1 2 data a b", "ReLU r 1 1 a c 0=0.5", "BinaryOp t 1 1 b d 0=2 1=1 2=2.0",
          "BinaryOp u 2 1 c d out",
        ], [], [3], [-2, 0, 3], [-5, 0, 9]
      ),
      // A Noop that hands nothing on is not run.
      (["Split s 1 2 data a b", "Noop n 1 0 a", "ReLU r 1 1 b out"], [], [2], [1, -1], [1, 0]),
      // Upstream divides by 10⁻⁴ where there is neither a variance nor an epsilon: (1 − 0.5) · 10⁴ + 2.
      (["BatchNorm b 1 1 data out 0=1"], [1, 0.5, 0, 2], [1, 1, 2], [1, 0.5], [5002, 2]),
      // The stored blob's 1 × 2 from row 1, column 1.
      (
        ["MemoryData like 0 1 like 0=2 1=1", "Crop c 2 1 data like out 0=1 1=1"], [0, 0],
        [1, 2, 3], [1, 2, 3, 4, 5, 6], [5, 6]
      ),
      // Rows that are not resized have no use for a scale.
      (["Interp i 1 1 data out 0=1 1=1e-39 2=2.0"], [], [2, 1], [1, 2], [1, 1, 2, 2]),
      (["Interp i 1 1 data out 0=1 1=1e-30 2=2.0"], [], [2, 1], [1, 2], [1, 1, 2, 2]),
      // As upstream's comparison gives it; −∞ · 0 would be NaN.
      (
        ["ReLU r 1 1 data out"], [], [1, 1, 4], [-.infinity, -5, .infinity, 3],
        [0, 0, .infinity, 3]
      ),
    ] as [([String], [Float], [Int], [Float], [Float])])
  func byHand(
    _ layers: [String], _ weights: [Float], _ shape: [Int], _ values: [Float], _ expected: [Float]
  ) throws {
    let network = try Network(layers: layers, weights: floatBytes(weights))
    let input = ["data": try Tensor(shape: shape, values: values)]
    let plain = try Interpreter(network).run(input, extracting: ["out"])
    #expect(haveSameBits(try #require(plain["out"]).values, expected))
    #expect(try Engine(network).run(input, extracting: ["out"]) == plain)
  }

  @Test func runsOnlyNeededLayers() throws {
    // The second branch would fail: its input is missing.
    let interpreter = try interpreter([
      "Input two 0 1 b", "Swish left 1 1 data c", "Swish right 1 1 b d",
    ])
    let input = ["data": try Tensor(shape: [1], values: [0])]
    #expect(try interpreter.run(input, extracting: ["c"])["c"]?.values == [0])
    #expect(throws: InferenceError.self) { try interpreter.run(input, extracting: ["c", "d"]) }
  }

  @Test func errorsNameTheCause() throws {
    let interpreter = try interpreter(["ReLU r 1 1 data out"])
    let input = try Tensor(shape: [3], values: [1, 2, 3])
    func error(_ inputs: [String: Tensor], _ blob: String) throws -> InferenceError {
      try #require(throws: InferenceError.self) {
        try interpreter.run(inputs, extracting: [blob])
      }
    }
    let unknown = try error(["data": input], "x")
    #expect(unknown.reason == .blob && unknown.found.contains("x"))
    #expect(try error(["image": input], "out").reason == .input)
    #expect(try error([:], "out").layer == "Input data (line 3)")
    let unloaded = try self.interpreter(["PReLU l 1 1 data out 0=1"])
    let weights = #expect(throws: InferenceError.self) {
      try unloaded.run(["data": input], extracting: ["out"])
    }
    #expect(weights?.reason == .input && weights?.layer == "PReLU l (line 4)")
    #expect(try unloaded.run(["data": input], extracting: ["data"]) == ["data": input])
  }

  /// The error of running a chain of layers from zeros in `b0`; each layer has no weights, or a
  /// single zero.
  private func refusal(
    _ layers: [String], shape: [Int], maximumElements: Int = 1 << 28, maximumWork: Int64 = 1 << 36
  ) throws -> InferenceError? {
    let chain = layers.enumerated().map { index, layer in
      layer.replacing("IN", with: "b\(index)").replacing("OUT", with: "b\(index + 1)")
    }
    var network = try Network(["Input data 0 1 b0"] + chain)
    let weighted = network.layers.count { $0.parameterCount > 0 }
    // A storage tag and a weight.
    try network.loadWeights([UInt8](repeating: 0, count: 8 * weighted), source: "test.bin")
    var interpreter = try Interpreter(network)
    interpreter.maximumElements = maximumElements
    interpreter.maximumWork = maximumWork
    do {
      _ = try interpreter.run(["b0": Tensor(shape)], extracting: ["b\(layers.count)"])
      return nil
    } catch { return error }
  }

  /// Near 0 they are x, or 2 / √π · x, to half a millionth; a difference of larger numbers would be a tenth off.
  @Test(
    arguments: zip(
      [21, 22, 23, 26, 27].map { "UnaryOp u 1 1 data out 0=\($0)" } + ["Erf e 1 1 data out"],
      [1, 1, 1, 1, 1, 1.128379]))
  func keepsSmallNumbers(layer: String, slope: Float) throws {
    let input = try Tensor(shape: [2], values: [1e-6, -1e-7])
    let plain = try Interpreter(Network(layers: [layer])).run(["data": input], extracting: ["out"])
    for (value, x) in zip(try #require(plain["out"]).values, input.values) {
      #expect(abs(value / x - slope) < 2e-6)
    }
  }

  /// The border turns one element into 23161².
  @Test func countsTheBorderedCopyOfAConvolution() throws {
    let layer = "Convolution layer 1 1 IN OUT 0=1 1=1 6=1 4=11580 3=20000"
    let error = try refusal([layer], shape: [1, 1, 1])
    #expect(error?.reason == .limit && error?.found == "536431926 elements in blobs")
  }

  @Test(
    arguments: [
      // A bordered copy.
      (["Convolution layer 1 1 IN OUT 0=1 1=1 6=1 4=2 3=4"], [1, 1, 1], 1 + 5 * 5 + 2 * 2),
      // Each row and column has an entry: indices of 8 bytes and weights.
      (["Interp layer 1 1 IN OUT 0=1 1=1.0 2=100.0"], [1, 1, 4], 4 + 400 + 401 * 2),
      (["Interp layer 1 1 IN OUT 0=2 1=1.0 2=100.0"], [1, 1, 4], 4 + 400 + 401 * 6),
      // And the lines that are resized in columns alone.
      (["Interp layer 1 1 IN OUT 0=3 1=1.0 2=100.0"], [1, 1, 4], 4 + 400 + 401 * 12 + 400),
      // The input.
      (["Pooling layer 1 1 IN OUT 0=1 4=1"], [1, 30, 30], 901),
    ] as [([String], [Int], Int)])
  func countsElements(layers: [String], shape: [Int], all: Int) throws {
    #expect(try refusal(layers, shape: shape, maximumElements: all) == nil)
    let error = try refusal(layers, shape: shape, maximumElements: all - 1)
    #expect(error?.found == "\(all) elements in blobs")
    #expect(error?.layer?.hasSuffix(" layer (line 4)") == true)
  }

  @Test func countsTheWorkOfTheBorderedCopy() throws {
    let layers = (0..<60).map { "Convolution c\($0) 1 1 IN OUT 0=1 1=1 6=1 4=8000 3=16000" }
    // 16001² elements are copied for 2 × 2 results, which the next layer reduces likewise.
    let error = try refusal(layers, shape: [1, 1, 1], maximumWork: 1 << 30)
    #expect(error?.reason == .limit && error?.layer == "Convolution c4 (line 8)")
  }

  @Test func countsTheWorkOfLayersWithoutWeights() throws {
    // 11501 · 11501 elements are made in each step.
    let padding = "Padding p 1 1 IN OUT 0=5750 1=5750 2=5750 3=5750"
    let layers = [padding] + (0..<199).map { "Sigmoid s\($0) 1 1 IN OUT" }
    #expect(try refusal(layers, shape: [1, 1, 1])?.reason == .limit)
    // 9 copied elements and 9 exponentials.
    let small = ["Padding p 1 1 IN OUT 0=1 1=1 2=1 3=1", "Sigmoid s 1 1 IN OUT"]
    #expect(try refusal(small, shape: [1, 1, 1], maximumWork: 9 + 9 * 16) == nil)
    let error = try refusal(small, shape: [1, 1, 1], maximumWork: 9 + 9 * 16 - 1)
    #expect(error?.layer == "Sigmoid s (line 5)")
  }

  /// An input is subtracted after its last use.
  @Test func countsInputs() throws {
    let layers = ["Pooling p 1 1 IN OUT 0=1 4=1", "Interp i 1 1 IN OUT 0=1 3=30 4=60"]
    let error = try refusal(layers, shape: [1, 30, 30], maximumElements: 1000)
    #expect(error?.found == "1801 elements in blobs" && error?.layer == "Interp i (line 5)")
  }

  @Test func countsTheStorageOfSplitsOnce() throws {
    var interpreter = try interpreter([
      "Split s 1 3 data a b c", "Split t 1 3 b d e f", "BinaryOp sum 2 1 a e g",
      "BinaryOp product 2 1 g f h 0=2",
    ])
    let input = try Tensor(shape: [4], values: [1, 2, 3, 4])
    // The input, which all six share until the end, and both results.
    interpreter.maximumElements = 12
    #expect(try interpreter.run(["data": input], extracting: ["h"])["h"]?.values == [2, 8, 18, 32])
    interpreter.maximumElements = 11
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(["data": input], extracting: ["h"])
    }
    #expect(error.layer == "BinaryOp product (line 7)")
  }

  /// Each would take hours or all memory if it ran.
  @Test(arguments: [
    "Convolution big 1 1 data out 0=1 1=1 4=1000000 6=1",
    "Convolution slow 1 1 data out 0=1024 1=1 4=2000 6=1024",
    "Deconvolution big 1 1 data out 0=1 1=1 6=1 18=1000000",
    "Deconvolution many 1 1 data out 0=1024 1=1 6=1024 18=1000",
    "Pooling windows 1 1 data out 1=20000 3=10000",
    "Padding wide 1 1 data out 0=1000000 2=1000000",
    "Interp up 1 1 data out 0=2 3=1000000 4=1000000",
  ])
  func refusesTooMuchWork(layer: String) throws {
    var network = try Network(layers: [layer])
    let count = network.layers[1].parameterCount
    if count > 0 {
      try network.loadWeights([UInt8](repeating: 0, count: 4 + 4 * count), source: "test.bin")
    }
    let input = try Tensor(shape: [1, 1, 1], values: [1])
    var interpreter = try Interpreter(network)
    interpreter.maximumWork = 1 << 30
    let error = #expect(throws: InferenceError.self) {
      try interpreter.run(["data": input], extracting: ["out"])
    }
    #expect(error?.reason == .limit)
  }

  /// Only what depends on an unknown kind, or on weights behind it, is refused.
  @Test func runsWhatComesBeforeAnUnknownKind() throws {
    let network = try Network(
      layers: [
        "PReLU known 1 1 data a 0=1", "Magic magic 1 1 a b", "PReLU behind 1 1 a c 0=1",
        "Swish after 1 1 b d",
      ], weights: floatBytes([2, 7, 7, 3]))
    let input = ["data": try Tensor(shape: [2], values: [1, -1])]
    let interpreter = try Interpreter(network)
    #expect(try interpreter.run(input, extracting: ["a"])["a"]?.values == [1, -2])
    #expect(
      try Engine(network, outputs: ["a"]).run(input, extracting: ["a"])["a"]?.values == [1, -2])
    for (blob, layer) in [
      ("b", "Magic magic (line 5)"), ("c", "PReLU behind (line 6)"), ("d", "Magic magic (line 5)"),
    ] {
      let plain = #expect(throws: InferenceError.self) {
        try interpreter.run(input, extracting: [blob])
      }
      let fast = #expect(throws: InferenceError.self) { try Engine(network, outputs: [blob]) }
      #expect(plain?.layer == layer && fast == plain)
    }
  }

  @Test func refusesInt8WeightsWithoutScales() throws {
    let network = try Network(
      layers: ["Convolution conv 1 1 data out 0=1 1=1 6=1"],
      weights: [0x38, 0x4B, 0x0D, 0, 100, 0, 0, 0])
    let plain = #expect(throws: InferenceError.self) {
      try Interpreter(network).run([:], extracting: ["out"])
    }
    #expect(plain?.reason == .unsupported)
    let fast = #expect(throws: InferenceError.self) { try Engine(network, outputs: ["out"]) }
    #expect(fast?.reason == .unsupported)
  }
}
