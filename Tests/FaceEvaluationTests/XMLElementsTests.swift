import Testing

@testable import FaceEvaluation

struct XMLElementsTests {
  private func read(_ text: String) throws -> [String] {
    var elements = XMLElements(Array(text.utf8), source: "a.xml")
    var result: [String] = []
    while let element = try elements.next() {
      result.append("\(element.line) \(element.path)=\(element.text)")
    }
    return result
  }

  @Test func readsElementsAtTheirEnds() throws {
    let text = """
      \u{FEFF}<?xml version="1.0"?>
      <!-- > < -->
      <a kind="x > y" other='/>'>
        <b> 1 2 </b><b/>
        <c d="e"
          /><d.e-f_0>3<!-- 4 -->5</d.e-f_0 >
      </a>

      """
    #expect(try read(text) == ["4 a/b=1 2", "4 a/b=", "6 a/c=", "6 a/d.e-f_0=35", "7 a="])
  }

  @Test(arguments: [
    ("", 1, "the end of the file"),
    ("words", 1, "text"),
    ("<a>\n<b>\n</a>", 3, "</a>"),
    ("<a>\n", 2, "the end of the file"),
    ("<a\n", 1, "the end of the file"),
    ("<a b=\"></a>", 1, "the end of the file"),
    ("<a></a>\n<b></b>", 2, "<b> after the root's end"),
    ("</a>", 1, "</a>"),
    ("<a></a", 1, "no >"),
    ("<>", 1, "no name"),
    ("<", 1, "no name"),
    ("<a><", 1, "no name"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", 1, "a declaration"),
    ("<a><![CDATA[x]]></a>", 1, "a declaration"),
    ("<a><!-- ", 1, "the end of the file"),
  ])
  func refuses(text: String, line: Int, found: String) {
    let error = truthError { _ = try read(text) }
    #expect(error?.position == .line(line))
    #expect(error?.found == found)
  }

  @Test func refusesUnclosedMarkup() {
    let deep = truthError { _ = try read(String(repeating: "<a>", count: 100_000)) }
    #expect(deep?.found == "elements nested deeper")
    let long = truthError { _ = try read("<" + String(repeating: "a", count: 100_000)) }
    #expect(long?.found == "the end of the file")
  }
}
