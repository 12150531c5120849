// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

@Suite struct Int8Tests {
  /// What precedes weights that are stored as int8.
  private let tag: [UInt8] = [0x38, 0x4B, 0x0D, 0]

  private func bytes(_ numbers: Float...) -> [UInt8] { floatBytes(numbers) }

  private func network(_ layers: String..., weights: [UInt8]) throws -> Network {
    try Network(layers: layers, weights: weights)
  }

  @Test(
    arguments: [
      (0.49, 1, 0), (0.5, 1, 1), (-0.5, 1, -1), (2.5, 1, 3), (-2.5, 1, -3), (1.26, 2, 3),
      (126.6, 1, 127), (-126.6, 1, -127), (1000, 1, 127), (-1000, 1, -127), (.infinity, 1, 127),
      (-.infinity, 1, -127), (.nan, 1, -127), (3e38, 3e38, 127),
    ] as [(Float, Float, Float)])
  func roundsHalfAwayFromZeroAndClamps(x: Float, scale: Float, expected: Float) {
    #expect(int8(x, scale: scale) == expected)
  }

  /// By hand, in the interpreter and in every instruction set.
  private func expect(
    _ expected: [Float], of values: [Float], shape: [Int], _ network: Network
  ) throws {
    let input = ["data": try Tensor(shape: shape, values: values)]
    let plain = try Interpreter(network).run(input, extracting: ["out"])
    #expect(plain["out"]?.values == expected)
    try runEverywhere(network, input, extracting: ["out"]) { engine, blobs in
      #expect(blobs == plain, "\(engine.instructionSet)")
    }
  }

  /// 1.4 · 2 is 3, −9 is beyond −127 / 20; the sums are 3 · 5 − 127 and 3 · −128 + 127.
  @Test func convolutionByHand() throws {
    // Biases, weight scales, the input's and the result's.
    let network = try network(
      "Convolution conv 1 1 data out 0=2 1=1 6=4 5=1 8=101 9=1",
      weights: tag + [5, 1, 0x80, 0xFF] + bytes(40, -3, 4, 2, 20, 10))
    // (3 · 5 − 127) / 80 + 40 = 38.6; −9.4, which ReLU makes 0.
    try expect([127, 0], of: [0.14, -9], shape: [2, 1, 1], network)
  }

  /// Between layers that hold bytes: 3 · 5 − 127 over 80, plus 2, is 0.6, and the dead channel 3; at scale 8 they are
  /// 5 and 24. Under an infinite input scale every channel is dead.
  @Test(arguments: [(8, [3.8125, -1]), (.infinity, [0.5, -1])] as [(Float, [Float])])
  func deadChannelsAreTheirBiases(scale: Float, expected: [Float]) throws {
    let network = try network(
      "Convolution a 1 1 data b 0=2 1=1 6=4 5=1 8=1 9=1",
      "Convolution c 1 1 b out 0=2 1=1 6=4 5=1 8=1",
      weights: tag + [5, 1, 7, 3] + bytes(2, 3, 4, .infinity, 20)
        + tag + [1, 2, 3, 4] + bytes(0.5, -1, 2, 0, scale))
    try expect(expected, of: [0.14, -9], shape: [2, 1, 1], network)
  }

  /// Floats are quantised by the scales of their channels; int8 weights stay as they are.
  @Test func weightsBecomeIntegers() throws {
    let network = try network(
      "InnerProduct a 1 1 data b 0=2 2=4 8=1", "InnerProduct c 1 1 b d 0=1 2=2 8=1",
      weights: bytes(0, 0.25, -1, 0.25, -100, 2, 10, 1) + tag + [0x80, 7, 0, 0] + bytes(3, 4))
    #expect(network.layers[1].numbers == [[1, -2, 3, -127], [2, 10], [1]])
    #expect(network.layers[2].numbers == [[-128, 7], [3], [4]])
  }

