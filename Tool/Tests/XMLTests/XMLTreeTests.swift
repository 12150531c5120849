// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceXML

struct XMLTreeTests {
  /// Each element's line, the names down to it, and what is between its tags.
  private func read(_ text: String) throws -> [String] {
    let tree = try XMLTree(Array(text.utf8))
    return tree.elements.map { element in
      let ancestors = sequence(first: element) { $0.parent.map { tree.elements[$0] } }
      let path = ancestors.map(\.written.description).reversed().joined(separator: "/")
      let content = String(decoding: tree.bytes[element.content], as: UTF8.self)
      return "\(tree.line(of: element)) \(path)=\(content)"
    }
  }

  @Test func readsElements() throws {
    let text = """
      \u{FEFF}<?xml version="1.0"?>
      <!--> < --><a kind="x > y" other='/>'><b> 1 2 </b><b/><c d="e"
        /><d.e-f_0>3<!-- 4 --><![CDATA[</a>]]></d.e-f_0 >
      </a>

      """
    #expect(
      try read(text).dropFirst() == [
        "2 a/b= 1 2 ", "2 a/b=", "2 a/c=", "3 a/d.e-f_0=3<!-- 4 --><![CDATA[</a>]]>",
      ])
  }

  @Test func namesAreInTheirNamespaces() throws {
    let text = "<a xmlns='urn:a' xmlns:b='urn:b' c='1' b:c='2'><b:d xmlns:b='urn:e'/><b:d/></a>"
    let tree = try XMLTree(Array(text.utf8))
    #expect(tree.elements.map(\.name.space.description) == ["urn:a", "urn:e", "urn:b"])
    #expect(tree.elements.map(\.name.name.description) == ["a", "d", "d"])
    #expect(tree.elements[0].attributes.map(\.name.space.description) == ["", "urn:b"])
    #expect(tree.children(of: 0) == [1, 2] && tree.children(of: 1).isEmpty)
  }

  /// However deep, what an element declares ends with it.
  @Test func prefixesEndWithTheirElements() throws {
    let text = "<a xmlns:b='1'><c xmlns:b='2'><b:d/><e xmlns:b='3'/></c><b:f xml:g=''/></a>"
    let tree = try XMLTree(Array(text.utf8))
    #expect(tree.elements.map(\.name.space.description) == ["", "", "2", "", "1"])
    #expect(tree.elements[4].attributes.map(\.name.space.description) == ["xml"])
  }

  @Test func textIsThatOutsideChildren() throws {
    let tree = try XMLTree(Array("<a> 1<b>2<c/></b>3<!-- 4 --><d/></a>".utf8))
    let texts = tree.elements.indices.map { String(decoding: tree.text(of: $0), as: UTF8.self) }
    #expect(texts == [" 13<!-- 4 -->", "2", "", ""])
  }

  /// What is compared for each element is short: a file of 1 MB has room for 200,000 of them.
  private static let (longest, longer) = (
    String(repeating: "a", count: 256), String(repeating: "é", count: 129)
  )

  @Test(arguments: [
    ("", 1, "the end of the file"), ("words", 1, "text"), ("<a>\n<b>\n</a>", 3, "</a>"),
    ("<a>\n", 2, "the end of the file"), ("<a\n", 2, "no >"),
    ("<a b=\">", 1, "the end of the file"), ("<a></a>\n<b></b>", 2, "<b> after the root's end"),
    ("<a/>\nb", 2, "text"), ("</a>", 1, "</a>"), ("<a></a", 1, "no >"), ("<>", 1, "no name"),
    ("<", 1, "no name"), ("<a><", 1, "no name"), ("<a b>", 1, "no ="), ("<a b=c>", 1, "no quote"),
    ("<a b='<'>", 1, "<"), ("<b:a/>", 1, "the prefix b"),
    ("<a><b xmlns:c='1'/><c:d/></a>", 1, "the prefix c"), ("<a>\n\0</a>", 2, "a zero byte"),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", 1, "a document type"),
    ("<a><![CDATA[</a>", 1, "the end of the file"), ("<a><!-- ", 1, "the end of the file"),
    ("<a><!--></a>", 1, "the end of the file"),
    ("<\(longer)/>", 1, "a name of 258 bytes"), ("<a \(longer)=''/>", 1, "a name of 258 bytes"),
    ("<a xmlns='\(longer)'/>", 1, "a namespace of 258 bytes"),
    ("<a xmlns:b='\(longer)'/>", 1, "a namespace of 258 bytes"),
    (String(repeating: "<a>", count: 100_000), 1, "elements nested deeper"),
  ])
  func refuses(text: String, line: Int, found: String) {
    let error = #expect(throws: XMLError.self) { _ = try read(text) }
    #expect(error?.line == line && error?.found == found)
  }

  @Test func namesAndNamespacesMayHave256Bytes() throws {
    #expect(try read("<\(Self.longest) xmlns='\(Self.longest)' \(Self.longest)=''/>").count == 1)
  }
}
