// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceReport

struct ReportFormatTests {
  /// A face with collinear landmarks, and so without a pose.
  private static let face = Face(
    score: 0.5, box: Box(x: -10, y: 20, width: 60, height: 40),
    landmarks: Landmarks((1, 1), (2, 2), (3, 3), (4, 4), (5, 5)))

  private func result(image: String = "d/a.png", faces: [Face] = [face]) -> PictureResult {
    PictureResult(
      report: DetectionReport(image: image, width: 200, height: 80, faces: faces), faces: faces,
      name: "a", identifier: 7, category: 3)
  }

  /// As RFC 4180 says, checked with Python's csv module: `list(csv.reader(io.StringIO(row)))`. A comma and a combining
  /// mark after it are a single `Character`.
  @Test(arguments: [
    ("a \"b\", c\n.png", "a \"\"b\"\", c\\u{A}.png"),
    ("a,\u{301}\"\u{FE0F}.png", "a,\u{301}\"\"\u{FE0F}.png"),
  ])
  func quotesFieldsThatNeedIt(image: String, field: String) throws {
    let row = try #require(try result(image: image).entries(in: .csv).first)
    #expect(row.hasPrefix("\"\(field)\",200,80,1,0.5,-10.0,20.0,60.0,40.0,1.0,1.0,"))
    #expect(row.hasSuffix(",5.0,5.0,,,,,,"))
  }

  @Test func namesItsColumns() {
    let columns = ReportFormat.csv.opening(in: ReportSpace())
    #expect(columns.hasPrefix("image,width_px,height_px,face,score,x_px,y_px,box_width_px,"))
    #expect(columns.split(separator: ",").count == 25)
  }

  /// No other positions can be taken for those in the picture's pixels.
  @Test(arguments: [
    (ReportSpace(.normalized), "x,y,box_width"),
    (ReportSpace(.normalizedFromBottomLeft), "x_from_bottom_left,y_from_bottom_left"),
    (ReportSpace(.pixelsFromBottomLeft), "x_px_from_bottom_left,y_px_from_bottom_left"),
    (ReportSpace(isView: true), "x_view_px,y_view_px"),
    (ReportSpace(.normalized, isView: true), "x_view,y_view,box_width_view"),
  ]) func columnsNameTheSpace(space: ReportSpace, names: String) {
    let columns = ReportFormat.csv.opening(in: space)
    #expect(columns.hasPrefix("image,width_px,height_px,face,score,\(names),"))
    #expect(columns.split(separator: ",").count == 25)
  }

  @Test func writesDataSetsFormats() throws {
    #expect(
      try result().entries(in: .coco) == [
        #"{"bbox":[-10,20,60,40],"category_id":3,"file_name":"d/a.png","image_id":7,"score":0.5}"#
      ])
    #expect(try result().entries(in: .wider) == ["a\n1\n-10.00 20.00 60.00 40.00 0.500000"])
    // x runs from -10 to 50, clipped to 0 to 50; the centre is 25 of 200.
    #expect(try result().entries(in: .yolo) == ["0 0.125000 0.500000 0.250000 0.500000 0.500000"])
    let voc = try result(image: "d/<a>.png").entries(in: .voc)[0]
    #expect(voc.contains("<folder>d</folder>\n  <filename>&lt;a&gt;.png</filename>\n"))
    #expect(
      voc.contains(
        "<score>0.500000</score>\n    <bndbox><xmin>-10.000</xmin><ymin>20.000</ymin><xmax>50.000</xmax>"
      ))
    #expect(try result(faces: []).entries(in: .wider) == ["a\n0"])
    #expect(try result(faces: []).entries(in: .coco) == [])
    #expect(try result(faces: []).entries(in: .yolo) == [])
    var turned = Self.face
    turned.isMarkedUpsideDown = true
    #expect(try result(faces: [turned]).entries(in: .csv)[0].hasSuffix(",5.0,5.0,,,,true,,"))
    let empty = try result(image: "a,b.png", faces: []).entries(in: .csv)
    #expect(empty == ["\"a,b.png\",200,80" + String(repeating: ",", count: 22)])
  }

  @Test(arguments: ReportFormat.allCases)
  func isOnThePage(format: ReportFormat) throws {
    let page = SharedData.projectRoot.appending(
      path: "Tool/Sources/FaceReport/FaceReport.docc/ManyPictures.md")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("\n| `\(format)`"))
  }

  @Test(arguments: [0, 1, 3], [ReportFormat.json, .coco])
  func arraysAreJSON(count: Int, format: ReportFormat) throws {
    var text = format.opening(in: ReportSpace())
    for number in 0..<count {
      text += format.text(of: try result().entries(in: format), areFirst: number == 0)
    }
    let array = try JSONSerialization.jsonObject(with: Data((text + format.closing).utf8))
    #expect((array as? [[String: Any]])?.count == count)
  }
}
