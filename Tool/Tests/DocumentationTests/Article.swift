import Foundation
import TestSupport

/// A page of the documentation, and the Swift code in it.
struct Article: Sendable {
  /// Blocks of code that form a program: the first imports what all of them need.
  struct Program {
    var imports: [String] = []
    var blocks: [Block] = []
  }

  /// One block of code.
  struct Block {
    /// The line of the page on which it begins, from 1.
    var firstLine: Int
    var lines: [String]
  }

  /// The path below the project's root.
  let path: String
  let lines: [String]

  init(path: String) throws {
    self.path = path
    let url = SharedData.projectRoot.appending(path: path)
    lines = try String(contentsOf: url, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
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

  /// The blocks marked with a language.
  func blocks(of language: String) -> [Block] {
    var blocks: [Block] = []
    var open: Block?
    for (index, line) in lines.enumerated() {
      if open == nil, line == "```\(language)" {
        open = Block(firstLine: index + 2, lines: [])
      } else if line == "```", let block = open {
        blocks.append(block)
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  /// The programs: a block with an import begins one, a block without continues it.
  var programs: [Program] {
    var programs: [Program] = []
    for block in blocks(of: "swift") {
      let imports = block.lines.filter { $0.hasPrefix("import ") }
      if programs.isEmpty || !imports.isEmpty { programs.append(Program(imports: imports)) }
      programs[programs.count - 1].blocks.append(block)
    }
    return programs
  }
}

extension Article.Program {
  /// A source file with the program as a function, whose lines refer to those of the page.
  func source(path: String) -> String {
    let bodies = blocks.map { block in
      let body = block.lines.map { $0.hasPrefix("import ") ? "" : $0 }.joined(separator: "\n")
      return "#sourceLocation(file: \"\(path)\", line: \(block.firstLine))\n\(body)\n"
    }
    return imports.joined(separator: "\n") + "\nprivate func program() throws {\n"
      + bodies.joined() + "}\n"
  }
}
