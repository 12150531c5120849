// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFaceDecoding
import YOLOFaceInference

@testable import YOLOFace
@testable import YOLOFaceNCNN

/// Models that are well-formed, but with hostile numbers.
struct HostileModelTests {
  private static let extremes: [Float] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 0,
  ]

  @Test(arguments: extremes)
  func anyWeightGivesFiniteFacesOrNone(value: Float) throws {
    try detect { _ in value }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func anyMixtureOfWeightsGivesFiniteFacesOrNone(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    // Only a few, so that they spread far before everything is NaN.
    try detect { weight in
      Int.random(in: 0..<2000, using: &random) == 0
        ? Self.extremes.randomElement(using: &random) ?? 0 : weight
    }
  }

  /// Detects with the default model after a change of each of its weights, which a file could not make: sums of smaller
  /// ones come to any number, too.
  private func detect(changing change: (Float) -> Float) throws {
    var network = try Network(param: "\(modelPath).param", bin: "\(modelPath).bin")
    for layer in network.layers.indices {
      for array in network.layers[layer].weights.indices {
        let weights = network.layers[layer].weights[array]
        let changed = weights.floats.map(change)
        network.layers[layer].weights[array] = WeightArray(.float32(changed))
      }
    }
    let recipe = try ModelRecipe.matching(network)
    let detector = FaceDetector(
      recipe: recipe, engine: try Engine(network, recipe: recipe, threads: 2))
    var picture = photo
    let options = DetectionOptions { ($0.letterbox, $0.scoreThreshold) = (.longSide(160), 0) }
    let faces = try detector.detect(in: picture, options: options)
    for face in faces {
      #expect(face.box.maxX.isFinite && face.box.maxY.isFinite)
      #expect(face.landmarks!.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
      #expect((0...1).contains(face.score))
    }
    picture.draw(faces)
  }

  @Test func keepsTheCallersLimits() {
    let sizes: [(String, WritableKeyPath<ModelLimits, Int>)] = [
      ("\(modelPath).param", \.parameterFileBytes), ("\(modelPath).bin", \.weightFileBytes),
    ]
    for (path, bytes) in sizes {
      var limits = ModelLimits()
      limits[keyPath: bytes] = 1000
      let error = #expect(throws: FileError.self) {
        try FaceDetector(param: "\(modelPath).param", bin: "\(modelPath).bin", limits: limits)
      }
      #expect(error?.path == path && error?.exceedsLimit == true)
    }
  }

  /// One head of stride 8 that is sure of a face in each of 288 × 288 cells, for all three anchors:
  /// a quarter of a million candidates; those of the smallest anchor do not even touch.
  @Test(.timeLimit(.minutes(60))) func aFaceInEveryCellTerminates() throws {
    let layers = [
      "Input data 0 1 data", "Convolution conv 1 1 data raw 0=48 1=8 3=8 5=1 6=9216",
      "Reshape reshape 1 1 raw shaped 0=-1 1=16 2=3", "Permute permute 1 1 shaped out 0=1",
    ]
    // The tag and the weights, then the biases: 10 for objectness and class.
    var weights = [Float](repeating: 0, count: 1 + 9216 + 48)
    for anchor in 0..<3 {
      for index in [YOLO5FaceHead.objectnessIndex, YOLO5FaceHead.classIndex] {
        weights[1 + 9216 + 16 * anchor + index] = 10
      }
    }
    try withTemporaryFolder { folder in
      let (param, bin) = try writeModel(layers, weights: weights, in: folder)
      let recipe = ModelRecipe.yolo5Face(input: "data", outputs: ["out"])
      let detector = try FaceDetector(param: param, bin: bin, recipe: recipe)
      let picture = RGBImage(width: 2304, height: 2304)
      #expect(try detector.candidates(in: picture).count == 3 * 288 * 288)
      var options = DetectionOptions { $0.letterbox = .longSide(2304) }
      #expect(try detector.detect(in: picture, options: options).count == 30_000)
      options.maximumCandidates = 1000
      #expect(try detector.detect(in: picture, options: options).count == 1000)
    }
  }
}
