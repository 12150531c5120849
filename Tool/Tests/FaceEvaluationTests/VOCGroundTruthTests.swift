import FaceDecoding
import FaceEvaluation
import Testing

struct VOCGroundTruthTests {
  private func read(_ text: String) throws -> GroundTruthPicture {
    try VOCGroundTruth.read(Array(text.utf8), source: "a.xml", name: "a")
  }

  private func object(_ box: String, _ more: String = "") -> String {
    "<object><name>face</name>\(more)<bndbox>\(box)</bndbox></object>"
  }

  private let box = "<xmin>10</xmin><ymin>20.5</ymin><xmax>40</xmax><ymax>60</ymax>"

  @Test func readsObjects() throws {
    let part = "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part>"
    let picture = try read(
      """
      <annotation><filename>x.jpg</filename>
      <size><width>640</width><height>480</height><depth>3</depth></size>
      \(object(box, part))
      \(object(box, "<difficult>1</difficult>"))
      \(object(box, "<difficult>0</difficult>"))
      </annotation>
      """)
    #expect(picture.name == "a")
    #expect(picture.size == Size(width: 640, height: 480))
    #expect(picture.faces.map(\.box) == Array(repeating: rectangle(10, 20.5, 30, 39.5), count: 3))
    #expect(picture.faces.map(\.standing) == [.counted, .ignored, .counted])
    #expect(picture.faces.map(\.category) == Array(repeating: .init(name: "face"), count: 3))
  }

  @Test func theFirstElementOfAKindCounts() throws {
    let picture = try read(
      """
      <annotation><folder><![CDATA[a & b]]></folder>
      <size><width> 640
       </width><height>480</height></size><size><width>1</width></size>
      \(object(box + "<xmin>0</xmin>"))</annotation>
      """)
    #expect(picture.size == Size(width: 640, height: 480))
    #expect(picture.faces.map(\.box) == [rectangle(10, 20.5, 30, 39.5)])
  }

  @Test func aSizeOfZeroIsNone() throws {
    let picture = try read(
      "<annotation><size><width>0</width><height>0</height></size></annotation>")
    #expect(picture.size == nil)
    #expect(picture.faces.isEmpty)
  }

  @Test func refuses() {
    func found(_ text: String) -> String? { truthError { _ = try read(text) }?.found }
    func inside(_ text: String) -> String { "<annotation>\n\(text)</annotation>" }
    #expect(found("<labels></labels>") == "<labels>")
    #expect(found(inside("<object></object>")) == "an object without a whole box")
    #expect(found(inside(object("<xmin>1</xmin>"))) == "an object without a whole box")
    #expect(found(inside(object(box.replacing("40", with: "NaN")))) == "\"NaN\" in <xmax>")
    #expect(found(inside(object(box.replacing("40", with: "1e999")))) == "\"1e999\" in <xmax>")
    #expect(found(inside(object(box.replacing("40", with: "40\0junk")))) == "a zero byte")
    #expect(
      found(inside(object(box.replacing("40", with: "4<!-- 0 -->0"))))
        == "\"4<!-- 0 -->0\" in <xmax>")
    #expect(found(inside("<x:object/>")) == "the prefix x")
    #expect(
      found(inside(object(box.replacing("40", with: "9")))) == "a box from 10.0, 20.5 to 9.0, 60.0")
    #expect(
      truthError { _ = try read(inside(object(""))) }?.description
        == "a.xml:2: found an object without a whole box, "
        + "expected bndbox with xmin, ymin, xmax, ymax")
  }
}
