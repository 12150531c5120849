/// The names of YOLO's classes, by their numbers.
public enum YOLOClasses {
  /// The files that may name them, beside the labels or up to two directories above: that of labelling tools, with a
  /// name on each line, that of darknet, and that of a data set (https://docs.ultralytics.com/datasets/detect).
  public static let files = ["classes.txt", "obj.names", "data.yaml"]

  /// The names on the lines of a text, or the `names` of a `.yaml` file: an array or a map, in brackets or with an
  /// element on each line.
  ///
  /// It is no reader of YAML: of a file in any other form, it finds other names, or none.
  public static func read(_ bytes: [UInt8], source: String) -> [Int: String] {
    var lines = TextLines(bytes, source: source)
    var texts: [String] = []
    while let line = lines.nextWithText() { texts.append(line) }
    guard source.hasSuffix(".yaml") else {
      return Dictionary(uniqueKeysWithValues: zip(0..., texts))
    }
    var names: [Int: String] = [:]
    for (index, element) in elements(ofNamesIn: texts).enumerated() {
      let parts = element.split(separator: ":", maxSplits: 1).map(unquoted)
      if parts.count == 2, let number = Int(parts[0]) {
        names[number] = parts[1]
      } else {
        names[index] = unquoted(element)
      }
    }
    return names
  }

  private static func elements(ofNamesIn lines: [String]) -> [String] {
    let key = "names:"
    guard let start = lines.firstIndex(where: { $0.hasPrefix(key) }) else { return [] }
    let rest = [String(lines[start].dropFirst(key.count))] + lines[(start + 1)...]
    let isOpening = { (character: Character) in character == "[" || character == "{" }
    guard let opening = rest[0].firstIndex(where: isOpening) else {
      return rest.dropFirst().prefix { $0.hasPrefix("-") || $0.first?.isNumber == true }
        .map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 }
    }
    let inBrackets = ([String(rest[0][opening...].dropFirst())] + rest.dropFirst())
      .joined(separator: " ").prefix { $0 != "]" && $0 != "}" }
    return inBrackets.split(separator: ",").map(String.init)
  }

  private static func unquoted(_ text: some StringProtocol) -> String {
    let isOutside = { (character: Character) in " \t'\"".contains(character) }
    return String(text.drop(while: isOutside).reversed().drop(while: isOutside).reversed())
  }
}
