// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels
@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Model files of a few lines that ask for too much.
struct PlanLimitsTests {
  /// The graph for the blob `out`, of layers without weights.
  private func graph(of network: Network, _ shapes: [String: [Int]]) throws -> Graph {
    let lowerings = network.layers.map { $0.operation.kind.lowering([], inputs: $0.inputs.count) }
    return Graph(
      network, try Schedule(network, extracting: ["out"]),
      forms: zip(network.layers, lowerings).map { LayerForm($0, $1, shapes: shapes) },
      weights: network.layers.map { _ in [] }, lowerings: lowerings, wanted: ["out"])
  }

  /// Requires that something is refused for a limit, of a layer if one is named.
  @discardableResult private func requireRefusal(
    of layer: String? = nil, _ run: () throws -> some Any
  ) throws -> InferenceError {
    let error = try #require(throws: InferenceError.self) { _ = try run() }
    #expect(error.reason == .limit)
    if let layer { #expect(error.layer == layer) }
    return error
  }

  @Test(arguments: KernelTable.available)
  func refusesWeightsThatGrowWhenPacked(kernels: KernelTable) throws {
    // One output channel takes a whole block: the weights become a little more than 2²⁷.
    let rows = 1024 / kernels.lanes + 1
    let network = try Network(layers: [
      "Convolution c 1 1 data out 0=1 1=64 11=\(rows) 5=0 6=\(2048 * 64 * rows)"
    ])
    let shapes = try ShapeInference(network, inputs: ["data": [2048, rows, 64]]).shapes
    let graph = try graph(of: network, shapes)
    try requireRefusal(of: "Convolution c (line 4)") {
      try Planner(graph, shapes: shapes, kernels: kernels)
    }
  }

  @Test func refusesListsOfChannels() throws {
    // Each layer moves no data but lists its 2¹⁴ channels.
    var layers = ["ReLU first 1 1 data 0"]
    for index in 0..<300 {
      layers.append("ShuffleChannel s\(index) 1 1 \(index) \(index + 1) 0=2")
    }
    let engine = try Engine(Network(layers: layers))
    let input = Tensor([1 << 14, 1, 1])
    try requireRefusal { try engine.run(["data": input], extracting: ["300"]) }
    #expect(try engine.run(["data": input], extracting: ["200"])["200"]?.shape == [1 << 14, 1, 1])
  }

  @Test(
    arguments: [
      // Tables of rows.
      ("Interp up 1 1 data out 0=1 1=65535.0 2=1.0", [1, 64, 1], "Interp up (line 4)"),
      // 2²⁷ elements of one channel take four times as many in blocks, at least.
      ("Interp up 1 1 data out 0=1 3=16384 4=8192", [1, 1, 1], nil),
      // The scratch memory of plain layers.
      ("ConvolutionDepthWise c 1 1 data out 0=4 1=1 3=1048576 4=8000 6=4 7=2", [2, 1, 1], nil),
    ] as [(String, [Int], String?)])
  func refusesOneLayer(line: String, input: [Int], layer: String?) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(layers: [line], random: &random)
    try requireRefusal(of: layer) {
      try Engine(network).run(["data": Tensor(input)], extracting: ["out"])
    }
  }

  /// Each table is short, but together they are not: a file of a few lines would exhaust memory.
  @Test func refusesManyTables() throws {
    func engine(_ count: Int) throws -> Engine {
      var layers: [String] = []
      for index in 0..<count {
        layers.append("Interp i\(index) 1 1 data u\(index) 0=2 3=1000000 4=1")
        layers.append("Pooling p\(index) 1 1 u\(index) v\(index) 4=1")
      }
      let names = (0..<count).map { "v\($0)" }.joined(separator: " ")
      return try Engine(Network(layers: layers + ["Concat out \(count) 1 \(names) out 0=0"]))
    }
    let input = Tensor([1, 1, 1])
    #expect(try engine(2).run(["data": input], extracting: ["out"])["out"]?.values.count == 2)
    try requireRefusal { try engine(3).run(["data": input], extracting: ["out"]) }
  }

  /// Each Crop has a table of rows and columns, too.
  @Test func refusesManyCrops() throws {
    func engine(_ count: Int) throws -> Engine {
      var layers = ["Interp up 1 1 data c0 0=1 3=1 4=1000000"]
      for index in 0..<count {
        layers.append(
          "Crop x\(index) 1 1 c\(index) c\(index + 1) -23309=1,1 -23310=1,-233 -23311=1,2")
      }
      return try Engine(Network(layers: layers))
    }
    let input = ["data": Tensor([1, 1, 1])]
    #expect(try engine(1).run(input, extracting: ["c1"])["c1"]?.shape == [1, 1, 999_999])
    try requireRefusal(of: "Crop x1 (line 6)") { try engine(2).run(input, extracting: ["c2"]) }
  }

