// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

@testable import YOLOFaceExplanation

struct ComparisonReportTests {
  private let picture: RGBImage
  private let fp32: FaceDetector
  private let int8: FaceDetector
  private var options = DetectionOptions()

  init() throws {
    picture = try Picture.read(path: SharedData.astronaut).resized(width: 128, height: 128)
    fp32 = try FaceDetector()
    int8 = try FaceDetector(precision: .int8)
    options.letterbox = .longSide(128)
    options.scoreThreshold = 0.3
  }

  private func comparison(
    of detector: FaceDetector, with other: FaceDetector
  ) throws -> ComparisonReport {
    try ComparisonReport(of: picture, input: picture, by: detector, and: other, options: options)
  }

  /// Early blobs: the engine's exponential may take a number across a half, to another step, and
  /// later layers amplify that.
  @Test func theErrorsAreTheInterpreters() throws {
    let comparison = try comparison(of: int8, with: fp32)
    #expect(comparison.model == "yoloface-n-0.5.param")
    #expect((comparison.precision, comparison.otherPrecision) == (.int8, .fp32))
    let layers = int8.engine.network.layers
    let (order, compared) = (
      layers.filter { $0.kind != "Split" }.flatMap(\.outputs), comparison.blobs.map(\.name)
    )
    #expect(compared == order.filter(compared.contains) && compared.count > 150)
    // A blob of floats, and one that is int8.
    let writer = try #require(layers.first { $0.quantization?.outputScale != nil })
    let scale = try #require(writer.quantization?.outputScale)
    let names = ["stem_c1", writer.outputs[0]]
    let (expected, found) = try (
      interpreted(picture, by: fp32, names), interpreted(picture, by: int8, names)
    )
    for (name, scale) in zip(names, [nil, scale]) {
      let blob = try #require(comparison.blobs.first { $0.name == name })
      let truth = try #require(expected[name]).values.map { Double($0) }
      let values = try #require(found[name]).values.map { Double($0) / Double(scale ?? 1) }
      let differences = zip(values, truth).map { abs($0 - $1) }
      let range = try #require(truth.max()) - #require(truth.min())
      #expect(abs(blob.range - range) < 1e-5 * range)
      #expect(abs(blob.mean - differences.reduce(0, +) / Double(truth.count)) < 0.01 * blob.mean)
      let tolerance = scale.map { 1.01 / Double($0) } ?? 1e-5 * range
      #expect(abs(blob.largest - (try #require(differences.max()))) < tolerance)
      #expect(blob.mean > 0 && blob.mean < 0.1 * range)
    }
    func step(_ name: String) -> Double? { comparison.blobs.first { $0.name == name }?.step }
    #expect(step(writer.outputs[0]) == 1 / Double(scale) && step("out_32") == nil)
    // Behind the Split, two layers read the blob.
    let split = try #require(layers.first { $0.kind == "Split" })
    let readers = layers.filter { !split.outputs.filter($0.inputs.contains).isEmpty }
    let largest = try #require(readers.compactMap(\.quantization?.inputScale).max())
    #expect(step(split.inputs[0]) == 1 / Double(largest))
  }

  @Test func bothFindTheFace() throws {
    let comparison = try comparison(of: int8, with: fp32)
    let face = try #require(comparison.faces.first)
    #expect(comparison.faces.count == 1)
    let own = try int8.detect(in: picture, options: options)[0]
    let other = try fp32.detect(in: picture, options: options)[0]
    #expect(face.box == [own.box.x, own.box.y, own.box.width, own.box.height])
    #expect(face.score == Double(own.score) && face.otherScore == Double(other.score))
    #expect(face.overlap == own.box.intersectionOverUnion(with: other.box))
  }

  @Test func aNetworkDoesNotDifferFromItself() throws {
    let comparison = try comparison(of: fp32, with: fp32)
    #expect(comparison.blobs.allSatisfy { $0.largest == 0 && $0.mean == 0 && $0.step == nil })
    #expect(comparison.faces.allSatisfy { $0.overlap == 1 && $0.score == $0.otherScore })
    let alone = try Explanation(of: picture, named: "a", by: fp32, options: options)
    #expect(alone.comparison == nil)
  }

  @Test func facesArePairedByOverlap() {
    func face(_ x: Double, _ score: Float) -> Face {
      Face(score: score, box: Box(x: x, y: 0, width: 10, height: 10))
    }
    let findings = ComparisonReport.findings(
      [face(0, 0.9), face(50, 0.8)], [face(56, 0.7), face(1, 0.6)])
    #expect(findings.map { $0.score.map { Float($0) } } == [0.9, 0.8, nil])
    #expect(findings.map { $0.otherScore.map { Float($0) } } == [0.6, nil, 0.7])
    #expect(findings.map(\.overlap) == [90 / 110.0, nil, nil])
    #expect(findings.map { $0.box[0] } == [0, 50, 56])
  }
}
