// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem
import YOLOFaceFiles

struct DirectoriesTests {
  private let folder = try! TemporaryFolder()

  @Test(arguments: ["a", "b/c//d/", "."]) func createsMissingDirectories(name: String) throws {
    for _ in 0..<2 { try prepareDirectory(folder.path(name)) }
    try writeFile([1], to: folder.path(name) + "/file")
  }

  @Test func listsEntries() throws {
    #expect(try directoryEntries(in: folder.url.path).map(\.name) == [])
    for name in ["b", "a 10", "a 2", "\u{E9}", "e\u{301}", ".hidden"] {
      try writeFile([1], to: folder.path(name))
    }
    try prepareDirectory(folder.path("below"))
    try folder.link("link", to: "below")
    let entries = try directoryEntries(in: folder.url.path)
    let names = [".hidden", "a 10", "a 2", "b", "below", "e\u{301}", "link", "\u{E9}"]
    #expect(entries.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
    #expect(entries.filter(\.isHidden).map(\.name) == [".hidden"])
    #expect(entries.filter(\.isDirectory).map(\.name) == ["below"])
  }

  @Test func distinguishesDirectories() throws {
    try writeFile([1], to: folder.path("file"))
    try folder.link("link", to: ".")
    let names = ["", "link", "file", "missing", "file/below"]
    #expect(names.map { isDirectory(folder.path($0)) } == [true, true, false, false, false])
    #expect(!isDirectory(""))
    for path in names[2...].map(folder.path) {
      let error = #expect(throws: FileError.self) { try directoryEntries(in: path) }
      #expect(error?.path == path)
    }
    let error = #expect(throws: FileError.self) { try prepareDirectory(folder.path("file")) }
    #expect(error?.path == folder.path("file"))
  }

  @Test func knowsFilesWithBytes() throws {
    let (file, link) = (folder.path("file"), folder.path("link"))
    try folder.link("link", to: "file")
    for (bytes, hasBytes) in [(nil, false), ([], false), ([1], true)] as [([UInt8]?, Bool)] {
      if let bytes { try writeFile(bytes, to: file) }
      #expect(isFileWithBytes(file) == hasBytes && isFileWithBytes(link) == hasBytes)
    }
    #expect(!isFileWithBytes(folder.url.path) && !isFileWithBytes(file + "\0"))
  }
}