  /// A blob that an int8 convolution writes and another reads, and that one in floating point reads before it
  /// is upsampled: the latter must not find bytes.
  @Test func anUpsampledBlobIsReadInFloatingPoint() throws {
    let t = tag + (0..<128).map { UInt8(truncatingIfNeeded: 37 * $0) }
    let y = bytes(0) + floatBytes((0..<17).map { Float($0 - 8) / 17 })
    let z = tag + (0..<16).map { UInt8(truncatingIfNeeded: 91 * $0) }
    let scales = floatBytes([Float](repeating: 80, count: 16) + [30])
    let network = try network(
      "Input other 0 1 other", "Convolution t 1 1 data t 0=16 1=1 6=128 8=1",
      "Split split 1 2 t t0 t1", "Interp up 1 1 t0 up 0=1 1=2.0 2=2.0",
      "Convolution o 1 1 other o 0=1 1=1 6=1", "Concat cat 2 1 up o cat",
      "Convolution y 1 1 cat y 0=1 1=1 6=17", "Convolution z 1 1 t1 z 0=1 1=1 6=16 8=1",
      weights: t + scales + bytes(0, 1) + y + z + bytes(100, 10))
    var random = SeededGenerator(seed: 1)
    let inputs = [
      "data": try Tensor(shape: [8, 5, 3], random: &random),
      "other": try Tensor(shape: [1, 10, 6], random: &random),
    ]
    let plain = try Interpreter(network).run(inputs, extracting: ["y", "z"])
    try runEverywhere(network, inputs, extracting: ["y", "z"]) { _, blobs in
      for (name, blob) in blobs {
        // Sums of 17 products near 1 differ in their order.
        let expected = try #require(plain[name])
        try blob.require(expected.shape, expected.values, within: 1e-4, "\(name)")
      }
    }
  }

