// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceEvaluation

struct GroundTruthSenseTests {
  private let size = Size2D(width: 200, height: 100)

  private func picture(
    _ boxes: [Box], _ form: GroundTruthPicture.BoxForm = .cornerAndSize
  ) -> (GroundTruthPicture, Size2D) {
    var picture = GroundTruthPicture(name: "a", faces: boxes.map { GroundTruthFace(box: $0) })
    picture.boxForm = form
    return (picture, size)
  }

  /// Rows that come again, and boxes most of which is outside; those that reach over an edge stay as they are.
  @Test func leavesOutWhatIsNoFace() throws {
    let boxes = [
      rectangle(1, 2, 3, 4), rectangle(1, 2, 3, 4), rectangle(150, 50, 80, 40),
      rectangle(1, 2, 3, 4),
      rectangle(150, 50, 110, 40), rectangle(-9, -9, 10, 10), rectangle(300, 0, 0, 0),
    ]
    let faults = GroundTruthFaults()
    let faces = try sensibleFaces(of: [picture(boxes)], noting: faults)[0]
    #expect(faces.map(\.box) == [boxes[0], boxes[2], boxes[6]])
    #expect(faults.corrections == [.repeated: 2] && faults.leftOutCount == 2)
    #expect(faults.lines[0] == "2 repeated faces left out, 2 entries left out")
    let strict = GroundTruthFaults(isStrict: true)
    let all = try sensibleFaces(of: [picture(boxes)], noting: strict)[0]
    #expect(all.map(\.box) == boxes && strict.lines == [])
  }

  /// Two corners in place of a corner, or a centre, and a size: that all boxes fit as corners is not enough.
  @Test(arguments: [GroundTruthPicture.BoxForm.cornerAndSize, .centerAndSize])
  func findsCorners(form: GroundTruthPicture.BoxForm) throws {
    func read(_ rows: [[Double]]) throws -> (boxes: [Box], faults: GroundTruthFaults) {
      let boxes = rows.map { row in
        form == .cornerAndSize
          ? rectangle(row[0], row[1], row[2], row[3])
          : Box(
            center: Point2D(x: row[0], y: row[1]), size: Size2D(width: row[2], height: row[3]))
      }
      let faults = GroundTruthFaults()
      let faces = try sensibleFaces(of: [picture([]), picture(boxes, form)], noting: faults)
      return (faces[1].map(\.box), faults)
    }
    let corners = try read([[10, 10, 30, 40], [120, 40, 180, 90]])
    #expect(corners.boxes == [rectangle(10, 10, 20, 30), rectangle(120, 40, 60, 50)])
    #expect(corners.faults.lines == ["2 boxes read as two corners"])
    // None reaches beyond, one is no corner, and one would reach beyond as that, too.
    for rows in [
      [[40, 30, 60, 40], [50, 30, 70, 40]], [[120, 40, 180, 90], [120, 40, 20, 90]],
      [[120, 40, 230, 90]],
    ] as [[[Double]]] {
      #expect(try read(rows).faults.corrections == [:])
    }
  }

  /// As a viewer turns the picture: the top left of what is stored is the top right of it.
  @Test func turnsStoredPictures() throws {
    var stored = GroundTruthPicture(
      name: "a", isNormalized: true, faces: [GroundTruthFace(box: rectangle(0, 0, 0.25, 0.5))])
    stored.isOfStoredPicture = true
    let upright = try stored.turnedUpright(from: .right, to: Size2D(width: 100, height: 200))
    #expect(upright.faces.map(\.box) == [rectangle(50, 0, 50, 50)])
    #expect(!upright.isNormalized && upright.size == Size2D(width: 100, height: 200))
  }
}
