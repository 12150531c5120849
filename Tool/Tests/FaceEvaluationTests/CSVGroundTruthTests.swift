// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct CSVGroundTruthTests {
  private func read(
    _ text: String, _ faults: GroundTruthFaults = .init(isStrict: true)
  ) throws -> [GroundTruthPicture] {
    try CSVGroundTruth.read(Array(text.utf8), source: "r.csv", noting: faults)
  }

  private static let columns =
    "image,width_px,height_px,face,score,x_px,y_px,box_width_px,box_height_px"

  /// With quotes as RFC 4180 has them, and a control character as `detect` escapes it.
  @Test func readsResults() throws {
    let pictures = try read(
      """
      \(Self.columns),note\r
      "d/a ""1"", b.png",64,48,1,0.9,1,2,3,4,"x\r
      y"
      "d/a ""1"", b.png",64,48,2,0.4,5,6,7,8,
      \\u{3D}c.png,9,9,,,,,,,
      """)
    #expect(pictures.map(\.name) == ["d/a \"1\", b", "=c"] && pictures[1].faces.isEmpty)
    #expect(pictures[0].size == Size2D(width: 64, height: 48))
    #expect(pictures[0].faces.map(\.box) == [rectangle(1, 2, 3, 4), rectangle(5, 6, 7, 8)])
    #expect(pictures[0].faces.map(\.score) == [0.9, 0.4])
  }

  /// As TensorFlow's examples of detectors have it.
  @Test func readsCorners() throws {
    let pictures = try read(
      "filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,64,48,Face,1,2,4,6\n\nb.jpg,64,48,hat,1,2,4,6\n"
    )
    #expect(pictures.map(\.name) == ["a", "b"])
    #expect(pictures.map(\.faces[0].box) == [rectangle(1, 2, 3, 4), rectangle(1, 2, 3, 4)])
    #expect(pictures.map(\.faces[0].category?.name) == ["Face", "hat"])
  }

  @Test(arguments: [
    ("", "1: found other columns"), ("image,x,y,box_width,box_height\n", "1: found other columns"),
    ("\(columns)\na.png,1", "2: found 2 values"), ("\(columns)\n\"x", "2: found 1 values"),
    ("\(columns)\na.png,9,9,1,x,1,2,3,4", "2: found \"x\" as score"),
    ("\(columns)\na.png,9,9,1,1,1,2,-3,4", "2: found the box"),
    ("\(columns)\na.png,9,9,1,1,1,2,,4", "2: found \"\" as box_width_px"),
    ("\(columns)\n..,9,9,1,1,1,2,3,4", "2: found the name"),
    ("\(columns),n\na.png,9,9,1,1,1,2,3,4,\"\n\"\na.png", "4: found 1 values"),
    (columns + String(repeating: ",x", count: 248), "1: found more values"),
    (columns.replacing("x_px", with: "x_view_px"), "1: found other columns"),
  ])
  func refuses(text: String, error: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("r.csv:\(error)"))
  }

  @Test func leavesOutRows() throws {
    let faults = GroundTruthFaults()
    let rows = ["1,1,2,-3,4", "1,1,2,3,4", "1,1,2,3"].map { "a.png,9,9,1,\($0)" }
    let pictures = try read(([Self.columns] + rows).joined(separator: "\n"), faults)
    #expect(pictures.map(\.faces.count) == [1] && faults.leftOutCount == 2)
  }
}
