// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFaceFiles

@testable import YOLOFaceFileSystem

struct NewFileTests {
  private let folder = try! TemporaryFolder()

  @Test func leavesNothingWhenNobodyHoldsIt() throws {
    var file = try NewFile(folder.path("a"))
    #expect(try folder.names.count == 1)
    file = try NewFile(folder.path("b"))
    #expect(try folder.names.count == 1)
    try file.finish()
    #expect(try folder.names == ["b"])
  }
}

/// What a process killed while writing leaves behind.
struct TemporaryFileTests {
  private let folder = try! TemporaryFolder()

  private func path(_ name: String) -> String { folder.path(name) }

  @Test func isClearedByTheNextWriter() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]
    ) {
      let folder = try TemporaryFolder()
      print(folder.url.path)
      fflush(nil)
      _ = try TemporaryFile(besides: WritableTarget(folder.path("a")))
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let directory = String(try #require(output.split(separator: "\n").last))
    defer { try? FileManager.default.removeItem(atPath: directory) }
    #expect(try directoryEntries(in: directory).map(\.name) == [".a.yoloface.tmp"])
    try writeFile([1], to: "\(directory)/a")
    #expect(try directoryEntries(in: directory).map(\.name) == ["a"])
  }

  @Test func isKeptWhileItsWriterRuns() throws {
    let first = try TemporaryFile(besides: WritableTarget(path("a")))
    #expect(first.path == path(".a.yoloface.tmp"))
    try writeFile([2], to: path("a"))
    #expect(try folder.names == [".a.yoloface.tmp", "a"])
    close(first.descriptor)
    // A process that another test starts meanwhile shares the lock until it runs its own program.
    for _ in 0..<500 where try folder.names != ["a"] {
      usleep(2000)
      try writeFile([3], to: path("a"))
    }
    #expect(try folder.names == ["a"])
  }

  /// Anything that this program did not create belongs to someone else.
  @Test(arguments: ["file", "link", "hard link", "directory", "pipe"])
  func leavesFilesOfOthersAlone(kind: String) throws {
    try writeFile([1], to: path("precious"))
    let name = path(".a.yoloface.tmp")
    switch kind {
    case "file": try writeFile([3], to: name)
    case "link": #expect(symlink(path("precious"), name) == 0)
    case "hard link": #expect(Foundation.link(path("precious"), name) == 0)
    case "directory": #expect(mkdir(name, 0o700) == 0)
    default: #expect(mkfifo(name, 0o600) == 0)
    }
    try writeFile([2], to: path("a"))
    #expect(try readFile(path("a"), limit: 1) == [2])
    #expect(try readFile(path("precious"), limit: 1) == [1])
    #expect(try folder.names == [".a.yoloface.tmp", "a", "precious"])
  }
}
