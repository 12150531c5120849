// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFaceFiles

@testable import YOLOFaceFileSystem

/// Where the paths of written files lead.
struct LinksTests {
  private let folder = try! TemporaryFolder()

  private func path(_ name: String) -> String {
    name.hasPrefix("/") ? name : folder.path(name)
  }

  /// What the attempts to write a file at a path name in their errors.
  private func foundByWriting(_ name: String) throws -> Set<String> {
    try Set([
      found { try writeFile([1], to: path(name)) },
      found { _ = try PartialFile(path(name)) },
      found { _ = try WritablePlace(ofFile: path(name)) },
    ])
  }

  /// What the attempts to write files into a directory name in their errors.
  private func foundByPreparing(_ name: String) throws -> Set<String> {
    try Set([
      found { try prepareDirectory(path(name)) },
      found { _ = try WritablePlace(ofDirectory: path(name)) },
    ])
  }

  /// Paths of the system, and links to open files, or back out of a directory of the system. Where standard output is
  /// a file, /dev/stdout leads to it.
  @Test(arguments: [
    "/dev/stdout", "/dev/null", "/proc/self/fd/1", "//dev/stdout", "/./dev/../dev/stdout",
    "/../proc/x", "output", "chain", "below/up", "below/dots", "descriptors/1", "devices/fd/1",
    "directory/x", "parent/stdout",
  ])
  func refusesPathsOfTheSystem(name: String) throws {
    try prepareDirectory(path("below"))
    try folder.link("output", to: "/dev/stdout")
    try folder.link("chain", to: "./below/../output")
    try folder.link("below/up", to: "../chain")
    try folder.link("below/dots", to: "/../dev/../dev/fd/1")
    try folder.link("descriptors", to: "/dev/fd")
    try folder.link("devices", to: "//dev/.")
    try folder.link("parent", to: "/dev/null/..")
    try folder.link("directory", to: path("self"))
    // Its target is elsewhere, but only the system decides where.
    try folder.link("self", to: "/dev/fd/\(open(folder.url.path, O_RDONLY | O_DIRECTORY))")
    let message =
      name == "parent/stdout" ? "a symbolic link that leads nowhere" : "a path of the system"
    #expect(try foundByWriting(name) == [message])
    for directory in [name, "\(name)/new"] {
      #expect(try foundByPreparing(directory) == [message])
    }
  }

  @Test(arguments: ["/dev", "/dev/", "/proc", "/../dev/."])
  func refusesTheSystemsDirectories(directory: String) throws {
    try folder.link("to", to: directory)
    for name in [directory, path("to")] {
      #expect(try foundByPreparing(name) == ["a path of the system"])
    }
  }

  private static let nowhere = "a symbolic link that leads nowhere"

  /// Paths at which no file can be written, and nothing is left behind; those of the second kind lead to no directory
  /// either.
  @Test func refusesPathsThatLeadToNoFile() throws {
    try prepareDirectory(path("directory"))
    try #require(mkfifo(path("pipe"), 0o600) == 0)
    try writeFile([1], to: path("file"))
    let links = ["gone": "none", "itself": "itself", "a": "b", "b": "a", "c": "c/c"]
    for (name, target) in links { try folder.link(name, to: target) }
    let names = try folder.names
    for (name, message) in [
      ("directory", "a directory, pipe or device"), ("pipe", "a directory, pipe or device"),
      (".", "a directory, pipe or device"), ("none/", "a directory's path"),
      ("none/a", "no such file or directory"),
      (String(repeating: "x", count: 300), "file name too long"),
    ] {
      #expect(try foundByWriting(name) == [message])
    }
    for (name, message) in [
      ("file/a", "not a directory"), ("gone", Self.nowhere), ("gone/a", Self.nowhere),
      ("itself", Self.nowhere), ("a", Self.nowhere), ("c", Self.nowhere), ("c/x", Self.nowhere),
    ] {
      #expect(try foundByWriting(name) == [message])
      #expect(try foundByPreparing(name) == [message])
    }
    #expect(try foundByPreparing("file") == ["a file"])
    for attempt in [
      { try prepareDirectory("") }, { _ = try WritablePlace(ofDirectory: "") },
      { _ = try PartialFile("") },
    ] as [() throws -> Void] {
      #expect(try found(attempt) == "an empty path")
    }
    #expect(try folder.names == names)
  }

  @Test func followsLinksAsTheSystemDoes() throws {
    for directory in ["a/b", "c"] { try prepareDirectory(path(directory)) }
    try folder.link("c/b", to: "../a/b")
    try folder.link("c/file", to: path("c/b/../file"))
    try writeFile([1], to: path("a/file"))
    try writeFile([2], to: path("c/file"))
    #expect(try isLink(path("c/file")) && readFile(path("a/file"), limit: 1) == [2])
    try writeFile([3], to: path("c/b/../new"))
    #expect(try readFile(path("a/new"), limit: 1) == [3])
    #expect(try followingLinks("/a/./b//c", expected: "") == "/a/b/c")
    #expect(try followingLinks("./a/../b", expected: "") == "a/../b")
    #expect(try followingLinks("/", expected: "") == "/")
  }

  #if os(Linux)
    /// Nor may the refused directory be created.
    @Test func makesNoDirectoryOfTheSystem() throws {
      let name = "/dev/shm/\(folder.url.lastPathComponent)"
      try folder.link("shm", to: "/dev/shm")
      for directory in [name, "\(name)/below", path("shm/\(folder.url.lastPathComponent)")] {
        #expect(try found { try prepareDirectory(directory) } == "a path of the system")
      }
      #expect(!fileExists(name))
    }

    /// A plain name there is a path of the system, too.
    @Test func writesNothingFromADirectoryOfTheSystem() async {
      await #expect(processExitsWith: .success) {
        for directory in ["/dev/shm", "/proc/self"] {
          try #require(FileManager.default.changeCurrentDirectoryPath(directory))
          #expect(try found { try writeFile([1], to: "comm") } == "a path of the system")
        }
        #expect(!fileExists("/dev/shm/comm"))
      }
    }
  #endif
}

@Test(arguments: [
  ("/a/b-1_2.html", "file:///a/b-1_2.html"), ("/ä b/#1?.html", "file:///%C3%A4%20b/%231%3F.html"),
  ("/[%@`{Z", "file:///%5B%25%40%60%7BZ"),
]) func theAddressOfAFileHasItsBytes(path: String, address: String) {
  #expect(fileAddress(of: path) == address)
  #expect(URL(string: address)?.path(percentEncoded: false) == path)
  #expect(URL(string: fileAddress(of: "x"))?.path == URL(filePath: "x").path)
}
