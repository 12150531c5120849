import Files
import Foundation
import Testing

struct FilesTests {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  @Test func writesAndReads() throws {
    try writeFile([1, 2, 3], to: path("a"))
    try writeFile([4, 5], to: path("a"))
    #expect(try readFile(path("a"), limit: 2) == [4, 5])
    try writeFile([], to: path("empty"))
    #expect(try readFile(path("empty"), limit: 0) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
  }

  @Test func writesFilesThatOthersMayRead() throws {
    try writeFile([1], to: path("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    let mask = umask(0)
    umask(mask)
    #expect(attributes[.posixPermissions] as? Int == 0o666 & ~Int(mask))
  }

  @Test func refusesTooLargeFiles() throws {
    try writeFile([1, 2, 3], to: path("a"))
    let error = try #require(throws: FileError.self) { try readFile(path("a"), limit: 2) }
    #expect(error.exceedsLimit)
    #expect(error.description == "\(path("a")): found 3 bytes, expected at most 2")
  }

  @Test func refusesWhatIsNoFile() throws {
    for missing in [path("missing"), directory.path, "/dev/zero", ""] {
      #expect(throws: FileError.self) { try readFile(missing, limit: 100) }
    }
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    #expect(throws: FileError.self) { try readFile(path("pipe"), limit: 100) }
  }

  @Test func writesThroughALink() throws {
    try writeFile([1], to: path("target"))
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path("target"))
    try writeFile([2], to: path("link"))
    #expect(try readFile(path("target"), limit: 1) == [2])
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == path("target"))
  }

  @Test(arguments: [0o600, 0o640, 0o755, 0o444])
  func keepsThePermissions(permissions: Int) throws {
    try writeFile([1], to: path("a"))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path("a"))
    try writeFile([2], to: path("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    #expect(attributes[.posixPermissions] as? Int == permissions)
    #expect(try readFile(path("a"), limit: 1) == [2])
  }

  @Test func leavesTheOldBytesToOtherHardLinks() throws {
    try writeFile([1], to: path("a"))
    try FileManager.default.linkItem(atPath: path("a"), toPath: path("b"))
    try writeFile([2], to: path("a"))
    #expect(try readFile(path("b"), limit: 1) == [1])
  }

  @Test(arguments: ["gone", "link"])
  func refusesALinkThatLeadsNowhere(target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path(target))
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path("link")) }
    #expect(error.found == "a symbolic link that leads nowhere")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["link"])
  }

  /// Where standard output is a file, /dev/stdout leads to it.
  @Test(arguments: [
    "/dev/stdout", "/dev/null", "/proc/self/fd/1", "//dev/stdout", "/./dev/../dev/stdout",
    "/../proc/x", "/dev",
  ])
  func refusesPathsOfTheSystem(path: String) throws {
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path) }
    #expect(error.found == "a path of the system")
  }

  @Test(arguments: ["directory", "pipe"])
  func leavesAloneWhatIsNoFile(kind: String) throws {
    try #require((kind == "pipe" ? mkfifo(path(kind), 0o600) : mkdir(path(kind), 0o700)) == 0)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(kind)) }
    #expect(error.found == "a directory, pipe or device")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [kind])
  }

  /// The name itself is too long, so that only the last step, the renaming, fails.
  @Test func removesTheTemporaryFileOnFailure() throws {
    let name = String(repeating: "x", count: 300)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(name)) }
    #expect(error.found == "File name too long")
    #expect(throws: FileError.self) { try writeFile([1], to: path("no/such/directory")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}
