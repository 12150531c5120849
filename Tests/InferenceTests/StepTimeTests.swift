// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceKernels

@_spi(Tool) @testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Multiply-adds and bytes of steps, counted by hand. All blobs have 16 channels, which are whole
/// blocks in every instruction set.
struct StepTimeTests {
  /// The unfused steps, by name.
  private func steps(
    _ layers: [String], input: [Int], instructionSet: String
  ) throws -> [String: StepTime] {
    var random = SeededGenerator(seed: 1)
    let engine = try Engine(
      try Network(layers: layers, random: &random), instructionSet: instructionSet)
    let times = try engine.runLayers(["data": Tensor(input)], repetitions: 1) { _, _ in }
    return Dictionary(uniqueKeysWithValues: times.map { ($0.name, $0) })
  }

  @Test(arguments: EngineTests.instructionSets)
  func countsEachElementOnce(instructionSet: String) throws {
    let steps = try steps(
      [
        "Convolution whole 1 1 data a 0=16 1=5 4=2 5=1 6=6400",
        "ConvolutionDepthWise deep 1 1 a b 0=16 1=3 4=1 5=1 6=144 7=16",
        "Pooling most 1 1 b c 0=0 1=2 2=2", "ReLU rectified 1 1 c d",
        "BinaryOp sum 2 1 c d e 0=0", "Softmax last 1 1 e out 0=0 1=1",
      ], input: [16, 10, 12], instructionSet: instructionSet)
    // 16 · 10 · 12 elements before the pooling, 16 · 5 · 6 after it; four bytes each.
    let (large, small) = (1920, 480)
    let expected: [(name: String, shape: String, multiplyAdds: Int, elements: Int)] = [
      ("pack data", "16x10x12", 0, 2 * large),
      // 25 taps and 16 inputs to each of 16 outputs, at 120 pixels; 16 biases.
      ("whole", "16x10x12", 768_000, 2 * large + 6400 + 16),
      ("deep", "16x10x12", 17_280, 2 * large + 144 + 16),
      ("most", "16x5x6", 0, large + small), ("rectified", "16x5x6", 0, 2 * small),
      ("sum", "16x5x6", 0, 3 * small), ("unpack e", "16x5x6", 0, 2 * small),
      ("last", "16x5x6", 0, 2 * small),
    ]
    for (name, shape, multiplyAdds, elements) in expected {
      let step = try #require(steps[name], "\(name)")
      #expect(step.shape == shape, "\(name)")
      #expect(step.multiplyAdds == multiplyAdds, "\(name)")
      #expect(step.bytes == 4 * elements, "\(name)")
    }
  }

  /// The nine weights of each pair of channels become 36 numbers.
  @Test(arguments: EngineTests.instructionSets)
  func countsTransformedWeights(instructionSet: String) throws {
    let steps = try steps(
      ["Convolution tiled 1 1 data out 0=16 1=3 4=1 5=1 6=2304"], input: [16, 40, 48],
      instructionSet: instructionSet)
    let elements = 16 * 40 * 48
    let tiled = try #require(steps["tiled"])
    #expect(tiled.kind == "Winograd 3x3")
    #expect(tiled.multiplyAdds == 40 * 48 * 2304)
    #expect(tiled.bytes == 4 * (2 * elements + 36 * 256 + 16))
  }

  /// The steps of a plan for `out`, which is fused.
  private func profiles(
    _ layers: [String], input: [Int], _ normalization: Normalization? = nil, instructionSet: String
  ) throws -> [StepTime] {
    var random = SeededGenerator(seed: 1)
    let network = try Network(layers: layers, random: &random)
    return try Engine(network, instructionSet: instructionSet).plan(
      PlanRequest(shapes: ["data": input], outputs: ["out"], normalization: normalization)
    ).steps.map(\.profile)
  }

  /// The picture's bytes, the result, 27 weights of each of 16 channels and their biases.
  @Test(arguments: EngineTests.instructionSets)
  func countsBytesOfAPicture(instructionSet: String) throws {
    let steps = try profiles(
      ["Convolution first 1 1 data out 0=16 1=3 3=2 4=1 5=1 6=432"], input: [3, 8, 12], .bytes,
      instructionSet: instructionSet)
    #expect(steps.map(\.multiplyAdds) == [4 * 6 * 432])
    #expect(steps.map(\.bytes) == [3 * 8 * 12 + 4 * (16 * 4 * 6 + 432 + 16)])
  }

  /// What a fused depthwise convolution passes on is not moved.
  @Test(arguments: EngineTests.instructionSets)
  func fusionMovesLess(instructionSet: String) throws {
    let steps = try profiles(
      [
        "ConvolutionDepthWise deep 1 1 data a 0=16 1=3 4=1 5=1 6=144 7=16",
        "Convolution point 1 1 a out 0=32 1=1 5=1 6=512",
      ], input: [16, 10, 12], instructionSet: instructionSet)
    let step = try #require(steps.first { $0.name == "point" })
    #expect(step.layers == ["deep", "point"])
    #expect(step.multiplyAdds == 120 * (144 + 512))
    #expect(step.bytes == 4 * (120 * (16 + 32) + 144 + 16 + 512 + 32))
  }
}
