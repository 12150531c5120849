import Files
import Foundation
import TestSupport
import Testing

@testable import FileSystem

struct NewFileTests {
  @Test func leavesNothingWhenNobodyHoldsIt() throws {
    try withTemporaryFolder { folder in
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
      }
      var file = try NewFile(folder.appending(path: "a").path)
      #expect(try names().count == 1)
      file = try NewFile(folder.appending(path: "b").path)
      #expect(try names().count == 1)
      try file.finish()
      #expect(try names() == ["b"])
    }
  }
}

/// What a process killed while writing leaves behind.
struct TemporaryFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func isClearedByTheNextWriter() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
    ) {
      let folder = try TemporaryFolder()
      print(folder.url.path)
      fflush(nil)
      _ = try TemporaryFile(besides: WritableTarget(folder.url.path + "/a"))
      kill(getpid(), SIGKILL)
    }
    let output = try #require(result).standardOutputContent
    let directory = try #require(
      String(decoding: output, as: UTF8.self).split(separator: "\n").last)
    let file = "\(directory)/a"
    defer { try? FileManager.default.removeItem(atPath: String(directory)) }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: String(directory))
    }
    #expect(try names() == [".a.yoloface.tmp"])
    try writeFile([1], to: file)
    #expect(try names() == ["a"])
  }

  @Test func isKeptWhileItsWriterRuns() throws {
    let first = try TemporaryFile(besides: WritableTarget(path("a")))
    #expect(first.path == path(".a.yoloface.tmp"))
    try writeFile([2], to: path("a"))
    #expect(try names == [".a.yoloface.tmp", "a"])
    close(first.descriptor)
    // A process that another test starts meanwhile shares the lock until it runs its own program.
    for _ in 0..<500 where try names != ["a"] {
      usleep(2000)
      try writeFile([3], to: path("a"))
    }
    #expect(try names == ["a"])
  }

  /// Anything that this program did not create belongs to someone else.
  @Test(arguments: ["file", "link", "hard link", "directory", "pipe"])
  func leavesFilesOfOthersAlone(kind: String) throws {
    try writeFile([1], to: path("precious"))
    let name = path(".a.yoloface.tmp")
    switch kind {
    case "file": try Data([3]).write(to: folder.url.appending(path: ".a.yoloface.tmp"))
    case "link": #expect(symlink(path("precious"), name) == 0)
    case "hard link": #expect(Foundation.link(path("precious"), name) == 0)
    case "directory": #expect(mkdir(name, 0o700) == 0)
    default: #expect(mkfifo(name, 0o600) == 0)
    }
    try writeFile([2], to: path("a"))
    #expect(try readFile(path("a"), limit: 1) == [2])
    #expect(try readFile(path("precious"), limit: 1) == [1])
    #expect(try names == [".a.yoloface.tmp", "a", "precious"])
  }

  @Test func shortensNamesThatAreTooLong() throws {
    let name = String(repeating: "x", count: 255)
    try writeFile([1], to: path(name))
    #expect(try names == [name])
  }
}
