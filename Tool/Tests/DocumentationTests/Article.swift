// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// A page of the documentation, and the Swift code in it.
struct Article: Sendable {
  /// The path below the project's root.
  let path: String
  let lines: [String]

  init(path: String) throws {
    self.path = path
    let url = SharedData.projectRoot.appending(path: path)
    lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The README and the pages of the catalogues of both packages.
  static func all() throws -> [Article] {
    let pages = ["Sources", "Tool/Sources"].flatMap { sources in
      let folder = SharedData.projectRoot.appending(path: sources)
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return (names ?? []).filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.sorted()
        .map { "\(sources)/\($0)" }
    }
    return try (["README.md"] + pages).map { try Article(path: $0) }
  }

  /// The lines of each block of code.
  var blocks: [Range<Int>] {
    let fences = lines.indices.filter { lines[$0].hasPrefix("```") }
    return stride(from: 1, to: fences.count, by: 2).map { fences[$0 - 1] + 1..<fences[$0] }
      .filter { lines[$0.lowerBound - 1] == "```swift" }
  }

  /// Programs, each as a source file with a function whose lines refer to those of the page: a block with an import
  /// begins one, a block without continues it.
  var programs: [String] {
    var programs: [(imports: [String], body: [String])] = []
    for block in blocks {
      let imports = lines[block].filter { $0.hasPrefix("import ") }
      if programs.isEmpty || !imports.isEmpty { programs.append((imports, [])) }
      programs[programs.count - 1].body +=
        ["#sourceLocation(file: \"\(path)\", line: \(block.lowerBound + 1))"]
        + lines[block].map { $0.hasPrefix("import ") ? "" : $0 }
    }
    return programs.map { imports, body in
      (imports + ["private func program() throws {"] + body + ["}", ""]).joined(separator: "\n")
    }
  }
}
