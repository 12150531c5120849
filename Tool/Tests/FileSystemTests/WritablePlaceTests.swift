// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem
import YOLOFaceFiles

struct WritablePlaceTests {
  private let folder = try! TemporaryFolder()

  private func file(_ name: String) throws -> WritablePlace {
    try WritablePlace(ofFile: folder.path(name))
  }

  private func directory(_ name: String) throws -> WritablePlace {
    try WritablePlace(ofDirectory: folder.path(name))
  }

  @Test func isTheSameByEveryPath() throws {
    try prepareDirectory(folder.path("a/b"))
    try folder.link("link", to: "a/b")
    for isThere in [false, true] {
      if isThere { try writeFile([1], to: folder.path("a/b/file")) }
      for name in ["link/file", "a/./b//file", "link/../b/file"] {
        #expect(try file(name) == file("a/b/file"))
      }
      #expect(try file("a/file") != file("a/b/file"))
    }
    #expect(try directory("link/new/x") == directory("a/b/new/x/"))
    #expect(try directory("link") == directory("a/b"))
    #expect(try directory("a") != directory("a/b"))
    #expect(try directory("x") == file("x"))
  }

  @Test func listsWhatWouldHaveToBeADirectory() throws {
    let places = try ["a", "a/b", "a/b/c"].map {
      try WritablePlace(ofFile: folder.path($0), makingDirectories: true)
    }
    #expect(places[2].directoriesAbove == Array(places[..<2]))
    #expect(places[0].directoriesAbove == [])
  }

  @Test(arguments: [
    ("a/file", true), ("a/b/file", true), ("file", true), ("a/c/file", false),
    ("a/b/c/file", false), ("b/file", false),
  ])
  func namesTheDirectoriesThatItWillCreate(name: String, isInside: Bool) throws {
    let (path, made) = (folder.path(name), try directory("a/b"))
    #expect(((try? WritablePlace(ofFile: path, besides: [made])) != nil) == isInside)
    _ = try WritablePlace(ofFile: path, makingDirectories: true)
  }
}
