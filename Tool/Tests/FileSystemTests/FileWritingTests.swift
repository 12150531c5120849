// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles

struct FileWritingTests {
  private let folder = try! TemporaryFolder()

  private func path(_ name: String) -> String { folder.path(name) }

  private func attributes() throws -> [Int?] {
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    return [.posixPermissions, .ownerAccountID, .groupOwnerAccountID].map { attributes[$0] as? Int }
  }

  @Test func writesAndReads() throws {
    for bytes: [UInt8] in [[1, 2, 3], [4, 5], []] {
      try writeFile(bytes, to: path("a"))
      #expect(try readFile(path("a"), limit: bytes.count) == bytes)
    }
    #expect(try folder.names == ["a"])
  }

  /// Another process may have written it since somebody looked.
  @Test func replacesNothingThatItMustNot() throws {
    try writeFile([1], to: path("new"), mayReplace: false)
    let error = try #require(throws: FileError.self) {
      try writeFile([2], to: path("new"), mayReplace: false)
    }
    #expect(error.path == path("new"))
    #expect(try readFile(path("new"), limit: 1) == [1])
    #expect(try folder.names == ["new"])
  }

  @Test func filesThatBelongTogetherAppearTogether() throws {
    try writeFile([1], to: path("a"))
    #expect(throws: FileError.self) {
      try writeFiles([([2], path("a")), ([2], path("missing/b"))])
    }
    #expect(try readFile(path("a"), limit: 1) == [1])
    #expect(try folder.names == ["a"])
    try writeFiles([([3], path("a")), ([3], path("b"))])
    for name in ["a", "b"] { #expect(try readFile(path(name), limit: 1) == [3]) }
  }

  /// Blanks, line ends, control and shell characters, characters of several code points, and as many bytes as a name
  /// may have, so that the temporary file's is shorter.
  @Test(arguments: [
    "two words", " ", "line\nbreak", "tab\t", "-rf", "*?[a]", "$(id)", "a'b\"c", "\\", "\u{1B}[31m",
    "\u{202E}gnp.x", "😀", "👩‍👩‍👧", "é.ü", String(repeating: "名", count: 85),
  ])
  func acceptsAnyName(name: String) throws {
    try writeFile([1, 2], to: path(name))
    #expect(try readFile(path(name), limit: 2) == [1, 2])
    #expect(try directoryEntries(in: folder.url.path).map(\.name) == [name])
  }

  /// The system ends a path at a zero byte: `picture.png` would be read.
  @Test func refusesAPathWithAZeroByte() throws {
    try writeFile([1], to: path("picture.png"))
    let trick = path("picture.png") + "\0.txt"
    for attempt in [
      { _ = try readFile(trick, limit: 1) }, { _ = try readPseudoFile(trick) },
      { try writeFile([2], to: trick) }, { try prepareDirectory(trick) },
      { _ = try directoryEntries(in: folder.url.path + "\0x") },
    ] as [() throws -> Void] {
      #expect(try found(attempt) == "a zero byte in the path")
    }
    #expect(!fileExists(trick) && !isDirectory(folder.url.path + "\0x"))
    #expect(try readFile(path("picture.png"), limit: 1) == [1])
  }

  @Test func writesFilesThatOthersMayRead() throws {
    try writeFile([1], to: path("a"))
    let mask = umask(0)
    umask(mask)
    #expect(try attributes()[0] == 0o666 & ~Int(mask))
  }

  @Test(arguments: [0o600, 0o640, 0o755, 0o444])
  func keepsThePermissionsAndTheOwner(permissions: Int) throws {
    try writeFile([1], to: path("a"))
    #expect(chmod(path("a"), mode_t(permissions)) == 0)
    // Only root gives files away.
    #expect(chown(path("a"), 1000, 1001) == 0 || geteuid() != 0)
    let before = try attributes()
    try writeFile([2], to: path("a"))
    #expect(try attributes() == before)
    #expect(try readFile(path("a"), limit: 1) == [2])
  }

  @Test func leavesTheOldBytesToOtherHardLinks() throws {
    try writeFile([1], to: path("a"))
    try FileManager.default.linkItem(atPath: path("a"), toPath: path("b"))
    try writeFile([2], to: path("a"))
    #expect(try readFile(path("b"), limit: 1) == [1])
  }

  @Test func otherDirectoriesMayHaveNamesOfTheSystems() throws {
    #expect(try found { try writeFile([1], to: "dev/none/a") } == "no such file or directory")
  }

  /// The system splits paths by bytes, so a slash is a slash whatever follows it.
  @Test func writesANameThatBeginsWithAnAccent() throws {
    let below = path("below") + "/\u{301}a"
    try prepareDirectory(ofFile: below)
    try writeFile([1], to: below)
    #expect(try directoryEntries(in: path("below")).map(\.name) == ["\u{301}a"])
  }

  /// Root may write anywhere, so the user nobody tries, in a process of its own.
  @Test func writesNothingIntoAReadOnlyDirectory() async {
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
      try withTemporaryFolder { folder in
        let (directory, file) = (folder.path, folder.path + "/a")
        let (other, deep) = (directory + "/b", directory + "/below/b")
        try writeFile([1], to: file)
        try #require(chmod(directory, 0o500) == 0)
        for attempt in [
          { try writeFile([2], to: file) }, { try writeFile([2], to: other) },
          { try prepareDirectory(directory) }, { try prepareDirectory(deep) },
          { _ = try WritablePlace(ofFile: other) },
          { _ = try WritablePlace(ofFile: deep, makingDirectories: true) },
          { _ = try WritablePlace(ofDirectory: directory) },
          { _ = try WritablePlace(ofDirectory: deep) },
        ] as [() throws -> Void] {
          #expect(try found(attempt) == "permission denied")
        }
        #expect(try readFile(file, limit: 1) == [1])
        #expect(try directoryEntries(in: directory).map(\.name) == ["a"])
        try #require(chmod(directory, 0o700) == 0)
      }
    }
  }

  #if os(Linux)
    /// A limit on the size of files simulates a disk that fills up while one is written.
    @Test func keepsTheOldFileWhenTheDiskIsFull() async {
      await #expect(processExitsWith: .success) {
        let folder = try TemporaryFolder()
        try writeFile([1], to: folder.path("a"))
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let bytes = [UInt8](repeating: 2, count: 1 << 17)
        #expect(try found { try writeFile(bytes, to: folder.path("a")) } == "file too large")
        #expect(try readFile(folder.path("a"), limit: 1) == [1])
        #expect(try folder.names == ["a"])
      }
    }

    /// Through a link and a directory of such a name, and beside one whose name as a repaired text is the same.
    @Test func writesAndReadsFilesWhoseNamesAreNotUTF8() throws {
      func name(_ byte: UInt8) -> String { pathText(Array("a".utf8) + [byte]) }
      let bytes = path("a").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFC), 0]
      try #require(mkdir(bytes, 0o700) == 0)
      try #require(symlink(Array(bytes.suffix(3)), path("link")) == 0)
      #expect(try directoryEntries(in: folder.url.path).map(\.name) == [name(0xFC), "link"])
      for byte: UInt8 in [0xFC, 0xF6] { try writeFile([byte], to: path("link/\(name(byte))")) }
      for byte: UInt8 in [0xFC, 0xF6] {
        #expect(try readFile(path("\(name(0xFC))/\(name(byte))"), limit: 1) == [byte])
      }
      let file = try PartialFile(path("\(name(0xFC))/\(name(0xFC))"))
      try file.append("new")
      try file.finish()
      let names = try directoryEntries(in: path(name(0xFC))).map(\.name)
      #expect(names == [name(0xF6), name(0xFC)])
    }
  #endif
}
