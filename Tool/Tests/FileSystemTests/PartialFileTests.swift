import FileSystem
import Files
import Foundation
import TestSupport
import Testing

struct PartialFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var directory: URL { folder.url }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private func read(_ file: PartialFile) throws -> String {
    var bytes: [UInt8] = []
    try file.read { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func getsItsNameOnlyWhenComplete() throws {
    try writeFile([0x6F], to: path("a"))
    let file = try PartialFile(path("a"))
    try file.append("one ")
    try file.append("two")
    #expect(try text("a") == "o")
    #expect(try text("a.partial") == "one two")
    try file.finish()
    #expect(try text("a") == "one two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a"])
  }

  @Test func resumesAPartialOrCompleteFile() throws {
    for name in ["a", "a.partial"] {
      try writeFile(Array("kept, torn".utf8), to: path(name))
      let file = try PartialFile(path("a"), isResuming: true)
      #expect(try read(file) == "kept, torn")
      #expect(FileManager.default.fileExists(atPath: path(name)), "nothing has changed yet")
      #expect(file.wasWhole == (name == "a"))
      try file.keep(6)
      try file.append("new")
      try file.finish()
      #expect(try text("a") == "kept, new")
      try FileManager.default.removeItem(atPath: path("a"))
    }
    let fresh = try PartialFile(path("b"), isResuming: true)
    #expect(try read(fresh) == "")
    try fresh.finish()
    #expect(try text("b") == "")
  }

  @Test func resumesThroughALink() throws {
    try writeFile(Array("kept".utf8), to: path("real"))
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "real")
    let file = try PartialFile(path("link"), isResuming: true)
    try file.keep(4)
    try file.append(" on")
    try file.finish()
    #expect(try text("real") == "kept on")
    #expect(try text("link") == "kept on")
  }

  /// What is written would change the other file.
  @Test func refusesAFileThatHasAnotherName() throws {
    try writeFile([0x6F], to: path("other"))
    try FileManager.default.linkItem(atPath: path("other"), toPath: path("a.partial"))
    #expect(throws: FileError.self) { try PartialFile(path("a"), isResuming: true) }
    #expect(try text("other") == "o")
  }

  @Test func readsInBlocks() throws {
    let long = String(repeating: "0123456789", count: 20_000)
    try writeFile(Array(long.utf8), to: path("a"))
    #expect(try read(PartialFile(path("a"), isResuming: true)) == long)
  }

  @Test func keepsTheOutputOfAnEarlierRun() throws {
    try writeFile([1], to: path("a.partial"))
    let error = try #require(throws: FileError.self) { try PartialFile(path("a")) }
    #expect(error.found.hasPrefix("the output of an earlier run"))
    #expect(try readFile(path("a.partial"), limit: 9) == [1])
  }

  @Test func hasOneWriter() throws {
    let file = try PartialFile(path("a"))
    let error = try #require(throws: FileError.self) {
      try PartialFile(path("a"), isResuming: true)
    }
    #expect(error.found == "a file that another process is writing")
    try file.finish()
  }

  @Test func isClosedWhenNobodyHoldsIt() throws {
    var file = try PartialFile(path("a"))
    try file.append("one")
    file = try PartialFile(path("b"))
    let resumed = try PartialFile(path("a"), isResuming: true)
    #expect(try read(resumed) == "one")
    try resumed.finish()
    file.discard()
  }

  @Test func refusesNonFiles() throws {
    try FileManager.default.createDirectory(
      atPath: path("d.partial"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path("l.partial"), withDestinationPath: "x")
    mkfifo(path("f.partial"), 0o600)
    for name in ["d", "l", "f"] {
      #expect(throws: FileError.self) { try PartialFile(path(name), isResuming: true) }
    }
    for name in [directory.path, "/dev/null", path("no/such/a"), ""] {
      #expect(throws: FileError.self, "\(name)") { try PartialFile(name) }
    }
  }
}
