// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@_spi(Tool) @testable import YOLOFaceFiles

struct FileWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { "\(folder.url.path)/\(name)" }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
  }

  @Test(arguments: [0o600, 0o444])
  func replacesAFileAndKeepsItsPermissions(permissions: Int) throws {
    try writeFile([1, 2, 3], to: path("a"))
    try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path("a"))
    try writeFile([4, 5], to: path("a"))
    #expect(try readFile(path("a"), limit: 2) == [4, 5])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    #expect(attributes[.posixPermissions] as? Int == permissions)
    #expect(try names() == ["a"])
  }

  @Test(arguments: ["\u{301}a", "-rf", String(repeating: "名", count: 80)])
  func acceptsAnyName(name: String) throws {
    try writeFile([1], to: path(name))
    #expect(try names() == [name])
  }

  @Test func writesThroughALink() throws {
    try writeFile([1], to: path("target"))
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "target")
    try writeFile([2], to: path("link"))
    #expect(try readFile(path("target"), limit: 1) == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "target")
  }

  @Test func refusesADanglingLink() throws {
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "gone")
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path("link")) }
    #expect(error.found == "a symbolic link that leads nowhere")
    #expect(try names() == ["link"])
  }

  /// Where standard output is a file, /dev/stdout leads to it.
  @Test(arguments: [
    "/dev/stdout", "/dev/null", "/proc/self/fd/1", "//dev/stdout", "/./dev/../dev/fd/1",
  ])
  func refusesPathsOfTheSystem(path: String) throws {
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path) }
    #expect(error.found == "a path of the system")
  }

  @Test(arguments: ["directory", "pipe"])
  func leavesNonFilesAlone(kind: String) throws {
    try #require((kind == "pipe" ? mkfifo(path(kind), 0o600) : mkdir(path(kind), 0o700)) == 0)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(kind)) }
    #expect(error.found == "a directory, pipe or device")
    #expect(try names() == [kind])
  }

  @Test(arguments: ["no/such/directory", String(repeating: "x", count: 300), "a\0.png"])
  func leavesNothingBehindOnFailure(name: String) throws {
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(name)) }
    #expect(error.path == path(name))
    #expect(try names().isEmpty)
  }
}
