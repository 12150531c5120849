// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFace

/// What a family's published decoding makes of upstream ncnn's outputs; see
/// `Fixtures/make_families.py`.
private struct FamilyReference: Decodable {
  struct Picture: Decodable {
    struct Found: Decodable {
      var score: Float
      /// Left, top, right and bottom.
      var box: [Double]
      var landmarks: [[Double]]?
    }

    var image: String
    /// Columns and rows of the network's input.
    var inputSize: [Int]
    /// How many faces there are.
    var count: Int
    /// The best ones.
    var faces: [Found]
  }

  var family: String
  var scoreThreshold: Float
  var iouThreshold: Double
  var pictures: [Picture]

  static func read() throws -> [FamilyReference] {
    let text = try String(contentsOfFile: fixture("families.jsonl"), encoding: .utf8)
    return try text.split(separator: "\n").map {
      try JSONDecoder().decode(FamilyReference.self, from: Data($0.utf8))
    }
  }
}

/// Models of other families, which are recognised by their structure, on three photos.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct FamilyDetectionTests {
  private static let models = [
    "scrfd": "scrfd_500m_kps", "retinaface": "retinaface_mnet25", "ultraface": "ultraface_rfb_320",
    "yolov8": "yolov8_lite_t",
  ].mapValues { SharedData.path("models/more/\($0)") }.merging(
    // Of random weights; see `Fixtures/make_tiny_families.py` and `make_tiny_yolo.py`.
    ["centerface", "blazeface", "ssd", "yolo26", "yolov5"].map {
      ($0, fixture("tiny-\($0)"))
    }, uniquingKeysWith: { $1 }
  ).merging(publicModels, uniquingKeysWith: { $1 })

  /// Networks of other repositories, which are not part of every copy of the shared files.
  private static let publicModels = [
    "dbface": "dbface", "yolo3": "yoloface-500k", "silent": "silent_face_ssd",
  ].mapValues { SharedData.path("models/public/\($0)") }
    .filter { FileManager.default.fileExists(atPath: "\($0.value).bin") }

  /// The input's size is declared as 60 × 60; the authors' has an area of 192 × 192.
  @Test(.enabled(if: publicModels["silent"] != nil))
  func feedsPriorBoxesWhatSuitsThem() throws {
    let model = try #require(Self.publicModels["silent"])
    let detector = try FaceDetector(param: "\(model).param", bin: "\(model).bin")
    #expect(detector.recipe.family?.mean == [123, 117, 104])
    let image = try Picture.read(path: SharedData.path("images/zidane.png"))
    let letterbox = try detector.wholeLook(at: image, options: DetectionOptions()).letterbox
    #expect(letterbox.inputWidth == 256 && letterbox.inputHeight == 144)
    let reference = try #require(try FamilyReference.read().first { $0.family == "silent" })
    var options = DetectionOptions()
    options.resizeFilter = .bilinear
    let found = try detector.detect(in: image, options: options)
    #expect(found.count == reference.pictures[0].count)
    for face in reference.pictures[0].faces {
      let box = Box(
        corner: Point2D(x: face.box[0], y: face.box[1]),
        opposite: Point2D(x: face.box[2], y: face.box[3]))
      #expect(found.contains { $0.box.intersectionOverUnion(with: box) > 0.999 })
    }
    options.letterbox = .longSide(320)
    #expect(try detector.detect(in: image, options: options).count >= 2)
  }

  @Test(arguments: models.keys.sorted())
  func findsWhatThePublishedDecodingFinds(family: String) throws {
    let reference = try #require(try FamilyReference.read().first { $0.family == family })
    let model = try #require(Self.models[family])
    let detector = try FaceDetector(param: "\(model).param", bin: "\(model).bin")
    var options = DetectionOptions()
    options.resizeFilter = .bilinear
    options.scoreThreshold = reference.scoreThreshold
    options.overlapThreshold = reference.iouThreshold
    for picture in reference.pictures {
      options.letterbox = .exact(width: picture.inputSize[0], height: picture.inputSize[1])
      let faces = try detector.detect(
        in: try Picture.read(path: SharedData.path("images/\(picture.image)")), options: options)
      try #require(faces.count == picture.count)
      for (face, expected) in zip(faces, picture.faces) { expect(face, expected) }
    }
  }

  /// Summation order moves the network's outputs by 1e-5, which the largest anchors scale up.
  private func expect(_ face: Face, _ expected: FamilyReference.Picture.Found) {
    #expect(abs(face.score - expected.score) < 1e-4)
    let found = [face.box.minX, face.box.minY, face.box.maxX, face.box.maxY]
    #expect(zip(found, expected.box).allSatisfy { abs($0 - $1) < 0.05 })
    #expect((face.landmarks == nil) == (expected.landmarks == nil))
    guard let landmarks = face.landmarks, let points = expected.landmarks else { return }
    for (ours, theirs) in zip(landmarks.points, points) {
      #expect(isClose(ours, Point2D(x: theirs[0], y: theirs[1]), tolerance: 0.05))
    }
  }
}