  /// Four-channel quads in which one channel is read each, as a shuffle and a slice leave them.
  private var spreadBlob: BlockedBlob {
    BlockedBlob(
      rows: 3, columns: 3,
      channels: (0..<64).map { BlockedBlob.Place(block: $0 / 4, lane: $0 % 4 * 4) })
  }

  private func convolution(_ layer: String) throws -> WeightedConvolution {
    let layer = try Network(layers: [layer]).layers[1]
    let scales = [Float](repeating: 1, count: layer.name == "c" ? 1 : 64)
    return WeightedConvolution(
      try #require(layer.convolution), of: layer,
      [[Float](repeating: 127, count: 576), scales, [1]])
  }

  /// One output's weights take 64 bytes each, or twice as much: they are counted before memory is allocated.
  @Test(arguments: [
    ByteArithmetic(pairsBlocks: true), ByteArithmetic(addsInSixteenBits: true, pairsBlocks: true),
    ByteArithmetic(widensWeights: true),
  ])
  func countsInt8WeightsThatGrowWhenPacked(arithmetic: ByteArithmetic) throws {
    let request = ByteWeights(
      convolution: try convolution("Convolution c 1 1 data out 0=1 1=3 6=576 8=1"),
      channels: spreadBlob.sourceChannels, zero: 127, form: .floats(.none), parts: [0..<1],
      arithmetic: arithmetic)
    #expect((576 * 64...request.mostBytes).contains(PackedByteWeights(request).weights.count))
    #expect(request.mostBytes <= 2 * 576 * 64)
  }

  /// A depthwise convolution's weights take 128 bytes for four columns of 16 lanes, each of which may be read
  /// alone.
  @Test(arguments: [false, true])
  func countsDepthwiseInt8WeightsThatGrowWhenPacked(addsInSixteenBits: Bool) throws {
    let convolution = try convolution(
      "ConvolutionDepthWise d 1 1 data out 0=64 1=1 11=9 14=4 6=576 7=64 8=1")
    let request = ByteDepthwiseWeights(
      convolution: convolution, channels: spreadBlob.sourceChannels, zero: 127,
      form: .floats(.none), arithmetic: ByteArithmetic(addsInSixteenBits: addsInSixteenBits))
    #expect((16 * 9 * 128...request.mostBytes).contains(request.packed().weights.count))
    #expect(request.mostBytes <= 2 * 16 * 9 * 128)
  }

  /// A kernel of one column takes as much as one of four.
  @Test(arguments: KernelTable.available)
  func refusesInt8WeightsThatGrowWhenPacked(kernels: KernelTable) throws {
    let (channels, rows) = (16384, 4097)
    let network = try Network(layers: [
      "ReLU r 1 1 data base",
      "ConvolutionDepthWise c 1 1 base out 0=\(channels) 1=1 11=\(rows) 5=0 "
        + "6=\(channels * rows) 7=\(channels) 8=1",
    ])
    let shapes = try ShapeInference(network, inputs: ["data": [channels, rows, 1]]).shapes
    var graph = try graph(of: network, shapes)
    graph.nodes[2].convolution?.quantization = Int8Scales(
      weightScales: Array(repeating: 1, count: channels), inputScale: 1, outputScale: nil)
    let error = try requireRefusal {
      [graph] in try Planner(graph, shapes: shapes, kernels: kernels)
    }
    #expect(error.found.contains("packed weights"))
  }

  /// Every task prepares half of the blob's rows, which would take minutes.
  @Test(.timeLimit(.minutes(60))) func refusesWindowsAsTallAsTheBlob() throws {
    let rows = 1 << 20
    let network = try Network(
      layers: [
        "Interp u 1 1 data u 0=1 3=\(rows) 4=1", "Convolution p 1 1 u v 0=1 1=1 6=1",
        "Convolution s 1 1 v out 0=1 1=1 11=2 12=\(rows / 2) 3=1 13=2 6=2",
      ], weights: floatBytes([0, 1, 0, 1, 1]))
    let engine = try Engine(network)
    try requireRefusal(of: "Convolution s (line 6)") {
      try engine.run(["data": Tensor([1, 1, 1])], extracting: ["out"])
    }
  }

