// SPDX-License-Identifier: Apache-2.0
import Foundation

// embed-page FOLDER FILE TYPE OUTPUT: writes a Swift file with a type of that name. Of a page it holds, as
// base64, what comes before {{report}} and what comes after it, with the parts, the scripts and the style
// sheets that the page refers to; of any other file, its bytes as base64.

let arguments = CommandLine.arguments
guard arguments.count == 5 else { fatalError("usage: embed-page FOLDER FILE TYPE OUTPUT") }
let folder = URL(fileURLWithPath: arguments[1])

func text(_ name: String) throws -> String {
  try String(contentsOf: folder.appending(path: name), encoding: .utf8)
}

/// The line itself, or the file that it refers to.
func inlined(_ line: Substring) throws -> String {
  let trimmed = line.drop { $0 == " " }
  if trimmed.hasPrefix("<!-- include "), trimmed.hasSuffix(" -->") {
    return try text(String(trimmed.dropFirst(13).dropLast(4)))
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

func base64(_ data: Data) -> String { data.base64EncodedString() }

func write(_ comment: String, _ constants: KeyValuePairs<String, String>) throws {
  let lines = constants.map { "  static let \($0.key): StaticString = \"\($0.value)\"\n" }
  let source = "/// \(comment)\nenum \(arguments[3]) {\n\(lines.joined())}\n"
  // A file that does not change is not compiled again.
  guard (try? String(contentsOfFile: arguments[4], encoding: .utf8)) != source else { return }
  try source.write(toFile: arguments[4], atomically: true, encoding: .utf8)
}

guard arguments[2].hasSuffix(".html") else {
  let data = try Data(contentsOf: folder.appending(path: arguments[2]))
  try write("The bytes of \(arguments[2]), as base64.", ["base64": base64(data)])
  exit(0)
}

let lines = try text(arguments[2]).split(separator: "\n", omittingEmptySubsequences: false)
let parts = try lines.map(inlined).joined(separator: "\n").components(separatedBy: "{{report}}")
guard parts.count == 2 else {
  fatalError("\(arguments[2]): found \(parts.count - 1) times {{report}}, expected one")
}
try write(
  "The page around a report's data, as base64.",
  ["head": base64(Data(parts[0].utf8)), "tail": base64(Data(parts[1].utf8))])
