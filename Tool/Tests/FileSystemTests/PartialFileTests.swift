import FileSystem
import Files
import Foundation
import TestSupport
import Testing

struct PartialFileTests {
  private let folder = try! TemporaryFolder()

  private func path(_ name: String) -> String { folder.path(name) }

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
    #expect(try folder.names == ["a"])
  }

  /// What is there, of more than a block, and the path that resumes it: a partial and a complete file's, and a link's.
  @Test(arguments: [("a.partial", "a"), ("a", "a"), ("a", "link"), (nil, "a")])
  func resumesAFile(there: String?, name: String) throws {
    let kept = there == nil ? "" : String(repeating: "0123456789", count: 20_000)
    if name == "link" { try folder.link(name, to: "../\(folder.url.lastPathComponent)/a") }
    if let there { try writeFile(Array("\(kept), torn".utf8), to: path(there)) }
    let file = try PartialFile(path(name), isResuming: true)
    #expect(try read(file) == (there == nil ? "" : "\(kept), torn"))
    #expect(there.map { fileExists(path($0)) } != false, "nothing has changed yet")
    #expect(file.wasWhole == (there == "a"))
    try file.keep(kept.utf8.count)
    try file.append("new")
    try file.finish()
    #expect(try text("a") == kept + "new" && text(name) == kept + "new")
  }

  /// What is written would change the other file.
  @Test func refusesAFileThatHasAnotherName() throws {
    try writeFile([0x6F], to: path("other"))
    try FileManager.default.linkItem(atPath: path("other"), toPath: path("a.partial"))
    #expect(throws: FileError.self) { try PartialFile(path("a"), isResuming: true) }
    #expect(try text("other") == "o")
  }

  @Test func keepsTheOutputOfAnEarlierRun() throws {
    try writeFile([1], to: path("a.partial"))
    #expect(try found { _ = try PartialFile(path("a")) }.hasPrefix("the output of an earlier run"))
    #expect(try readFile(path("a.partial"), limit: 9) == [1])
  }

  @Test func hasOneWriterAtATime() throws {
    var file = try PartialFile(path("a"))
    try file.append("one")
    let message = try found { _ = try PartialFile(path("a"), isResuming: true) }
    #expect(message == "a file that another process is writing")
    file = try PartialFile(path("b"))
    let resumed = try PartialFile(path("a"), isResuming: true)
    #expect(try read(resumed) == "one")
    try resumed.finish()
    file.discard()
    #expect(try folder.names == ["a"])
  }

  @Test func refusesNonFiles() throws {
    try prepareDirectory(path("d.partial"))
    try folder.link("l.partial", to: "x")
    mkfifo(path("f.partial"), 0o600)
    for name in ["d", "l", "f"] {
      #expect(throws: FileError.self) { try PartialFile(path(name), isResuming: true) }
    }
  }
}
