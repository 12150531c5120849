import Inference
import NCNN
import TestSupport
import Testing

struct InterpreterTests {
  private static let diamond = [
    "Split split 1 2 data a b", "ReLU relu 1 1 a c 0=0.5", "BinaryOp twice 1 1 b d 0=2 1=1 2=2.0",
    "BinaryOp sum 2 1 c d e",
  ]

  private func interpreter(_ layers: [String]) throws -> Interpreter {
    try Interpreter(Network(layers: layers))
  }

  @Test func computesByHand() throws {
    let input = try Tensor(shape: [1, 1, 3], values: [-2, 0, 3])
    let blobs = try interpreter(Self.diamond).run(["data": input], extracting: ["e", "c"])
    // relu with slope 0.5: −1, 0, 3; doubled: −4, 0, 6.
    #expect(blobs["c"]?.values == [-1, 0, 3])
    #expect(blobs["e"]?.values == [-5, 0, 9])
    #expect(blobs.count == 2)
  }

  @Test func runsLayersInAnyOrderOfTheFile() throws {
    let network = try Network([
      "ReLU last 1 1 b c", "Input data 0 1 a", "HardSigmoid first 1 1 a b 0=1.0 1=-1.0",
    ])
    let blobs = try Interpreter(network).run(
      ["a": Tensor(shape: [2], values: [1.25, 9])], extracting: ["c"])
    #expect(blobs["c"]?.values == [0.25, 1])
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
    let interpreter = try interpreter(Self.diamond)
    let input = try Tensor(shape: [3], values: [1, 2, 3])
    func error(_ work: () throws -> Void) throws -> InferenceError {
      try #require(throws: InferenceError.self) { try work() }
    }
    let unknownBlob = try error { _ = try interpreter.run(["data": input], extracting: ["x"]) }
    #expect(unknownBlob.reason == .blob)
    #expect(unknownBlob.found.contains("x"))
    let unknownInput = try error { _ = try interpreter.run(["image": input], extracting: ["e"]) }
    #expect(unknownInput.reason == .input)
    let missing = try error { _ = try interpreter.run([:], extracting: ["e"]) }
    #expect(missing.layer == "Input data (line 3)")
  }

