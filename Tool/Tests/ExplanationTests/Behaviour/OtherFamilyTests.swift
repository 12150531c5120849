// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceNCNN

@testable import YOLOFaceExplanation

/// A family that the library does not know: two blobs, boxes without landmarks, BGR with means, no
/// anchors, no gate. Its head and its recipe are all that it takes.
@Suite struct OtherFamilyTests {
  /// Scores 1 × H × W and distances 4 × H × W from a cell's centre to the box's sides, in strides.
  private static let head = FaceHead(
    blobs: ["score", "sides"], stride: 32, anchors: [Size2D(width: 32, height: 32)],
    scoring: "the score itself",
    shapes: { [[1, $0.rows, $0.columns], [4, $0.rows, $0.columns]] }
  ) { values, grid, threshold, body in
    for index in 0..<grid.count where values[0][index] >= threshold.score {
      let (row, column) = index.quotientAndRemainder(dividingBy: grid.columns)
      let sides = (0..<4).map { 32 * Double(values[1][$0 * grid.count + index]) }
      let (x, y) = (32 * (Double(column) + 0.5), 32 * (Double(row) + 0.5))
      let box = Box(
        corner: Point2D(x: x - sides[0], y: y - sides[1]),
        opposite: Point2D(x: x + sides[2], y: y + sides[3]))
      let face = Face(score: values[0][index], box: box)
      body(Candidate(face: face, anchor: 0, row: row, column: column))
    }
  }

  /// The score of a cell of 32 × 32 pixels is σ(its mean blue − its mean red, after normalisation); its
  /// box reaches 0.5, 1, 1.5 and 2 cells to the left, the top, the right and the bottom.
  private static let layers = [
    "Input data 0 1 image", "Pooling pool 1 1 image pooled 0=1 1=32 2=32",
    "Split split 1 2 pooled pooled_a pooled_b",
    "Convolution score 1 1 pooled_a score 0=1 1=1 5=1 6=3 9=4",
    "Convolution distances 1 1 pooled_b distances 0=4 1=1 5=1 6=12", "Noop end 1 1 distances sides",
  ]

  private let detector: FaceDetector

  init() throws {
    let recipe = ModelRecipe(
      input: "image",
      normalization: Normalization(mean: [100, 110, 120], divisor: 16, order: .bgr),
      letterbox: Letterbox.Style(fill: 0, granularity: 64), heads: [Self.head])
    // A tag and three weights, then the bias; a tag and twelve zeros, then four biases.
    let weights: [Float] = [0, 1, 0, -1, 0, 0] + Array(repeating: 0, count: 12) + [0.5, 1, 1.5, 2]
    let folder = try TemporaryFolder()
    let (param, bin) = try writeModel(Self.layers, weights: weights, in: folder.url)
    detector = try FaceDetector(param: param, bin: bin, recipe: recipe)
  }

  /// 128 × 64 pixels of which one cell, the second of the upper row, is blue.
  let picture: RGBImage = {
    var picture = RGBImage(width: 128, height: 64, fill: RGBColor(red: 116, green: 110, blue: 120))
    let blue = RGBImage(width: 32, height: 32, fill: RGBColor(red: 100, green: 7, blue: 168))
    picture.draw(blue, atX: 32, y: 0)
    return picture
  }()

  /// The picture is as large as the network's input.
  let options: DetectionOptions = {
    var options = DetectionOptions()
    options.letterbox = .longSide(128)
    return options
  }()

  @Test func detectFindsItsFaces() throws {
    let faces = try detector.detect(in: picture, options: options)
    // Blue: (168 − 120) / 16 = 3, red: (100 − 100) / 16 = 0: σ(3). Elsewhere σ(0 − 1).
    let face = try #require(faces.first)
    #expect(faces.count == 1)
    #expect(abs(face.score - 0.952_574) < 1e-5)
    // The cell's centre is (48, 16).
    #expect(face.box == Box(x: 32, y: -16, width: 64, height: 96))
    #expect(face.landmarks == nil)
    var checked = options
    checked.effort = .checked
    #expect(try detector.detect(in: picture, options: checked) == faces)
  }

  @Test func itIsNotTakenForAKnownFamily() {
    #expect(throws: FaceDetectorError.self) { try ModelRecipe.matching(detector.engine.network) }
  }

  @Test func explainShowsItsHead() throws {
    let explanation = try Explanation(of: picture, named: "", by: detector, options: options)
    let head = try #require(explanation.heads.first)
    #expect(head.blobs == ["score", "sides"] && (head.rows, head.columns) == (2, 4))
    #expect(head.quantities.map(\.name) == ["score"])
    let scores = floats(head.quantities[0].values)
    #expect(abs(scores[1] - 0.952_574) < 1e-5 && abs(scores[0] - 0.268_941) < 1e-5)
    #expect(explanation.candidates.total == 8)
    #expect(explanation.letterbox.fill == 0 && explanation.letterbox.granularity == 64)
    _ = try explanation.page()
  }

  /// YOLOv5 with the decoding of 160 × 160 inside, which cannot work on another size.
  @Test func explainLeavesOutWhatDetectDoesNotRun() throws {
    let model = SharedData.projectRoot.appending(path: "Tests/YOLOFaceTests/Fixtures/tiny-yolov5")
    let detector = try FaceDetector(param: "\(model.path).param", bin: "\(model.path).bin")
    var options = DetectionOptions()
    options.letterbox = .exact(width: 128, height: 64)
    let explanation = try Explanation(
      of: picture, named: "", by: detector, options: options, isLive: true)
    let shown = explanation.network
    #expect(explanation.live != nil && shown.layers.allSatisfy { $0.kind != "Reshape" })
    #expect(shown.blobs.contains { $0.shape == [18, 8, 16] })
    #expect(shown.blobs.allSatisfy { !$0.shape.isEmpty })
    options.letterbox = .exact(width: 160, height: 160)
    let whole = try Explanation(of: picture, named: "", by: detector, options: options).network
    #expect(whole.layers.count == detector.engine.network.layers.count)
  }
}