  /// Weights of a convolution in int8, without biases, and its scales.
  private func convolution(_ count: Int, outputs: Int, inputScale: Float) -> [UInt8] {
    let scales = [Float](repeating: 80, count: outputs)
    return tag + (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + 11) }
      + floatBytes(scales + [inputScale])
  }

  /// Blobs that are held in bytes and joined: the second lies where the first does, wholly or in part.
  @Test(arguments: [
    "Dropout m 1 1 x1 y", "Slice m 1 2 x1 y z -23300=2,5,-233", "ShuffleChannel m 1 1 x1 y 0=2",
  ])
  func copiesWhatIsJoinedTwice(layer: String) throws {
    let channels = layer.hasPrefix("Slice") ? 16 + 5 : 32
    let network = try network(
      "Convolution a 1 1 data x 0=16 1=1 6=48 8=1 9=1", "Split s 1 2 x x1 x2", layer,
      "Concat c 2 1 x2 y c 0=0", "Convolution b 1 1 c out 0=16 1=1 6=\(16 * channels) 8=1",
      weights: convolution(48, outputs: 16, inputScale: 60)
        + convolution(16 * channels, outputs: 16, inputScale: 30))
    var random = SeededGenerator(seed: 2)
    let input = ["data": try Tensor(shape: [3, 9, 13], random: &random)]
    // A step more or less in a few of 32 channels: 1 / 30, times a weight of up to 1.6. Numbers are near 10.
    #expect(try requireAgreement(network, input, within: 0.15))
  }

  /// A head in int8 reads its blob, held in floating point, once more after the run.
  @Test(arguments: EngineTests.instructionSets)
  func aReducedHeadKeepsItsQuantizedInput(instructionSet: String) throws {
    var random = SeededGenerator(seed: 4)
    func floats(_ count: Int) -> [UInt8] {
      bytes(0) + floatBytes(random.floats(count).map { $0 / Float(count).squareRoot() })
    }
    let weights =
      floats(48) + convolution(256, outputs: 16, inputScale: 40) + floats(1024) + floats(4096)
      + floats(4096)
    let network = try network(
      "Convolution c 1 1 data a 0=16 1=1 6=48", "Split s 1 2 a a1 a2",
      "Convolution h 1 1 a1 h 0=16 1=1 6=256 8=1", "Reshape r 1 1 h r 0=-1 1=16 2=1",
      "Permute p 1 1 r head 0=1", "Convolution d 1 1 a2 d 0=64 1=1 6=1024",
      "Convolution e 1 1 d e 0=64 1=1 6=4096", "Convolution f 1 1 e f 0=64 1=1 6=4096",
      weights: weights)
    let picture = (0..<3 * 6 * 10).map { _ in UInt8.random(in: 0...255, using: &random) }
    let values = (0..<180).map { Float(picture[$0 % 60 * 3 + $0 / 60]) / 255 }
    let plain = try Interpreter(network).run(
      ["data": Tensor(shape: [3, 6, 10], values: values)], extracting: ["head"])
    let expected = try #require(plain["head"]?.values)
    let engine = try Engine(
      network, outputs: ["f"], gated: [GatedOutput(blob: "head", groups: 1, width: 16, gate: 4)],
      normalization: Normalization(divisor: 255), instructionSet: instructionSet)
    var cells = 0
    try engine.run(picture: picture, rows: 6, columns: 10) { outputs in
      outputs.forEachGroup(of: 0, from: -.infinity) { _, cell, values in
        cells += 1
        // A step more or less in one of 16 channels.
        for index in 0..<16 { #expect(abs(values[index] - expected[16 * cell + index]) < 0.06) }
      }
    }.get()
    #expect(cells == 60)
  }

  /// The least number, which a window outside of the blob gives, is no byte after ReLU.
  @Test(arguments: ["0=0 1=1 2=2", "0=0 1=2 2=2 3=3"])
  func poolsOutsideTheBlob(windows: String) throws {
    let network = try network(
      "Convolution a 1 1 data x 0=16 1=1 6=48 8=1 9=1", "Pooling p 1 1 x y \(windows)",
      "Convolution b 1 1 y out 0=16 1=1 6=256 8=1",
      weights: convolution(48, outputs: 16, inputScale: 60)
        + convolution(256, outputs: 16, inputScale: 30))
    var random = SeededGenerator(seed: 3)
    let input = ["data": try Tensor(shape: [3, 8, 8], random: &random)]
    // A step more or less in one of 16 channels.
    #expect(try requireAgreement(network, input, within: 0.06))
  }

  /// The quantised input, its bordered copy, that copy as integers, and the blobs.
  @Test func countsItsCopies() throws {
    let network = try network(
      "Convolution conv 1 1 data out 0=1 1=1 6=1 8=1 4=2 3=4",
      weights: tag + [5, 0, 0, 0] + bytes(1, 1))
    var interpreter = try Interpreter(network)
    let input = ["data": try Tensor(shape: [1, 1, 1], values: [1])]
    let blobs = 1 + 2 * 2
    interpreter.maximumElements = blobs + 1 + 25 + 25
    #expect(try interpreter.run(input, extracting: ["out"])["out"]?.values == [0, 0, 0, 0])
    interpreter.maximumElements -= 1
    let error = #expect(throws: InferenceError.self) {
      try interpreter.run(input, extracting: ["out"])
    }
    #expect(error?.reason == .limit)
    #expect(error?.layer == "Convolution conv (line 4)")
  }

  /// A channel's factor would be infinite: its weights are 0, and its scales tiny.
  @Test func channelsWithoutWeightsAreTheirBias() throws {
    let tiny = Float(0x1p-60)
    let identity = (0..<256).map { UInt8($0 % 17 == 0 ? 1 : 0) }
    func repeated(_ number: Float, _ first: Float) -> [UInt8] {
      bytes(first) + (1..<16).flatMap { _ in bytes(number) }
    }
    let network = try network(
      "Convolution a 1 1 data b 0=16 1=1 5=1 6=16 8=1", "Swish s 1 1 b c",
      "Convolution d 1 1 c out 0=16 1=1 6=256 8=1",
      weights: tag + [0] + Array(repeating: 5, count: 15) + repeated(1, 1) + repeated(1e18, tiny)
        + bytes(tiny) + tag + identity + repeated(1, 1) + bytes(20))
    let input = ["data": try Tensor(shape: [1, 1, 3], values: [-0x1p60, 0, 0x1p60])]
    // 20 · Swish(1) = 14.6.
    let plain = try Interpreter(network).run(input, extracting: ["out"])
    let fast = try Engine(network).run(input, extracting: ["out"])
    for blobs in [plain, fast] { #expect(blobs["out"]?.values.prefix(3) == [0.75, 0.75, 0.75]) }
  }

  /// Inputs become 1, 3, −1 and −3, sums are an eighth of that, and four times as much is 0.5, 1.5, −0.5 and
  /// −1.5. What the network hands on in int8 is rounded away from zero, as in upstream.
  @Test func handsOnTiesAwayFromZero() throws {
    let network = try network(
      "Convolution a 1 1 data b 0=1 1=1 6=1 8=101", "Convolution c 1 1 b out 0=1 1=1 6=1 8=1",
      weights: tag + [1, 0, 0, 0] + bytes(4, 2, 4) + tag + [1, 0, 0, 0] + bytes(1, 1))
    try expect([1, 2, -1, -2], of: [0.5, 1.5, -0.5, -1.5], shape: [1, 1, 4], network)
  }
}
