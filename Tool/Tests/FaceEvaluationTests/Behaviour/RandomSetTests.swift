// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

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
    var pictures: [Picture]
    var sizes: [[String: Double]]
    var wider: [[String: Double]]

    static func all() throws -> [Fixture] {
      let file = SharedData.projectRoot
        .appending(path: "Tool/Tests/FaceEvaluationTests/Fixtures/random-sets.json")
      return try JSONDecoder().decode([Fixture].self, from: Data(contentsOf: file))
    }

    var examinedPictures: [ExaminedPicture] {
      pictures.enumerated().map { number, picture in
        examined(
          zip(picture.faces, picture.crowds).map { box, isCrowd in
            GroundTruthFace(
              box: rectangle(box[0], box[1], box[2], box[3]),
              standing: isCrowd ? .crowd : .counted)
          },
          picture.detections.map {
            Face(score: Float($0[4]), box: rectangle($0[0], $0[1], $0[2], $0[3]))
          }, name: "\(number)")
      }
    }
  }

  /// The same definition in the same arithmetic: only rounding may differ.
  private func isClose(_ a: Double?, _ b: Double?) -> Bool { abs((a ?? .nan) - (b ?? .nan)) < 1e-9 }

  @Test func agreesWithPycocotools() throws {
    let sets = try Fixture.all()
    #expect(sets.count == 4)
    for set in sets {
      for (range, expected) in zip([.all] + SizeRange.classes, set.sizes) {
        let curve = PrecisionRecallCurve(set.examinedPictures, matching: FaceMatching(sizes: range))
        #expect(Double(curve.faceCount) == expected["faces"])
        #expect(isClose(curve.averagePrecision, expected["voc"]))
        #expect(isClose(curve.cocoAveragePrecision, expected["coco"]))
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
        let result = WIDERProtocol(set.examinedPictures, subset: list)
        #expect(Double(result.faceCount) == expected["faces"])
        #expect(isClose(result.averagePrecision, expected["averagePrecision"]))
      }
    }
  }
}
