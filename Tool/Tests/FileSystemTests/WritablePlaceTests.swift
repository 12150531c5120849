import FileSystem
import Files
import Foundation
import TestSupport
import Testing

struct WritablePlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path }

  @Test func isTheSameByEveryPath() throws {
    try prepareDirectory(path("a/b"))
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: "a/b")
    for isThere in [false, true] {
      if isThere { try writeFile([1], to: path("a/b/file")) }
      let place = try WritablePlace(ofFile: path("a/b/file"))
      for name in ["link/file", "a/./b//file", "link/../b/file"] {
        #expect(try WritablePlace(ofFile: folder.url.path + "/" + name) == place)
      }
      #expect(try WritablePlace(ofFile: path("a/file")) != place)
    }
    #expect(
      try WritablePlace(ofDirectory: path("link/new/x"))
        == WritablePlace(ofDirectory: path("a/b/new") + "/x/"))
    #expect(try WritablePlace(ofDirectory: path("link")) == WritablePlace(ofDirectory: path("a/b")))
    #expect(try WritablePlace(ofDirectory: path("a")) != WritablePlace(ofDirectory: path("a/b")))
    #expect(try WritablePlace(ofDirectory: path("x")) == WritablePlace(ofFile: path("x")))
  }

  @Test func detectsUnwritablePlaces() throws {
    try prepareDirectory(path("directory"))
    try writeFile([1], to: path("file"))
    try FileManager.default.createSymbolicLink(atPath: path("gone"), withDestinationPath: "none")
    let long = String(repeating: "x", count: 300)
    for (name, found) in [
      ("directory", "a directory, pipe or device"), ("none/a", "no such file or directory"),
      ("file/a", "not a directory"), ("gone", "a symbolic link that leads nowhere"),
      ("none/", "a directory's path"), (long, "file name too long"),
    ] {
      let error = try #require(throws: FileError.self) {
        try WritablePlace(ofFile: folder.url.path + "/" + name)
      }
      #expect(error.found == found)
    }
    for name in ["file", "file/a", "gone/a"] {
      #expect(throws: FileError.self) { try WritablePlace(ofDirectory: path(name)) }
    }
    #expect(try directoryEntries(in: folder.url.path).map(\.name) == ["directory", "file", "gone"])
  }

  @Test func listsWhatWouldHaveToBeADirectory() throws {
    let places = try ["a", "a/b"].map {
      try WritablePlace(ofFile: path($0), makingDirectories: true)
    }
    let deep = try WritablePlace(ofFile: path("a/b/c"), makingDirectories: true)
    #expect(deep.directoriesAbove == places)
    #expect(places[0].directoriesAbove == [])
  }

  @Test func namesTheDirectoriesThatItWillCreate() throws {
    let made = try WritablePlace(ofDirectory: path("a/b"))
    for name in ["a/file", "a/b/file", "file"] {
      _ = try WritablePlace(ofFile: path(name), besides: [made])
    }
    for name in ["a/c/file", "a/b/c/file", "b/file"] {
      #expect(throws: FileError.self) { try WritablePlace(ofFile: path(name), besides: [made]) }
      _ = try WritablePlace(ofFile: path(name), makingDirectories: true)
    }
  }

  /// Root may write anywhere, so the user nobody tries.
  @Test func detectsMissingPermissions() async {
    await #expect(processExitsWith: .success) {
      if getuid() == 0 { try #require(setgid(65534) == 0 && setuid(65534) == 0) }
      try withTemporaryFolder { folder in
        let locked = folder.appending(path: "locked").path
        try #require(mkdir(locked, 0o500) == 0)
        for attempt in [
          { _ = try WritablePlace(ofFile: locked + "/a") },
          { _ = try WritablePlace(ofFile: locked + "/a/b", makingDirectories: true) },
          { _ = try WritablePlace(ofDirectory: locked) },
          { _ = try WritablePlace(ofDirectory: locked + "/a/b") },
        ] as [() throws -> Void] {
          let error = try #require(throws: FileError.self) { try attempt() }
          #expect(error.found == "permission denied")
        }
      }
    }
  }
}
