import Foundation
import TestSupport
import Testing

/// What the scripts do however they are called, and however they end.
struct ScriptsTests {
  private func launch(_ words: String...) throws -> Programs.Run {
    // The tool notes SIGTERM in tests that run in this process; what a program inherits as ignored it cannot trap.
    #if os(Linux)
      let words = ["--default-signal=TERM"] + words
    #endif
    return try Programs.run(URL(fileURLWithPath: "/usr/bin/env"), words)
  }

  /// The texts of those in sh, by path.
  private static func scripts() throws -> [String: String] {
    let root = SharedData.projectRoot
    let names = try FileManager.default.contentsOfDirectory(
      atPath: root.appending(path: "Scripts").path)
    let paths =
      names.map { "Scripts/\($0)" }
      + [".ci/run", "Benchmarks/allocations", "Benchmarks/disassemble", "Tool/Web/build"]
    var texts: [String: String] = [:]
    for path in paths {
      let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
      if let text, text.hasPrefix("#!/bin/sh\n") { texts[path] = text }
    }
    return texts
  }

  @Test func noneFollowsCDPATHOrMissesASignal() throws {
    let scripts = try Self.scripts()
    #expect(scripts.count > 25)
    for (path, text) in scripts {
      // Without --, a path that begins with - would be an option.
      #expect(!text.contains(/\bcd ["$]/), "\(path)")
      #expect(text.contains("\nunset CDPATH\n") || !text.contains("cd -- "), "\(path)")
      #expect(text.contains(/\n\. .*Scripts\/signals/) || !text.contains("EXIT\n"), "\(path)")
    }
  }

  @Test func cleanUpAfterASignal() throws {
    let run = try launch(
      "sh", "-c", "trap 'echo cleaned' EXIT; . Scripts/signals; kill -TERM $$; echo went on")
    #expect(run.status == 143)
    #expect(run.output == "cleaned\n")
  }

  @Test(.enabled(if: Python.exists, Python.explanation))
  func cleanUpAfterASignalInPython() throws {
    let program = """
      import os, signal, sys
      sys.path.append("Scripts")
      import orderly
      orderly.end_on_signals()
      try:
          os.kill(os.getpid(), signal.SIGTERM)
      finally:
          print("cleaned")
      """
    let run = try launch("python3", "-B", "-c", program)
    #expect(run.status == 143)
    #expect(run.output == "cleaned\n")
  }

  /// The limit, of 512 bytes, stands for a full disk.
  @Test(.enabled(if: Python.exists, Python.explanation))
  func replaceAFileWholeOrNotAtAll() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "record")
      try writeText("old", to: file)
      let program = """
        import sys
        sys.path.append("Scripts")
        import orderly
        orderly.replace(sys.argv[1], "new" * 1000)
        """
      let run = try launch(
        "sh", "-c", "ulimit -f 1; exec python3 -B -c \"$0\" \"$1\"", program, file.path)
      #expect(run.status == 1)
      #expect(try String(contentsOf: file, encoding: .utf8) == "old")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["record"])
    }
  }

  @Test func nameAHomeThatCannotBeWritten() throws {
    let run = try launch("HOME=/dev/null/none", "Scripts/prepare")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("prepare: HOME is \"/dev/null/none\""), "\(run.output)")
  }
}
