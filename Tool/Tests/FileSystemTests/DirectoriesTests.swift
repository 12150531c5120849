import FileSystem
import Files
import Foundation
import TestSupport
import Testing

struct DirectoriesTests {
  @Test func createsMissingDirectories() throws {
    try withTemporaryFolder { folder in
      for name in ["a", "a", "b/c//d/", "."] {
        let path = folder.appending(path: name).path
        try prepareDirectory(path)
        try writeFile([1], to: "\(path)/file")
      }
    }
  }

  @Test func refusesNonDirectories() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "file").path
      try writeFile([1], to: path)
      for path in [path, path + "/below", ""] {
        let error = #expect(throws: FileError.self) { try prepareDirectory(path) }
        #expect(error?.path == path)
      }
    }
  }

  @Test func listsEntries() throws {
    try withTemporaryFolder { folder in
      #expect(try directoryEntries(in: folder.path).map(\.name) == [])
      for name in ["b", "a 10", "a 2", "\u{E9}", "e\u{301}", ".hidden"] {
        try writeFile([1], to: folder.appending(path: name).path)
      }
      try prepareDirectory(folder.appending(path: "below").path)
      #expect(symlink("below", folder.appending(path: "link").path) == 0)
      let entries = try directoryEntries(in: folder.path)
      let names = [".hidden", "a 10", "a 2", "b", "below", "e\u{301}", "link", "\u{E9}"]
      #expect(entries.map { Array($0.name.utf8) } == names.map { Array($0.utf8) })
      #expect(entries.filter(\.isHidden).map(\.name) == [".hidden"])
      #expect(entries.filter(\.isDirectory).map(\.name) == ["below"])
    }
  }

  @Test func distinguishesDirectories() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "file").path
      let link = folder.appending(path: "link").path
      try writeFile([1], to: file)
      #expect(symlink(folder.path, link) == 0)
      #expect(isDirectory(folder.path) && isDirectory(link))
      #expect(!isDirectory(file) && !isDirectory(folder.path + "/missing") && !isDirectory(""))
      for path in [file, folder.path + "/missing"] {
        let error = #expect(throws: FileError.self) { try directoryEntries(in: path) }
        #expect(error?.path == path)
      }
    }
  }

  @Test func knowsFilesWithBytes() throws {
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "file").path
      let link = folder.appending(path: "link").path
      #expect(symlink(file, link) == 0)
      #expect(!isFileWithBytes(file) && !isFileWithBytes(link) && !isFileWithBytes(folder.path))
      try writeFile([], to: file)
      #expect(!isFileWithBytes(file) && !isFileWithBytes(link))
      try writeFile([1], to: file)
      #expect(isFileWithBytes(file) && isFileWithBytes(link) && !isFileWithBytes(file + "\0"))
    }
  }
}
