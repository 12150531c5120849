// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem
import YOLOFaceFiles

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
    let file = try PartialFile(path(name), earlier: .resumed)
    #expect(try read(file) == (there == nil ? "" : "\(kept), torn"))
    #expect(there.map { fileExists(path($0)) } != false, "nothing has changed yet")
    #expect(file.wasWhole == (there == "a"))
    try file.keep(kept.utf8.count)
    try file.append("new")
    try file.finish()
    #expect(try text("a") == kept + "new" && text(name) == kept + "new")
  }

  @Test func replacesAFile() throws {
    for name in ["a", "a.partial"] { try writeFile([0x6F], to: path(name)) }
    let file = try PartialFile(path("a"), earlier: .replaced)
    #expect(try !file.wasWhole && text("a") == "o" && read(file).isEmpty)
    try file.append("new")
    try file.finish()
    #expect(try text("a") == "new" && folder.names == ["a"])
  }

  @Test func hasOneWriterAtATime() throws {
    var file = try PartialFile(path("a"))
    try file.append("one")
    let message = try found { _ = try PartialFile(path("a"), earlier: .resumed) }
    #expect(message == "a file that another process is writing")
    #expect(throws: FileError.self) { try PartialFile(path("a"), earlier: .replaced) }
    #expect(try text("a.partial") == "one")
    file = try PartialFile(path("b"))
    let resumed = try PartialFile(path("a"), earlier: .resumed)
    #expect(try read(resumed) == "one")
    try resumed.finish()
    file.discard()
    #expect(try folder.names == ["a"])
  }

  /// What is written would change another file, or the output of an earlier run.
  @Test(
    arguments: [
      ("hard link", .resumed, "a file that has other names, too"),
      ("hard link", .refused, "the output of an earlier run, or of one still running"),
      ("hard link", .replaced, "a file that has other names, too"),
      ("directory", .resumed, "is a directory"), ("pipe", .resumed, "a pipe or device"),
      ("link", .resumed, "too many levels of symbolic links"),
    ] as [(String, EarlierOutput, String)])
  func refusesWhatItDidNotWrite(kind: String, earlier: EarlierOutput, message: String) throws {
    try writeFile([0x6F], to: path("other"))
    let partial = path("a.partial")
    switch kind {
    case "hard link": #expect(Foundation.link(path("other"), partial) == 0)
    case "directory": #expect(mkdir(partial, 0o700) == 0)
    case "pipe": #expect(mkfifo(partial, 0o600) == 0)
    default: #expect(symlink("other", partial) == 0)
    }
    #expect(try found { _ = try PartialFile(path("a"), earlier: earlier) } == message)
    #expect(try text("other") == "o")
    #expect(try folder.names == ["a.partial", "other"])
  }
}
