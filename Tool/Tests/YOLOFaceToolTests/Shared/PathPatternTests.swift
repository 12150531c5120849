// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceTool

struct PathPatternTests {
  /// The meaning of `**`, by exhaustive search.
  private func matches(_ names: ArraySlice<String>, _ path: ArraySlice<String>) -> Bool {
    guard let name = names.first else { return path.isEmpty }
    if name == "**" {
      return matches(names.dropFirst(), path) || !path.isEmpty && matches(names, path.dropFirst())
    }
    guard let part = path.first, name == "?" || name == part else { return false }
    return matches(names.dropFirst(), path.dropFirst())
  }

  @Test func agreesWithExhaustiveSearch() throws {
    var random = SeededGenerator(seed: 5)
    var found = 0
    for _ in 0..<5000 {
      let names = (0..<Int.random(in: 1...7, using: &random)).map { _ in
        ["**", "**", "?", "a", "b"].randomElement(using: &random) ?? ""
      }
      let path = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        ["a", "b"].randomElement(using: &random) ?? ""
      }
      guard let pattern = PathPattern((["?"] + names).joined(separator: "/")) else { continue }
      let expected = matches(names[...], path[...])
      #expect(
        pattern.matches((["x"] + path).joined(separator: "/")) == expected, "\(names) \(path)")
      found += expected ? 1 : 0
    }
    #expect(found > 500)
  }

  /// What exists is what is meant, as it is for a file.
  @Test func takesExistingDirectoriesLiterally() throws {
    let tool = Tool()
    try tool.write("", to: "photos [2024]/a*b/2.png")
    let (root, path) = (tool.directory.path, tool.path("photos [2024]/a*b"))
    #expect(PathPattern("\(path)/*.png")?.matches("\(path)/1.png") == true)
    #expect(PathPattern("\(path)/*.png")?.base == path)
    #expect(PathPattern("\(path)/1.png") == nil, "a file that is missing")
    #expect(PathPattern("\(root)/photos [2]/*.png")?.base == root)
  }

  /// Trying every way in which these may match would take years.
  @Test(.timeLimit(.minutes(60))) func takesPolynomialTime() throws {
    let path = String(repeating: "a/", count: 1000) + "x.png"
    for (name, isMatch) in [("x.png", true), ("y.png", false)] {
      let text = String(repeating: "**/a/", count: 500) + name
      #expect(try #require(PathPattern(text)).matches(path) == isMatch)
    }
  }

  /// The locale belongs to the process.
  @Test func leavesTheLocale() {
    let before = setlocale(LC_CTYPE, nil).map { String(cString: $0) }
    #expect(PathPattern("*.png")?.matches("a.png") == true)
    #expect(setlocale(LC_CTYPE, nil).map { String(cString: $0) } == before)
  }

  /// Any text is a pattern or is not, and a pattern can be matched with any path.
  @Test func acceptsAnyText() {
    var random = SeededGenerator(seed: 9)
    let alphabet = Array("*?[]!-\\/.ab\u{301}é🙂{}~^:[:alpha:]".unicodeScalars)
    func text() -> String {
      var text = ""
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "a")
      }
      return text
    }
    for _ in 0..<5000 {
      let (pattern, path) = (text(), text())
      #expect(
        (PathPattern(pattern) != nil)
          == pattern.unicodeScalars.contains { "*?[".unicodeScalars.contains($0) })
      _ = PathPattern(pattern)?.matches(path)
    }
  }
}
