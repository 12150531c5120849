// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@_spi(Tool) @testable import YOLOFaceFiles

struct SystemCallsTests {
  /// Other errors are left to the caller.
  @Test(arguments: [(EINTR, 7, 3), (EIO, -1, 1)])
  func callsAgainWhereASignalInterrupts(error: Int32, result: Int, count: Int) {
    var calls = 0
    let read = uninterrupted {
      calls += 1
      errno = error
      return calls < 3 ? -1 : 7
    }
    #expect((read, calls, errno) == (result, count, error))
  }

  @Test func readsUntilThereIsEnoughOrTheEnd() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data([1, 2, 3]))
    try pipe.fileHandleForWriting.close()
    func read(_ count: Int) throws -> [UInt8] {
      try readBytes(pipe.fileHandleForReading.fileDescriptor, atMost: count) {
        FileError(path: "pipe", found: $0, expected: "bytes")
      }
    }
    #expect(try read(2) == [1, 2])
    #expect(try read(9) == [3])
    #expect(try read(9) == [])
  }

  @Test func saysWhyNothingCanBeRead() {
    #expect(throws: FileError(path: "none", found: "bad file descriptor", expected: "bytes")) {
      try readBytes(-1, atMost: 1) { FileError(path: "none", found: $0, expected: "bytes") }
    }
  }

  @Test(arguments: [(Int.max, 3), (2, 2), (0, 0), (-1, 0), (.min, 0)])
  func readsNoMoreThanItsStart(limit: Int, count: Int) throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try writeFile([1, 2, 3], to: path)
      #expect(try readStart(of: path, limit: limit).count == count)
    }
  }
}

struct FileReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  @Test func refusesTooLargeFiles() throws {
    try writeFile([1, 2, 3], to: path("a"))
    let error = try #require(throws: FileError.self) { try readFile(path("a"), limit: 2) }
    #expect(error.exceedsLimit)
    #expect(error.description == "\(path("a")): found 3 bytes, expected at most 2")
  }

  @Test(
    arguments: [
      (
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        "a Git LFS pointer", "git lfs pull"
      ),
      ("\n\n<!DOCTYPE html>\n<html lang=\"en\">", "a page of HTML", "download it raw"),
      ("\u{FEFF}<HTML><head>", "a page of HTML", "download it raw"),
      ("404: Not Found", "a server's answer", "download it raw"),
    ])
  func saysWhatStandsForAFile(text: String, found: String, remedy: String) throws {
    try writeFile(Array(text.utf8), to: path("a.bin"))
    let error = try #require(throws: FileError.self) { try readFile(path("a.bin"), limit: 1000) }
    #expect(error.path == path("a.bin") && error.found.hasPrefix(found), "\(error)")
    #expect(error.expected.contains(remedy) && !error.exceedsLimit)
  }

  @Test(arguments: ["", "<", "<annotation>", "version 2", "\n", "4", "<!doctype svg>"])
  func readsWhatBeginsLikeAPage(text: String) throws {
    try writeFile(Array(text.utf8), to: path("a"))
    #expect(try readFile(path("a"), limit: 100) == Array(text.utf8))
  }

  @Test func refusesNonFiles() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    for other in [path("missing"), path("pipe"), folder.url.path, "/dev/zero", ""] {
      #expect(throws: FileError.self) { try readFile(other, limit: 100) }
    }
  }
}
