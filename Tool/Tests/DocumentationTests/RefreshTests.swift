import Foundation
import TestSupport
import Testing

/// `Scripts/refresh` on scratch pages.
@Suite(.enabled(if: Python.exists, Python.explanation))
struct RefreshTests {
  private func refresh(_ arguments: String...) throws -> Programs.Run {
    try Python.run("Scripts/refresh", ["--skip-build"] + arguments)
  }

  private func page(_ printed: String) -> String {
    """
    Before, 0.12.

    <!-- output: printf 'score 0.947\\n' -->
    ```console
    $ detect photo.png
    \(printed)
    ```

    After.

    """
  }

  @Test func reportsAndUpdatesStaleOutput() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Page.md")
      try page("score 0.845").write(to: file, atomically: true, encoding: .utf8)
      let check = try refresh("--check", file.path)
      #expect(check.status == 1)
      #expect(check.output.contains("Page.md:3: stale text of printf"))
      #expect(try String(contentsOf: file, encoding: .utf8) == page("score 0.845"))

      #expect(try refresh(file.path).status == 0)
      #expect(try String(contentsOf: file, encoding: .utf8) == page("score 0.947"))
      #expect(try refresh("--check", file.path).status == 0)
    }
  }

  /// A difference of one in the last digit is another processor's rounding.
  @Test func allowsForTheLastDigit() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Page.md")
      // Nine lines each, the comment in the third; the first shows what counts as equal.
      try ["0.946", "0.945", "0.9470", "1.947"].map { page("score \($0)") }.joined()
        .write(to: file, atomically: true, encoding: .utf8)
      let check = try refresh("--check", file.path)
      #expect(check.status == 1)
      let stale = check.output.matches(of: /Page\.md:(\d+): stale/).map { Int($0.1) }
      #expect(stale == [12, 21, 30], "\(check.output)")
    }
  }

  /// A picture is replaced if it looks different, but not if only the bytes of the file differ.
  @Test func comparesPicturesByTheirPixels() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Page.md")
      let root = SharedData.projectRoot.path
      try "<!-- picture: cp '\(root)/Examples/astronaut.png' -->\n![A face](shown.png)\n"
        .write(to: file, atomically: true, encoding: .utf8)
      let shown = folder.appending(path: "shown.png")
      try FileManager.default.copyItem(
        atPath: "\(root)/Examples/astronaut.faces.png", toPath: shown.path)
      let check = try refresh("--check", file.path)
      #expect(check.status == 1)
      #expect(check.output.contains("Page.md:1: stale picture of cp"))
      #expect(try refresh(file.path).status == 0)
      #expect(
        FileManager.default.contentsEqual(
          atPath: shown.path, andPath: "\(root)/Examples/astronaut.png"))

      var bytes = try Data(contentsOf: shown)
      bytes += [0]
      try bytes.write(to: shown)
      #expect(try refresh("--check", file.path).status == 0)
    }
  }

  @Test(arguments: [
    "<!-- output: true -->\n```\n```\n", "<!-- output: false -->\n```\n```\n",
    "<!-- output: ls -->\n\nText\n",
  ])
  func refusesEmptyOutput(text: String) throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "Page.md")
      try text.write(to: file, atomically: true, encoding: .utf8)
      let run = try refresh(file.path)
      #expect(run.status == 1)
      #expect(run.output.hasPrefix("refresh: "))
      #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }
  }
}
