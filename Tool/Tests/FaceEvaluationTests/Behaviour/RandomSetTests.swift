import FaceDecoding
import FaceEvaluation
import Foundation
import TestSupport
import Testing

/// Random faces and detections against the figures of pycocotools and of a NumPy version of WIDER
/// FACE's protocol; see Fixtures/make_fixtures.py.
struct RandomSetTests {
  private struct Fixture: Decodable {
    struct Picture: Decodable {
      var faces: [[Double]]
      var crowds: [Bool]
      var listed: [Int]
      var detections: [[Double]]
    }
    struct Size: Decodable {
      var faces: Int
      var voc: Double
      var coco: Double
    }
    struct WIDER: Decodable {
      var faces: Int
      var averagePrecision: Double
    }
    var pictures: [Picture]
    var sizes: [Size]
    var wider: [WIDER]

    static func all() throws -> [Fixture] {
      let file = SharedData.projectRoot
        .appending(path: "Tool/Tests/FaceEvaluationTests/Fixtures/random-sets.json")
      return try JSONDecoder().decode([Fixture].self, from: Data(contentsOf: file))
    }

    var examined: [ExaminedPicture] {
      pictures.enumerated().map { number, picture in
        ExaminedPicture(
          name: "\(number)",
          faces: zip(picture.faces, picture.crowds).map { box, isCrowd in
            GroundTruthFace(
              box: rectangle(box[0], box[1], box[2], box[3]),
              standing: isCrowd ? .crowd : .counted)
          },
          detections: picture.detections.map {
            detection(Float($0[4]), rectangle($0[0], $0[1], $0[2], $0[3]))
          })
      }
    }
  }

  /// The same definition in the same arithmetic: only rounding may differ.
  private let tolerance = 1e-9

  @Test func agreesWithPycocotools() throws {
    let sets = try Fixture.all()
    #expect(sets.count == 4)
    for set in sets {
      for (range, expected) in zip([.all] + SizeRange.classes, set.sizes) {
        let curve = PrecisionRecallCurve(set.examined, matching: FaceMatching(sizes: range))
        #expect(curve.faceCount == expected.faces)
        let voc: Double = try #require(curve.averagePrecision)
        let coco: Double = try #require(curve.cocoAveragePrecision)
        let difference = max(abs(voc - expected.voc), abs(coco - expected.coco))
        #expect(difference < tolerance)
      }
    }
  }

  /// A score of two decimals, rescaled to 0 to 1, may fall on different sides of a threshold as a
  /// `Float` and as a double; that moves a detection by one of 1,000 steps.
  @Test func agreesOnTheProtocolOfWIDERFACE() throws {
    for set in try Fixture.all() {
      let text = set.pictures.enumerated().map { number, picture in
        "\(number)\n\(picture.listed.map(String.init).joined(separator: " "))\n"
      }
      let subset = try WIDERSubset(Array(text.joined().utf8), name: "", source: "")
      for (list, expected) in zip([nil, subset], set.wider) {
        let result = WIDERProtocol(set.examined, subset: list)
        #expect(result.faceCount == expected.faces)
        let average: Double = try #require(result.averagePrecision)
        let difference = abs(average - expected.averagePrecision)
        #expect(difference < tolerance)
      }
    }
  }
}
