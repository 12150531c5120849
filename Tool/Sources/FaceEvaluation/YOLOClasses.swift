// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// The names of YOLO's classes, by their numbers.
public enum YOLOClasses {
  /// The files that may name them, beside the labels or up to two directories above: that of labelling tools, with a
  /// name on each line, that of darknet, and that of a data set (https://docs.ultralytics.com/datasets/detect).
  public static let files = ["classes.txt", "obj.names", "data.yaml"]

  /// The names on the lines of a text, or the `names` of a `.yaml` file: an array or a map, in brackets or with an
  /// element on each line. Of a `.yaml` file in any other form, it finds other names, or none.
  public static func read(
    _ bytes: [UInt8], source: String
  ) throws(GroundTruthError) -> [Int: String] {
    var lines = TextLines(bytes, source: source)
    var texts: [UntrustedText] = []
    while let line = lines.nextWithText() { texts.append(line) }
    func name(_ text: UntrustedText) throws(GroundTruthError) -> String {
      try categoryName(unquoted(text)) {
        GroundTruthError(file: source, position: .file, found: $0, expected: $1)
      }
    }
    let isYAML = UntrustedText(source).ends(with: ".yaml")
    var names: [Int: String] = [:]
    for (index, element) in (isYAML ? elements(ofNamesIn: texts) : texts).enumerated() {
      if isYAML, let (key, value) = element.cut(at: UInt8(ascii: ":")),
        let number = unquoted(key).integer(Int.self)
      {
        names[number] = try name(value)
      } else {
        names[index] = try name(element)
      }
    }
    return names
  }

  private static func elements(ofNamesIn lines: [UntrustedText]) -> [UntrustedText] {
    guard let start = lines.firstIndex(where: { $0.starts(with: "names:") }),
      let first = lines[start].dropping("names:")
    else { return [] }
    let rest = lines[(start + 1)...]
    guard let opening = first.firstIndex(where: { "[{".utf8.contains($0) }) else {
      return rest.prefix { $0.starts(with: "-") || isDigit($0.first) }
        .map { $0.dropping("-") ?? $0 }
    }
    let text = ([first[(opening + 1)...]] + rest).joined(separator: [UInt8(ascii: " ")])
    return UntrustedText(Array(text.prefix { !"]}".utf8.contains($0) }))
      .split(separator: UInt8(ascii: ","))
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private static func unquoted(_ text: UntrustedText) -> UntrustedText {
    text.trimming { " \t'\"".utf8.contains($0) }
  }
}
