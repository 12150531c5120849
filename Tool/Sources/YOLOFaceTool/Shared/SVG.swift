// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceXML

/// A drawing with a title, as SVG: on white, or on black where the reader's browser is dark. Its text is text.
struct SVG {
  private var text: String

  init(width: Int, height: Int, title: String) {
    let size = "width=\"\(width)\" height=\"\(height)\" viewBox=\"0 0 \(width) \(height)\""
    text = """
      <svg xmlns="http://www.w3.org/2000/svg" \(size)>
      <title>\(xmlText(printable(title)))</title>
      <style>
      svg { color: #1a1a1a; --ground: #fff; font: 13px system-ui, "Helvetica Neue", Arial, sans-serif; }
      @media (prefers-color-scheme: dark) { svg { color: #e4e4e4; --ground: #16181c; } }
      .title { font-size: 16px; font-weight: 600; }
      .small { font-size: 11px; }
      </style>
      <pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <path d="M0 0V7" stroke="#111" stroke-width="3" stroke-opacity="0.35"/></pattern>
      <rect width="100%" height="100%" fill="var(--ground)"/>

      """
    write(title, x: 20, y: 28, style: "title")
  }

  /// The file's bytes.
  var bytes: [UInt8] { Array("\(text)</svg>\n".utf8) }

  /// About how wide a text is: fonts differ.
  static func width(of text: String, isSmall: Bool = false) -> Double {
    Double(text.unicodeScalars.count) * (isSmall ? 6 : 7)
  }

  /// Fills a rectangle; a hint is what the pointer shows.
  mutating func fill(_ area: Box, _ color: String, hint: String = "") {
    element(
      "rect", ["x": area.x, "y": area.y, "width": area.width, "height": area.height],
      "fill=\"\(color)\"", hint: hint)
  }

  mutating func dot(at place: Point2D, _ color: String, hint: String) {
    element(
      "circle", ["cx": place.x, "cy": place.y, "r": 5], "fill=\"\(color)\" stroke=\"currentColor\"",
      hint: hint)
  }

  mutating func line(
    _ points: [Point2D], _ color: String = "currentColor", width: Double = 1, opacity: Double = 1
  ) {
    let places = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    element(
      "polyline", ["stroke-width": width, "stroke-opacity": opacity],
      "points=\"\(places)\" fill=\"none\" stroke=\"\(color)\"")
  }

  /// Writes a text that begins at a point of its ground line, or has its middle or end there; upright, it runs upwards.
  mutating func write(
    _ line: String, x: Double, y: Double, anchor: String = "start", color: String = "currentColor",
    style: String = "", isUpright: Bool = false
  ) {
    let turn = isUpright ? " transform=\"rotate(-90 \(number(x)) \(number(y)))\"" : ""
    element(
      "text", ["x": x, "y": y],
      "text-anchor=\"\(anchor)\" fill=\"\(color)\" class=\"\(style)\"\(turn)", line)
  }

  /// Draws a chart's left and lower edge, and a pale line with a label at each of some columns and rows.
  mutating func axes(
    _ area: Box, columns: [(x: Double, label: String)], rows: [(y: Double, label: String)],
    across: String, up: String
  ) {
    for (x, label) in columns {
      line([Point2D(x: x, y: area.minY), Point2D(x: x, y: area.maxY)], opacity: 0.15)
      write(label, x: x, y: area.maxY + 18, anchor: "middle")
    }
    for (y, label) in rows {
      line([Point2D(x: area.minX, y: y), Point2D(x: area.maxX, y: y)], opacity: 0.15)
      write(label, x: area.minX - 8, y: y + 5, anchor: "end")
    }
    let corner = Point2D(x: area.minX, y: area.maxY)
    line([Point2D(x: area.minX, y: area.minY), corner, Point2D(x: area.maxX, y: area.maxY)])
    write(across, x: area.center.x, y: area.maxY + 40, anchor: "middle")
    write(up, x: area.minX, y: area.minY - 10)
  }

  private mutating func element(
    _ name: String, _ numbers: KeyValuePairs<String, Double>, _ rest: String,
    _ content: String = "", hint: String = ""
  ) {
    let numbers = numbers.map { "\($0)=\"\(number($1))\"" }.joined(separator: " ")
    let hint = hint.isEmpty ? "" : "<title>\(xmlText(printable(hint)))</title>"
    text += "<\(name) \(numbers) \(rest)>\(hint)\(xmlText(printable(content)))</\(name)>\n"
  }

  private func number(_ number: Double) -> String { fixed(number, decimals: 2) }
}

/// Round numbers from 0 to an end, at most `count` intervals of at least a unit apart. In base 10 the intervals are 1, 2
/// or 5 units times a power of ten, in base 2 times a power of two.
func ticks(upTo end: Double, count: Double, unit: Double = 1, base: Double = 10) -> [Double] {
  for factor in base == 10 ? [1.0, 2, 5] : [1] where end <= count * unit * factor {
    return Array(stride(from: 0, through: end, by: unit * factor))
  }
  return ticks(upTo: end, count: count, unit: unit * base, base: base)
}
