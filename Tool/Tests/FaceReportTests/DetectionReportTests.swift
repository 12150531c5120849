// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceFormatting

@testable import YOLOFaceReport

struct DetectionReportTests {
  @Test func alignsNumbersAndDropsTheSignOfZero() throws {
    let points = [(-0.01, 0), (10, 20.25), (30.55, 40), (-5, 60), (70, 1234)]
      .map { Point2D(x: $0.0, y: $0.1) }
    let face = Face(
      score: 0.9, box: Box(x: -0.0001, y: 2, width: 100, height: 50.123),
      landmarks: Landmarks(points))
    let report = DetectionReport(image: "a.png", width: 2, height: 1, faces: [face])
    #expect(
      report.text == """
        a.png: 2 × 1 pixels, 1 face
          score 0.900  box 0.0,2.0 100.0x50.1  right eye 0.0,0.0  left eye 10.0,20.3  \
        nose 30.6,40.0  right mouth -5.0,60.0  left mouth 70.0,1234.0
        """)
    // No face has these landmarks, and so no pose.
    for part in [#""x":0,"y":2"#, #""rightEye":[-0.01,0]"#, #""pose":null"#] {
      #expect(try report.json().contains(part))
    }
  }

  @Test func saysWhereThereAreNoLandmarks() throws {
    let face = Face(score: 0.5, box: Box(x: 1, y: 2, width: 3, height: 4))
    let report = DetectionReport(image: "a.png", width: 9, height: 8, faces: [face])
    #expect(report.text == "a.png: 9 × 8 pixels, 1 face\n  score 0.500  box 1.0,2.0 3.0x4.0")
    let json = try report.json()
    #expect(!json.contains("landmarks") && json.contains(#""pose":null"#))
    let row = "a.png,9,8,1,0.5,1.0,2.0,3.0,4.0" + String(repeating: ",", count: 16)
    #expect(report.rows == [row])
    #expect(EarlierEntry(Array(row.utf8)[...], in: .csv)?.face == 1)
    #expect(EarlierEntry(Array(json.utf8)[...], in: .json)?.name == Array("a.png".utf8))
  }

  @Test func printsTheAngles() throws {
    var face = Face(
      score: 0.9, box: Box(x: 60, y: 40, width: 180, height: 220),
      landmarks: Landmarks((100, 100), (200, 100), (150, 155), (108, 199), (192, 199)))
    let report = DetectionReport(image: "a.png", width: 300, height: 300, faces: [face])
    #expect(report.text.hasSuffix("  left mouth 192.0,199.0  roll 0.0 yaw 0.0 pitch 0.0"))
    #expect(try report.json().contains(#""pose":{"pitch":0,"roll":0,"yaw":0}"#))
    #expect(try !report.json().contains("upsideDown"))
    face.isMarkedUpsideDown = true
    let turned = DetectionReport(image: "a.png", width: 300, height: 300, faces: [face])
    #expect(
      turned.text.hasSuffix("  left mouth 192.0,199.0  upside down: landmarks not to be trusted"))
    #expect(try turned.json().contains(#""pose":null,"score":0.9,"upsideDown":true}"#))
  }
}
