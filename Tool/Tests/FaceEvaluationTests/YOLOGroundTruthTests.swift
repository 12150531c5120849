// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct YOLOGroundTruthTests {
  private func read(_ text: String) throws -> GroundTruthPicture {
    try YOLOGroundTruth.read(Array(text.utf8), source: "a.txt", name: "a")
  }

  @Test func readsCentersAndSizes() throws {
    let picture = try read("0 0.5 0.25 0.5 0.25\n1 0.75 0.75 0.25 0.5\n")
    #expect(picture.name == "a" && picture.isNormalized)
    #expect(
      picture.faces.map(\.box) == [
        rectangle(0.25, 0.125, 0.5, 0.25), rectangle(0.625, 0.5, 0.25, 0.5),
      ])
    #expect(try read("").faces.isEmpty)
  }

  @Test(arguments: [
    ("0 0.5 0.5 0.5\n", 1), ("0 0.5 0.5 0.5 0.5\n0 1 2 3 4 5 6\n", 2), ("0 320 240 50 60\n", 1),
    ("0 0.5 0.5 -0.001 0.5", 1), ("0 0.5 0.5 nan 0.5", 1), ("face 0.5 0.5 0.5 0.5", 1),
    ("0.5 0.5 0.5 0.5 0.5", 1),
    ("0 0.5 0.5 1e-400 inf", 1),
  ])
  func refuses(text: String, line: Int) {
    #expect(refusal { _ = try read(text) }.hasPrefix("a.txt:\(line): found"))
  }

  @Test func namesClasses() throws {
    let rows = (0...2).map { "\($0) 0.5 0.5 0.5 0.5" }.joined(separator: "\r")
    let faces = try YOLOGroundTruth.read(
      Array(rows.utf8), source: "a.txt", name: "a", classes: [0: "person", 1: "face"]
    ).faces
    #expect(faces.map(\.category?.name) == ["person", "face", "2"])
    #expect(faces.map(\.category?.number) == [0, 1, 2])
  }

  private static let points = "0.4 0.41 0.6 0.42 0.5 0.5 0.43 0.6 0.57 0.61"
  private static let visible = "0.4 0.41 2 0.6 0.42 2 0.5 0.5 1 0.43 0.6 2 0.57 0.61 2"

  /// As yolov5-face writes points, as YOLO's pose form does, and as detections are saved: what follows a box, whether
  /// the points are known, and whether the face counts.
  @Test(arguments: [
    (points, true, true), (points.replacing("0.5 0.5", with: "-1 -1"), false, true),
    (visible, true, true), (visible.replacing("0.5 1", with: "0.5 0"), false, true),
    ("0.51", false, true), ("0.49", false, false), ("\(points) 0.49", true, false),
    ("\(visible) 0.51", true, true),
  ])
  func readsPointsAndScores(more: String, isKnown: Bool, counts: Bool) throws {
    let landmarks = Landmarks((0.4, 0.41), (0.6, 0.42), (0.5, 0.5), (0.43, 0.6), (0.57, 0.61))
    let face = try read("0 0.5 0.5 0.5 0.5 " + more).faces[0]
    #expect(face.box == rectangle(0.25, 0.25, 0.5, 0.5))
    #expect(face.landmarks == (isKnown ? landmarks : nil))
    #expect(face.standing == (counts ? .counted : .ignored))
  }

  /// Rows as segmentation and turned boxes have them, and their faces' box.
  @Test(arguments: [3, 4, 7, 8, 9, 10, 19, 25, 70], [false, true])
  func polygonsBecomeBoxes(points: Int, hasScore: Bool) throws {
    let angles = (0..<points).map { 2 * Double.pi * Double($0) / Double(points) }
    let (x, y) = (angles.map { 0.4 + 0.1 * cos($0) }, angles.map { 0.3 + 0.2 * sin($0) })
    let row = zip(x, y).map { "\($0) \($1)" }.joined(separator: " ") + (hasScore ? " 0.9" : "")
    let faults = GroundTruthFaults()
    let face = try lenient("1 \(row)", faults).faces[0]
    #expect(abs(face.box.minX - x.min()!) < 1e-9 && abs(face.box.maxY - y.max()!) < 1e-9)
    #expect(face.landmarks == nil && face.score == (hasScore ? 0.9 : nil))
    #expect(faults.corrections == [.polygon: 1])
  }

  /// Small and large, frontal and in profile, whole and with unknown points.
  @Test(arguments: [
    "0.5 0.5 0.1 0.12 0.48 0.48 0.52 0.48 0.5 0.5 0.48 0.53 0.52 0.53",
    "0.5 0.5 0.8 0.9 0.35 0.4 0.66 0.41 0.5 0.6 0.36 0.75 0.65 0.76",
    "0.2 0.7 0.1 0.12 0.171 0.68 0.172 0.67 0.15 0.71 0.17 0.73 0.171 0.74",
    "0.5 0.5 0.8 0.9 0.35 0.4 -1 -1 -1 -1 -1 -1 -1 -1",
    "0.5 0.5 0.1 0.12 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
    "0.5 0.5 0.8 0.9 0.35 0.4 2 0.66 0.41 2 0.5 0.6 1 0.36 0.75 2 0.65 0.76 2",
    "0.5 0.5 0.8 0.9 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
  ])
  func rowsWithPointsKeepTheirBox(row: String) throws {
    let faults = GroundTruthFaults()
    let numbers = row.split(separator: " ").compactMap { Double($0) }
    let box = try lenient("0 \(row)", faults).faces[0].box
    #expect(abs(box.center.x - numbers[0]) < 1e-9 && abs(box.width - numbers[2]) < 1e-9)
    #expect(faults.lines == [])
  }

  /// As people in 17 points and faces in 68 are written, with visibility and a score or without.
  @Test(arguments: [17, 68, 98, 106], [false, true])
  func otherPointsLeaveTheBox(points: Int, areVisible: Bool) throws {
    let rows = (0..<points).map { index in
      let angle = 2.4 * Double(index)
      return "\(0.5 + 0.1 * cos(angle)) \(0.4 + 0.15 * sin(angle))" + (areVisible ? " 2" : "")
    }
    for score in ["", " 0.9"] {
      let faults = GroundTruthFaults()
      let row = "0 0.5 0.4 0.25 0.35 " + rows.joined(separator: " ") + score
      let face = try lenient(row, faults).faces[0]
      #expect(abs(face.box.width - 0.25) < 1e-9 && abs(face.box.height - 0.35) < 1e-9)
      #expect(face.landmarks == nil && faults.lines == [])
    }
  }

  private func lenient(_ text: String, _ faults: GroundTruthFaults) throws -> GroundTruthPicture {
    try YOLOGroundTruth.read(Array(text.utf8), source: "a.txt", name: "a", noting: faults)
  }

  /// As people and tools write rows, the box of the first, and what is said of them.
  @Test(arguments: [
    ("# class x y w h\n0 0.5 0.5 0.5 0.25", 1, ""), ("0, 0.5, 0.5, 0.5, 0.25", 1, ""),
    ("0,0.5,0.5,0.5,0.25", 1, ""), ("0 0,5 0,5 0,5 0,25", 1, ""), ("face 0.5 0.5 0.5 0.25", 1, ""),
    ("face\t0.5 0.5 0.5 0.25\n0 nan nan nan nan", 1, "1 entry left out"),
    ("0 320 240 40 20", 80, "1 box read in pixels"),
    ("0 320 240 40 20\n0 0.5 0.5 0.5 0.25", 0.5, "1 entry left out"),
    ("0 1.5 1.5 0.5 0.25", 0, "1 entry left out"),
  ])
  func readsOtherRows(text: String, width: Double, message: String) throws {
    let faults = GroundTruthFaults()
    let picture = try lenient(text, faults)
    #expect(picture.faces.count == (width > 0 ? 1 : 0))
    if let box = picture.faces.first?.box { #expect(box.width == 2 * box.height) }
    #expect(picture.isNormalized == (width < 2))
    #expect((faults.lines.first ?? "") == message)
  }
}