  @Test func respectsTheMemoryLimit() throws {
    var interpreter = try interpreter(["Interp up 1 1 data out 0=1 1=1000.0 2=1000.0"])
    interpreter.maximumElements = 1_000_000
    let input = try Tensor(shape: [1, 2, 2], values: [1, 2, 3, 4])
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(["data": input], extracting: ["out"])
    }
    #expect(error.reason == .limit)
    #expect(error.layer == "Interp up (line 4)")
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
    let input = try Tensor(
      shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *)))
    let outcome = Result { try interpreter.run(["b0": input], extracting: ["b\(layers.count)"]) }
    guard case .failure(let error) = outcome else { return nil }
    return error as? InferenceError
  }

  /// A Noop that hands nothing on is not run.
  @Test func takesALayerWithoutOutputs() throws {
    let network = try Network(layers: [
      "Split s 1 2 data a b", "Noop n 1 0 a", "ReLU r 1 1 b out",
    ])
    let input = ["data": try Tensor(shape: [2], values: [1, -1])]
    let plain = try Interpreter(network).run(input, extracting: ["out"])
    #expect(plain["out"]?.values == [1, 0])
    #expect(try Engine(network).run(input, extracting: network.outputs) == plain)
  }

  @Test(arguments: [
    (#"12=233 13=3 6="4,1,2,1""#, "a batch of 4 in [1, 2, 1, 4]"),
    ("0=8 1=1 12=3", "a batch at axis 3 of shape [8]"),
    (#"13=0 6="0,0,1""#, "shape [8] to be reshaped to [1, 0, 0]"),
    (#"13=1 6="8""#, "shape [8] to be reshaped to [8]"),
  ])
  func refusesOtherBatches(parameters: String, found: String) throws {
    let network = try Network(layers: ["Reshape r 1 1 data out \(parameters)"])
    let error = #expect(throws: InferenceError.self) {
      try ShapeInference(network, inputs: ["data": [8]])
    }
    #expect(error?.found == found)
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

  /// Upstream divides by 10⁻⁴ where there is neither a variance nor an epsilon: (1 − 0.5) · 10⁴ + 2.
  @Test func batchNormOfNoVariance() throws {
    let network = try Network(
      layers: ["BatchNorm b 1 1 data out 0=1"], weights: floatBytes([1, 0.5, 0, 2]))
    let input = ["data": try Tensor(shape: [1, 1, 2], values: [1, 0.5])]
    let plain = try Interpreter(network).run(input, extracting: ["out"])
    #expect(plain["out"]?.values == [5002, 2])
    #expect(try Engine(network).run(input, extracting: ["out"]) == plain)
  }

  /// The border turns one element into 23161².
  @Test func countsTheBorderedCopyOfAConvolution() throws {
    let layer = "Convolution layer 1 1 IN OUT 0=1 1=1 6=1 4=11580 3=20000"
    let error = try #require(try refusal([layer], shape: [1, 1, 1]))
    #expect(error.reason == .limit)
    #expect(error.found == "536431926 elements in blobs")
    // 1 + 5 × 5 + 2 × 2 elements.
    let small = "Convolution layer 1 1 IN OUT 0=1 1=1 6=1 4=2 3=4"
    #expect(try refusal([small], shape: [1, 1, 1], maximumElements: 30) == nil)
    #expect(
      try refusal([small], shape: [1, 1, 1], maximumElements: 29)?.found
        == "30 elements in blobs")
  }

  /// Each row and column has an entry: four indices of 8 bytes and four weights.
  @Test(arguments: [(1, 2), (2, 6), (3, 12)])
  func countsTheTablesOfInterp(method: Int, elements: Int) throws {
    let layer = "Interp layer 1 1 IN OUT 0=\(method) 1=1.0 2=100.0"
    let all = 4 + 400 + 401 * elements
    #expect(try refusal([layer], shape: [1, 1, 4], maximumElements: all) == nil)
    #expect(
      try refusal([layer], shape: [1, 1, 4], maximumElements: all - 1)?.found
        == "\(all) elements in blobs")
  }

  @Test func countsTheWorkOfTheBorderedCopy() throws {
    let layers = (0..<60).map { "Convolution c\($0) 1 1 IN OUT 0=1 1=1 6=1 4=8000 3=16000" }
    // 16001² elements are copied for 2 × 2 results, which the next layer reduces likewise.
    let error = try refusal(layers, shape: [1, 1, 1], maximumWork: 1 << 30)
    #expect(error?.reason == .limit)
    #expect(error?.layer == "Convolution c4 (line 8)")
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

  /// The input counts, since it is subtracted after its last use.
  @Test func countsInputs() throws {
    let layers = ["Pooling p 1 1 IN OUT 0=1 4=1", "Interp i 1 1 IN OUT 0=1 3=30 4=60"]
    let error = try refusal(layers, shape: [1, 30, 30], maximumElements: 1000)
    #expect(error?.found == "1801 elements in blobs")
    #expect(error?.layer == "Interp i (line 5)")
    #expect(
      try refusal(layers, shape: [1, 30, 30], maximumElements: 900)?.found
        == "901 elements in blobs")
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
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(["data": input], extracting: ["out"])
    }
    #expect(error.reason == .limit)
  }

  @Test func refusesWeightsThatAreNotLoaded() throws {
    let interpreter = try interpreter(["PReLU layer 1 1 data out 0=1"])
    let input = ["data": try Tensor(shape: [1], values: [1])]
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(input, extracting: ["out"])
    }
    #expect(error.reason == .input)
    #expect(error.layer == "PReLU layer (line 4)")
    #expect(try interpreter.run(input, extracting: ["data"]) == input)
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

  /// By hand: the second blob's 1 × 2 from row 1, column 1.
  @Test func cropsToAReferenceFromAnOffset() throws {
    let interpreter = try interpreter([
      "Input like 0 1 like", "Crop crop 2 1 data like out 0=1 1=1",
    ])
    let data = try Tensor(shape: [1, 2, 3], values: [1, 2, 3, 4, 5, 6])
    let like = try Tensor(shape: [1, 2], values: [0, 0])
    let blobs = try interpreter.run(["data": data, "like": like], extracting: ["out"])
    #expect(blobs["out"]?.shape == [1, 1, 2])
    #expect(blobs["out"]?.values == [5, 6])
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

  /// Rows that are not resized have no use for a scale.
  @Test(arguments: ["1e-39", "1e-30"])
  func ignoresTheRowScaleOfVectors(scale: String) throws {
    let network = try Network(layers: ["Interp up 1 1 data out 0=1 1=\(scale) 2=2.0"])
    let inputs = ["data": try Tensor(shape: [2, 2], values: [1, 2, 3, 4])]
    let plain = try Interpreter(network).run(inputs, extracting: ["out"])["out"]
    #expect(plain?.values == [1, 1, 2, 2, 3, 3, 4, 4])
    #expect(try Engine(network).run(inputs, extracting: ["out"])["out"]?.values == plain?.values)
  }

  /// As upstream's comparison gives it; −∞ · 0 would be NaN.
  @Test func reluOfInfinity() throws {
    let network = try Network(layers: ["ReLU r 1 1 data out"])
    let inputs = [
      "data": try Tensor(shape: [1, 1, 4], values: [-.infinity, -5, .infinity, 3])
    ]
    let plain = try Interpreter(network).run(inputs, extracting: ["out"])["out"]
    #expect(plain?.values == [0, 0, .infinity, 3])
    #expect(plain?.values[1].sign == .plus)
    #expect(try Engine(network).run(inputs, extracting: ["out"])["out"]?.values == plain?.values)
  }

  @Test(arguments: [
    ("Convolution", "0=1 1=3 6=27", [3, 2, 9]),
    ("Convolution", "0=1 1=1 6=4", [3, 2, 9]),
    ("Pooling", "1=4", [3, 3, 9]),
    ("Slice", "-23300=1,4", [3, 1, 1]),
    ("ShuffleChannel", "0=2", [3, 1, 1]),
    ("Reshape", "0=5 1=-1", [3, 1, 1]),
    ("Permute", "0=3", [3, 3]),
    ("InnerProduct", "0=1 2=4", [3, 1, 1]),
    ("Interp", "0=1 1=0.1 2=0.1", [3, 2, 2]),
    ("Crop", "-23309=1,2 -23310=1,1 -23311=1,0", [3, 1, 1]),
    ("Padding", "2=3 4=2", [1, 2, 3]),
    ("BatchNorm", "0=4", [3, 1, 1]),
    ("Padding", "0=-1 4=2", [1, 5, 3]),
    ("Slice", "-23300=1,2 1=2", [2, 2, 7]),
    ("Slice", "-23300=1,2 1=-1", [2, 2, 2, 7]),
    ("Gemm", "5=1 6=1 7=3 8=6 9=20 10=-1", [3, 4, 5]),
    ("Deconvolution1D", "0=1 1=3 6=3", [1, 3, 5]),
    ("GRU", "0=2 1=18", [4, 5]),
    ("Softmax", "0=3 1=1", [3, 1, 1]),
    ("CumulativeSum", "0=3", [3, 1, 1]),
  ])
  func refusesShapesThatDoNotFit(kind: String, parameters: String, shape: [Int]) throws {
    let network = try Network(layers: ["\(kind) layer 1 1 data out \(parameters)"])
    let error = try #require(throws: InferenceError.self) {
      try ShapeInference(network, inputs: ["data": shape])
    }
    #expect(error.reason == .shape)
    #expect(error.layer == "\(kind) layer (line 4)")
  }
}
