// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFace
import YOLOFaceXML

@testable import YOLOFaceTool

/// An element of a drawing: its attributes, and what is between its tags.
struct SVGElement {
  var name: Substring
  var attributes: [Substring: Substring] = [:]
  var content: Substring

  subscript(_ attribute: Substring) -> Double {
    attributes[attribute].flatMap { Double($0) } ?? .nan
  }

  var hint: String { content.firstMatch(of: /<title>(.*?)<\/title>/).map { String($0.1) } ?? "" }

  /// The points of a line.
  var points: [Point2D] {
    (attributes["points"] ?? "").split(separator: " ").map { pair in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return Point2D(x: numbers[0], y: numbers[1])
    }
  }
}

extension SVG {
  /// The elements of a name, in the order in which they are drawn, without the ground.
  func elements(_ name: String) throws -> [SVGElement] {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try XMLTree(bytes)
    return text.split(separator: "\n").filter { $0.hasPrefix("<\(name) ") }.compactMap { line in
      guard let match = line.wholeMatch(of: /<(\w+) ([^>]*)>(.*)<\/\w+>/) else { return nil }
      var element = SVGElement(name: match.1, content: match.3)
      for pair in match.2.matches(of: /([\w-]+)="([^"]*)"/) { element.attributes[pair.1] = pair.2 }
      return element
    }
  }

  /// The place of the only text that has this content.
  func place(of text: String) throws -> Point2D {
    let found = try elements("text").filter { $0.content == text }
    try #require(found.count == 1, "\(text)")
    return Point2D(x: found[0]["x"], y: found[0]["y"])
  }
}

struct SVGTests {
  /// Text from a model's file is text, whatever it holds.
  @Test func holdsAnyText() throws {
    let name = "</text>&\"'\u{1B}\u{FFFE}\u{202E}é"
    var drawing = SVG(width: 10, height: 10, title: name)
    drawing.fill(Box(x: 1, y: 2, width: 3, height: 4), "#fff", hint: name)
    drawing.write(name, x: 5, y: 6)
    let texts = try drawing.elements("text")
    let expected = "&lt;/text&gt;&amp;\"'\\u{1B}\u{FFFD}\\u{202E}é"
    #expect(texts.map { String($0.content) } == [expected, expected])
    let area = try #require(try drawing.elements("rect").last)
    #expect(area.hint == expected)
    #expect(["x", "y", "width", "height"].map { area[$0] } == [1, 2, 3, 4])
  }

  @Test func axesHaveLinesAtTheirLabels() throws {
    var drawing = SVG(width: 100, height: 100, title: "a")
    drawing.axes(
      Box(x: 20, y: 10, width: 60, height: 50), columns: [(x: 30, label: "three")],
      rows: [(y: 40, label: "four")], across: "columns", up: "rows")
    let lines = try drawing.elements("polyline").map(\.points)
    #expect(lines.contains([Point2D(x: 30, y: 10), Point2D(x: 30, y: 60)]))
    #expect(lines.contains([Point2D(x: 20, y: 40), Point2D(x: 80, y: 40)]))
    let (column, row) = (try drawing.place(of: "three"), try drawing.place(of: "four"))
    #expect(column.x == 30 && column.y > 60 && row.x < 20 && abs(row.y - 40) < 10)
    #expect(try drawing.place(of: "columns").y > column.y && drawing.place(of: "rows").y < 10)
  }

  @Test func ticksAreRound() {
    #expect(ticks(upTo: 62, count: 12) == [0, 10, 20, 30, 40, 50, 60])
    #expect(
      ticks(upTo: 0.35, count: 15, unit: 0.001).prefix(3).map { ($0 * 1000).rounded() } == [
        0, 50, 100,
      ])
    #expect(ticks(upTo: 9_830_400, count: 8, base: 2) == [0, 1, 2, 3, 4].map { $0 * 0x1p21 })
    #expect(ticks(upTo: 0, count: 12) == [0])
  }
}
