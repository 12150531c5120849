import Files
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// Where the paths of written files lead.
struct LinksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: target)
  }

  /// Each of these leads to an open file, or back out of a directory of the system.
  @Test(arguments: [
    "output", "chain", "below/up", "below/dots", "descriptors/1", "devices/fd/1", "parent/stdout",
    "directory/x",
  ])
  func refusesLinksIntoTheSystem(name: String) throws {
    try prepareDirectory(path("below"))
    try link("output", to: "/dev/stdout")
    try link("chain", to: "./below/../output")
    try link("below/up", to: "../chain")
    try link("below/dots", to: "/../dev/../dev/fd/1")
    try link("descriptors", to: "/dev/fd")
    try link("devices", to: "//dev/.")
    try link("parent", to: "/dev/null/..")
    try link("directory", to: path("self"))
    // Its target is elsewhere, but only the system decides where.
    try link("self", to: "/dev/fd/\(open(folder.url.path, O_RDONLY | O_DIRECTORY))")
    for attempt in [
      { try writeFile([1], to: path(name)) }, { _ = try PartialFile(path(name)) },
      { _ = try WritablePlace(ofFile: path(name)) }, { try prepareDirectory(path(name) + "/new") },
      { _ = try WritablePlace(ofDirectory: path(name)) },
    ] as [() throws -> Void] {
      let error = try #require(throws: FileError.self) { try attempt() }
      #expect(
        error.found == "a path of the system"
          || name == "parent/stdout" && error.found == "a symbolic link that leads nowhere")
    }
  }

  @Test(arguments: ["/dev", "/dev/", "/proc", "/../dev/."])
  func refusesTheSystemsDirectories(directory: String) throws {
    try link("to", to: directory)
    for name in [directory, path("to")] {
      #expect(throws: FileError.self) { try WritablePlace(ofDirectory: name) }
      #expect(throws: FileError.self) { try prepareDirectory(name) }
    }
  }

  /// Paths are text here; a link that is not must not lead to a different file.
  @Test func refusesLinksToNamesThatAreNotText() throws {
    #expect(
      [0xFF, 0].withUnsafeBufferPointer { target in
        target.withMemoryRebound(to: CChar.self) { symlink($0.baseAddress!, path("link")) }
      } == 0)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path("link")) }
    #expect(error.found == "a symbolic link to a name that is not UTF-8")
  }

  @Test func followsLinksAsTheSystemDoes() throws {
    for directory in ["a/b", "c"] { try prepareDirectory(path(directory)) }
    try link("c/b", to: "../a/b")
    try link("c/file", to: "b/../file")
    try writeFile([1], to: path("a/file"))
    try writeFile([2], to: path("c/file"))
    #expect(try readFile(path("a/file"), limit: 1) == [2])
    try writeFile([3], to: path("c/b/../new"))
    #expect(try readFile(path("a/new"), limit: 1) == [3])
    #expect(try followingLinks("/a/./b//c", expected: "") == "/a/b/c")
    #expect(try followingLinks("./a/../b", expected: "") == "a/../b")
    #expect(try followingLinks("/", expected: "") == "/")
  }

  @Test func refusesCyclesOfLinks() throws {
    try link("a", to: "b")
    try link("b", to: "a")
    try link("c", to: "c/c")
    for name in ["a", "c", "c/x"] {
      let error = try #require(throws: FileError.self) { try writeFile([1], to: path(name)) }
      #expect(error.found == "a symbolic link that leads nowhere")
    }
  }

  #if os(Linux)
    /// Nor may the refused directory be created.
    @Test func makesNoDirectoryOfTheSystem() throws {
      let name = "/dev/shm/\(folder.url.lastPathComponent)"
      try link("shm", to: "/dev/shm")
      for directory in [name, "\(name)/below", path("shm/\(folder.url.lastPathComponent)")] {
        let error = try #require(throws: FileError.self) { try prepareDirectory(directory) }
        #expect(error.found == "a path of the system")
      }
      #expect(!fileExists(name))
    }

    /// A plain name there is a path of the system, too.
    @Test func writesNothingFromADirectoryOfTheSystem() async {
      await #expect(processExitsWith: .success) {
        for directory in ["/dev/shm", "/proc/self"] {
          try #require(FileManager.default.changeCurrentDirectoryPath(directory))
          let error = try #require(throws: FileError.self) { try writeFile([1], to: "comm") }
          #expect(error.found == "a path of the system")
        }
        #expect(!fileExists("/dev/shm/comm"))
      }
    }
  #endif
}
