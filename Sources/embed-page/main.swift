import Foundation

// embed-page FOLDER PAGE TYPE OUTPUT: inlines the scripts, the style sheets and, as base64, the data
// that FOLDER/PAGE refers to, and writes a Swift file with a type of that name, which holds, as base64,
// what comes before {{report}} and what comes after it.

let arguments = CommandLine.arguments
guard arguments.count == 5 else { fatalError("usage: embed-page FOLDER PAGE TYPE OUTPUT") }
let folder = URL(fileURLWithPath: arguments[1])

func text(_ name: String) throws -> String {
  try String(contentsOf: folder.appending(path: name), encoding: .utf8)
}

/// The line itself, or the file that it refers to.
func inlined(_ line: Substring) throws -> String {
  let trimmed = line.drop { $0 == " " }
  if trimmed.hasPrefix("<script type=\"text/plain\""), let source = trimmed.range(of: " src=\"") {
    let name = trimmed[source.upperBound...].prefix { $0 != "\"" }
    let data = try Data(contentsOf: folder.appending(path: String(name)))
    return "\(trimmed[..<source.lowerBound])>\(data.base64EncodedString())</script>"
  }
  for (start, end, tag) in [
    ("<script src=\"", "\"></script>", "script"),
    ("<link rel=\"stylesheet\" href=\"", "\">", "style"),
  ] where trimmed.hasPrefix(start) && trimmed.hasSuffix(end) {
    let name = String(trimmed.dropFirst(start.count).dropLast(end.count))
    let content = try text(name)
    guard !content.lowercased().contains("</\(tag)") else {
      fatalError("\(name): found the end of a \(tag) element, expected none")
    }
    return "<\(tag)>\n\(content)</\(tag)>"
  }
  return String(line)
}

let lines = try text(arguments[2]).split(separator: "\n", omittingEmptySubsequences: false)
let parts = try lines.map(inlined).joined(separator: "\n").components(separatedBy: "{{report}}")
guard parts.count == 2 else {
  fatalError("\(arguments[2]): found \(parts.count - 1) times {{report}}, expected one")
}
func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
let source = """
  /// The page around a report's data, as base64.
  enum \(arguments[3]) {
    static let head: StaticString = "\(base64(parts[0]))"
    static let tail: StaticString = "\(base64(parts[1]))"
  }

  """
try source.write(toFile: arguments[4], atomically: true, encoding: .utf8)
