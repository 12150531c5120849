import FileSystem
import Files
import Foundation
import TestSupport
import Testing

struct FileWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var directory: URL { folder.url }

  private func path(_ name: String) -> String { directory.appending(path: name).path }

  @Test func writesAndReads() throws {
    try writeFile([1, 2, 3], to: path("a"))
    try writeFile([4, 5], to: path("a"))
    #expect(try readFile(path("a"), limit: 2) == [4, 5])
    try writeFile([], to: path("empty"))
    #expect(try readFile(path("empty"), limit: 0) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 2)
  }

  /// Another process may have written it since somebody looked.
  @Test func replacesNothingThatItMustNot() throws {
    try writeFile([1], to: path("new"), mayReplace: false)
    let error = try #require(throws: FileError.self) {
      try writeFile([2], to: path("new"), mayReplace: false)
    }
    #expect(error.path == path("new"))
    #expect(try readFile(path("new"), limit: 1) == [1])
    #expect(try directoryEntries(in: directory.path).map(\.name) == ["new"])
  }

  @Test func filesThatBelongTogetherAppearTogether() throws {
    try writeFile([1], to: path("a"))
    #expect(throws: FileError.self) {
      try writeFiles([([2], path("a")), ([2], path("missing/b"))])
    }
    #expect(try readFile(path("a"), limit: 1) == [1])
    #expect(try directoryEntries(in: directory.path).map(\.name) == ["a"])
    try writeFiles([([3], path("a")), ([3], path("b"))])
    #expect(try readFile(path("a"), limit: 1) == [3])
    #expect(try readFile(path("b"), limit: 1) == [3])
  }

  /// Blanks, line ends, control and shell characters, and characters of several code points.
  @Test(arguments: [
    "two words", " ", "line\nbreak", "tab\t", "-rf", "*?[a]", "$(id)", "a'b\"c", "\\", "\u{1B}[31m",
    "\u{202E}gnp.x", "😀", "👩‍👩‍👧", "é.ü", String(repeating: "名", count: 80),
  ])
  func acceptsAnyName(name: String) throws {
    try writeFile([1, 2], to: path(name))
    #expect(try readFile(path(name), limit: 2) == [1, 2])
    #expect(try directoryEntries(in: directory.path).map(\.name) == [name])
    let error = try #require(throws: FileError.self) { try readFile(path(name), limit: 1) }
    #expect(error.path == path(name))
  }

  /// The system ends a path at a zero byte: `picture.png` would be read.
  @Test func refusesAPathWithAZeroByte() throws {
    try writeFile([1], to: path("picture.png"))
    let trick = path("picture.png") + "\0.txt"
    for attempt in [
      { _ = try readFile(trick, limit: 1) }, { _ = try readPseudoFile(trick) },
      { try writeFile([2], to: trick) }, { try prepareDirectory(trick) },
      { _ = try directoryEntries(in: directory.path + "\0x") },
    ] as [() throws -> Void] {
      let error = try #require(throws: FileError.self) { try attempt() }
      #expect(error.found == "a zero byte in the path")
    }
    #expect(!fileExists(trick) && !isDirectory(directory.path + "\0x"))
    #expect(try readFile(path("picture.png"), limit: 1) == [1])
  }

  @Test func writesFilesThatOthersMayRead() throws {
    try writeFile([1], to: path("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    let mask = umask(0)
    umask(mask)
    #expect(attributes[.posixPermissions] as? Int == 0o666 & ~Int(mask))
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

  @Test(.enabled(if: geteuid() == 0, "Only root gives files away."))
  func keepsTheOwner() throws {
    try writeFile([1], to: path("a"))
    #expect(chown(path("a"), 1000, 1001) == 0)
    try writeFile([2], to: path("a"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    #expect(attributes[.ownerAccountID] as? Int == 1000)
    #expect(attributes[.groupOwnerAccountID] as? Int == 1001)
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
  func refusesADanglingLink(target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path(target))
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path("link")) }
    #expect(error.found == "a symbolic link that leads nowhere")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["link"])
  }

  /// Where standard output is a file, /dev/stdout leads to it.
  @Test(arguments: [
    "/dev/stdout", "/dev/null", "/proc/self/fd/1", "//dev/stdout", "/./dev/../dev/stdout",
    "/../proc/x",
  ])
  func refusesPathsOfTheSystem(path: String) throws {
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path) }
    #expect(error.found == "a path of the system")
  }

  @Test func otherDirectoriesMayHaveNamesOfTheSystems() throws {
    let missing = try #require(throws: FileError.self) { try writeFile([1], to: "dev/none/a") }
    #expect(missing.found == "no such file or directory")
  }

  /// The system splits paths by bytes, so a slash is a slash whatever follows it.
  @Test func writesANameThatBeginsWithAnAccent() throws {
    let below = path("below") + "/\u{301}a"
    try prepareDirectory(ofFile: below)
    try writeFile([1], to: below)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("below")) == ["\u{301}a"])
  }

  @Test(arguments: ["directory", "pipe"])
  func leavesNonFilesAlone(kind: String) throws {
    try #require((kind == "pipe" ? mkfifo(path(kind), 0o600) : mkdir(path(kind), 0o700)) == 0)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(kind)) }
    #expect(error.found == "a directory, pipe or device")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [kind])
  }

  @Test func leavesNothingBehindOnFailure() throws {
    let name = String(repeating: "x", count: 300)
    let error = try #require(throws: FileError.self) { try writeFile([1], to: path(name)) }
    #expect(error.found == "file name too long")
    #expect(throws: FileError.self) { try writeFile([1], to: path("no/such/directory")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  /// Root may write anywhere, so the user nobody tries, in a process of its own.
  @Test func writesNothingIntoAReadOnlyDirectory() async {
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "a").path
        try writeFile([1], to: path)
        try #require(chmod(folder.path, 0o500) == 0)
        for path in [path, folder.appending(path: "b").path] {
          let error = try #require(throws: FileError.self) { try writeFile([2], to: path) }
          #expect(error.found == "permission denied")
        }
        for directory in [folder.path, folder.path + "/below"] {
          let error = try #require(throws: FileError.self) { try prepareDirectory(directory) }
          #expect(error.found == "permission denied")
        }
        #expect(try readFile(path, limit: 1) == [1])
        #expect(try directoryEntries(in: folder.path).map(\.name) == ["a"])
        try #require(chmod(folder.path, 0o700) == 0)
      }
    }
  }

  #if os(Linux)
    /// A limit on the size of files simulates a disk that fills up while one is written.
    @Test func keepsTheOldFileWhenTheDiskIsFull() async {
      await #expect(processExitsWith: .success) {
        try withTemporaryFolder { folder in
          let path = folder.appending(path: "a").path
          try writeFile([1], to: path)
          signal(SIGXFSZ, SIG_IGN)
          var limit = rlimit(rlim_cur: 1 << 16, rlim_max: 1 << 16)
          try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
          let bytes = [UInt8](repeating: 2, count: 1 << 17)
          let error = try #require(throws: FileError.self) { try writeFile(bytes, to: path) }
          #expect(error.found == "file too large")
          #expect(try readFile(path, limit: 1) == [1])
          #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        }
      }
    }

    /// A name that is not UTF-8 is reported approximately; that text does not find the file.
    @Test func namesFilesWhoseNamesAreNotUTF8() throws {
      var bytes = path("a?.png").utf8CString
      bytes[bytes.count - 6] = CChar(bitPattern: 0xFF)
      let descriptor = creat(Array(bytes), 0o600)
      try #require(descriptor >= 0)
      close(descriptor)
      let names = try directoryEntries(in: directory.path).map(\.name)
      #expect(names == ["a\u{FFFD}.png"])
      let error = try #require(throws: FileError.self) { try readFile(path(names[0]), limit: 1) }
      #expect(error.found == "no such file or directory")
    }
  #endif
}
