// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

struct NormalizationTests {
  /// Two rows of two pixels.
  private let picture: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 255]
  private let normalization = Normalization(mean: [10, 15, 20], divisor: 5, order: .bgr)

  @Test func bytesBecomePlanes() throws {
    let plain = try Tensor(picture: picture, rows: 2, columns: 2)
    #expect(plain.shape == [3, 2, 2])
    #expect(plain.values == [10, 40, 70, 100, 20, 50, 80, 110, 30, 60, 90, 255])
    let tensor = try Tensor(picture: picture, rows: 2, columns: 2, normalization)
    #expect(tensor.values == [2, 8, 14, 47, 1, 7, 13, 19, 0, 6, 12, 18])
  }

  @Test(arguments: [(2, 3), (0, 2), (-2, -2), (Int.max, 2)])
  func refusesPicturesOfAnotherSize(rows: Int, columns: Int) throws {
    let error = #expect(throws: InferenceError.self) {
      try Tensor(picture: picture, rows: rows, columns: columns)
    }
    #expect(error?.reason == .input)
  }

  private func output(
    _ network: Network, _ normalization: Normalization, _ instructionSet: String
  ) throws -> [Float] {
    let engine = try Engine(
      network, outputs: ["out"], normalization: normalization, instructionSet: instructionSet)
    var values: [Float] = []
    try engine.run(picture: picture, rows: 2, columns: 2) {
      values = try $0.tensor("out").values
    }.get()
    return values
  }

  /// The border is 0 as the network sees it, not as the bytes are: a mean is not taken from it. All
  /// numbers are small multiples of a power of two, so the sums are exact.
  @Test(arguments: EngineTests.instructionSets)
  func firstConvolutionTakesNormalizedBytes(instructionSet: String) throws {
    // The window of one output covers the whole picture and its border; the weights are 1 for the
    // first plane, 100 for the second, 10,000 for the third.
    let weights = [1, 100, 10000].flatMap { [Float](repeating: $0, count: 9) }
    let network = try Network(
      layers: ["Convolution c 1 1 data out 0=1 1=3 4=1 6=27"], weights: floatBytes([0] + weights))
    let cases: [(Normalization, [Float])] = [
      // Twice blue − 20: 10 + 40 + 70 + 235; green − 15: 5 + 35 + 65 + 95; red − 10: 0 + 30 + 60 + 90.
      (Normalization(mean: [10, 15, 20], divisor: 0.5, order: .bgr), [710, 400, 360]),
      (Normalization(mean: [10, 15, 20], divisor: 0.5), [360, 400, 710]),
      // Red by 2, green by 0.25, blue by 0.5.
      (
        Normalization(mean: [10, 15, 20], divisors: [2, 0.25, 0.5], order: .bgr), [710, 800, 90]
      ),
      // 10 + 40 + 70 + 100, 20 + 50 + 80 + 110, 30 + 60 + 90 + 255
      (.bytes, [220, 260, 435]),
    ]
    for (normalization, planes) in cases {
      let sum = planes[0] + 100 * planes[1] + 10000 * planes[2]
      #expect(try output(network, normalization, instructionSet) == [sum, sum, sum, sum])
    }
  }

  /// Pooling reads blocks that are packed from a tensor.
  @Test(arguments: EngineTests.instructionSets)
  func otherLayersTakeNormalizedBytes(instructionSet: String) throws {
    let network = try Network(layers: ["Pooling p 1 1 data out 0=1 4=1"])
    #expect(try output(network, normalization, instructionSet) == [17.75, 10, 9])
  }

  /// A convolution with a border, computed by the engine from bytes and by the interpreter from a
  /// tensor.
  @Test(
    arguments: EngineTests.instructionSets,
    [
      Normalization(mean: [104, 117, 123], order: .bgr), Normalization(divisor: 255),
      Normalization(mean: [127.5, 127.5, 127.5], divisor: 128),
      Normalization(mean: [120, 114, 104], divisors: [70.5, 69, 73.5], order: .bgr),
    ])
  func agreesWithTheInterpreter(instructionSet: String, normalization: Normalization) throws {
    var random = SeededGenerator(seed: 11)
    let network = try Network(
      layers: ["Convolution c 1 1 data out 0=20 1=3 3=2 4=1 5=1 6=540"], random: &random)
    let (rows, columns) = (9, 14)
    let bytes = (0..<3 * rows * columns).map { _ in UInt8.random(in: 0...255, using: &random) }
    let tensor = try Tensor(picture: bytes, rows: rows, columns: columns, normalization)
    let plain = try Interpreter(network).run(["data": tensor], extracting: ["out"])["out"]
    let engine = try Engine(
      network, outputs: ["out"], normalization: normalization, instructionSet: instructionSet)
    let expected = try #require(plain).values
    let largest = expected.map(abs).max() ?? 0
    try engine.run(picture: bytes, rows: rows, columns: columns) { outputs in
      let found = try outputs.tensor("out").values
      // Sums of 28 numbers, in another order.
      #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 4e-6 * max(1, largest) })
    }.get()
  }
}