  /// Each channel is in a block of its own, for which weights are packed separately.
  @Test(arguments: KernelTable.available)
  func refusesDepthwiseWeightsThatGrowWhenPacked(kernels: KernelTable) throws {
    let count = 2048 / kernels.lanes
    let parts = (0..<2 * count).map { $0 % 2 == 0 ? 1 : 15 }
    let pieces = parts.indices.map { "x\($0)" }
    let network = try Network(
      layers: [
        "ReLU r 1 1 data base",
        "Slice s 1 \(2 * count) base \(pieces.joined(separator: " ")) "
          + "-23300=\(2 * count),\(parts.map(String.init).joined(separator: ","))",
        "Concat c \(count) 1 "
          + "\(stride(from: 0, to: 2 * count, by: 2).map { pieces[$0] }.joined(separator: " ")) cc",
        "ConvolutionDepthWise d 1 1 cc out 0=\(count) 1=256 11=256 5=0 6=\(count << 16) 7=\(count)",
      ])
    let shapes = try ShapeInference(network, inputs: ["data": [16 * count, 256, 256]]).shapes
    let graph = try graph(of: network, shapes)
    try requireRefusal(of: "ConvolutionDepthWise d (line 7)") {
      try Planner(graph, shapes: shapes, kernels: kernels)
    }
  }

  /// The input as a gated output, and pictures that cannot be counted.
  @Test(arguments: [(8, 8, InferenceError.Reason.shape), (.max, 3, .input)])
  func refusesPictures(rows: Int, columns: Int, reason: InferenceError.Reason) throws {
    let output = GatedOutput(blob: "data", groups: 3, width: 16, gate: 15)
    let engine = try Engine(Network(layers: []), gated: [output])
    let error = #expect(throws: InferenceError.self) {
      _ = try engine.run(
        picture: [UInt8](repeating: 0, count: 3 * 8 * 8), rows: rows, columns: columns
      ) { _ in }
    }
    #expect(error?.reason == reason)
  }

  /// A chain of plain layers holds a blob, the next and the last one's input: what is read is freed.
  @Test func countsTensorsThatExistAtOneTime() throws {
    let layers = (0..<20).map { "Power p\($0) 1 1 \($0 == 0 ? "data" : "\($0)") \($0 + 1) 0=2" }
    let network = try Network(layers: layers)
    let input = Tensor([1000], repeating: 1)
    // Zeros for biases, a few dozen, come on top.
    let engine = try Engine(network, maximumElements: 3100)
    #expect(try engine.run(["data": input], extracting: ["20"])["20"] == input)
    #expect(try engine.run(["data": input], extracting: ["20"])["20"] == input)
    let error = try requireRefusal {
      try engine.run(["data": input], extracting: ["5", "10", "15", "20"])
    }
    #expect(error.expected == "at most 3100")
  }

  /// Without a kernel, a sixteenth of the work is allowed.
  @Test(
    arguments: [("Deconvolution", "0=4 1=1 3=2", 16), ("Convolution", "0=4 1=1", 1)]
      as [(String, String, Int64)])
  func countsTheWorkOfPlainLayers(kind: String, parameters: String, factor: Int64) throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(
      layers: ["\(kind) c 1 1 data out \(parameters) 6=4"], random: &random)
    let run = { (work: Int64) throws(InferenceError) in
      _ = try Engine(network, maximumWork: work).run(
        ["data": Tensor([1, 30, 30])], extracting: ["out"])
    }
    let steps = network.layers[1].operation.kind.cost(
      inputs: [[1, 30, 30]], outputs: [kind == "Convolution" ? [4, 30, 30] : [4, 59, 59]]
    ).steps
    try run(steps * factor)
    let error = try #require(throws: InferenceError.self) { try run(steps * factor - 1) }
    #expect(error.limit == .work && error.layer == "\(kind) c (line 4)")
  }

  /// Eight numbers of a row are added up at a time, but for a single column.
  @Test func countsProductsByVectors() throws {
    let product = try MatMul(
      ParameterReader(parameters: [0: .integer(1)], kind: "MatMul", file: "", line: 1))
    func steps(by other: [Int], making output: [Int]) -> Int64 {
      product.cost(inputs: [[80, 5], other], output: output).steps
    }
    #expect(steps(by: [80, 5], making: [80, 80]) == 8 * 11 * 5 * 11)
    #expect(steps(by: [5], making: [80]) == 8 * 11 * 5)
  }

  /// Between far windows of a deconvolution there is nothing to add, for any number of channels.
  @Test func emptyPlacesOfADeconvolutionCostLittle() throws {
    var random = SeededGenerator(seed: 1)
    let network = try Network(
      layers: ["Deconvolution d 1 1 data out 0=1 1=1 6=16384 18=1500"], random: &random)
    let input = ["data": Tensor([16384, 1, 1])]
    let interpreter = try Interpreter(network)
    let time = try processorTime {
      let plain = try interpreter.run(input, extracting: ["out"])["out"]
      #expect(plain?.shape == [1, 1501, 1501])
    }
    #expect(time < generousProcessorTime)
  }
}
