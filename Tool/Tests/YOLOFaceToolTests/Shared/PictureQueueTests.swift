// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem

@testable import YOLOFaceTool

struct PictureQueueTests {
  private let tool = Tool()

  private func path(_ name: String) -> String { tool.path(name) }

  private func write(_ names: String...) throws {
    for name in names { try tool.write("", to: name) }
  }

  /// Each is below the directory that all share, and leads nowhere else.
  @Test func namesOutputsByTheSharedDirectory() throws {
    try write(
      "2019/a.png", "2020/a.png", "2020/sub/q.png", "photos [1]/a.png", "e\u{301}/1.png",
      "\u{E9}/1.png")
    func names(_ arguments: [String], list: NameList? = nil) throws -> [String] {
      try PictureQueue(arguments, list: list, distinct: [.output]).map {
        $0.failure == nil ? $0.outputName : "refused"
      }
    }
    for (arguments, expected) in [
      (["2019/a.png"], ["a"]), (["2019/a.png", "2020/./a.png"], ["2019/a", "2020/a"]),
      (["2019", "2020/"], ["2019/a", "2020/a", "2020/sub/q"]),
      (["2020", "2020/sub/q.png"], ["a", "sub/q", "refused"]), (["photos [1]/*.png"], ["a"]),
      (["20*/a.png"], ["2019/a", "2020/a"]),
      (["e\u{301}", "\u{E9}"], ["e\u{301}/1", "\u{E9}/1"]),
    ] {
      #expect(try names(arguments.map(path)) == expected)
    }
    #expect(
      try names(["no/../a.png", "-", "b.jpg", "b.png", "c.PNG"]) == [
        "no/a", "stdin", "b.jpg", "b", "c.PNG",
      ])
    #expect(try names(["../../a.png"]) == ["a"])
    #expect(try names(["../../a.png", "/b/a.png"]) == ["a", "b/a"])
    #expect(try names([], list: list("./x/a.png\n/x/b.png")) == ["x/a", "x/b"])
  }

  private func list(_ names: String) throws -> NameList {
    try tool.write(names, to: "list")
    return try NameList(path: path("list"), separator: UInt8(ascii: "\n"))
  }

  /// A `String` sorts the marks behind a letter, in the square of their number, when it is hashed or compared.
  @Test func namesOfMarksTakeNoTime() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 8_000)
    let names = (0..<20).map { "-\($0)\(marks).\(marks).png" }
    let list = try list(names.joined(separator: "\n"))
    let time = try processorTime {
      let pictures = try PictureQueue([], list: list, distinct: [.output, .label, .path])
      let outputs = try Outputs(inputs: [])
      for picture in pictures {
        #expect(picture.failure == nil && !outputs.isPlanned(picture.path))
      }
    }
    #expect(time < generousProcessorTime)
  }

  @Test func saysWhoseNamesAreTaken() throws {
    try write("p/q.png", "p/q.PNG", "p/Q.png", "p/q.PNG.png")
    let failures = try PictureQueue([path("p"), path("p/./q.png")], distinct: [.output]).map {
      $0.failure.map { "\($0)" }
    }
    #expect(failures.map { $0 == nil } == [true, true, false, true, false])
    #expect(failures[2]?.contains("would have the names of those of \(path("p/q.PNG"))") == true)
    #expect(failures[4]?.contains("q.png: found the same picture as \(path("p/q.png"))") == true)
    let labels = try PictureQueue(["a.png", "a.PNG"], distinct: [.label]).map { $0.failure == nil }
    #expect(labels == [true, false])
  }

  /// What is looked up early is not looked up again, and what comes later is not looked up yet.
  @Test func walksOnceAndNoFurtherThanAsked() throws {
    try write("p/a/1.png", "p/b/2.png", "p/b/3.png", "p/c/4.png", "p/d/notes.txt")
    let pictures = try PictureQueue([path("p")])
    #expect(pictures.total(atMost: 2) == nil)
    try FileManager.default.removeItem(atPath: path("p/b"))
    try write("p/d/5.png")
    let names = pictures.map(\.name)
    #expect(names == ["a/1.png", "b/2.png", "b/3.png", "c/4.png", "d/5.png"])
    #expect(pictures.next() == nil)
  }

  @Test func countsPicturesUpToALimit() throws {
    try write("p/1.png", "p/2.png", "q/3.png")
    let pictures = try PictureQueue([path("p"), path("q/*")])
    #expect(pictures.total(atMost: 1) == nil && pictures.total(atMost: 2) == nil)
    #expect(pictures.next()?.number == 1)
    #expect(pictures.total(atMost: 3) == 3)
    #expect(pictures.rest().map(\.name) == ["2.png", "3.png"])
    #expect(pictures.map(\.number) == [2, 3])
    #expect(pictures.total(atMost: 3) == 3)
  }

  /// Its names may not have been written yet.
  @Test func doesNotReadAListAhead() throws {
    try write("p/1.png", "2.png")
    let list = try list("\(path("2.png"))\n\(path("p"))\n")
    let pictures = try PictureQueue([path("p")], list: list)
    #expect(pictures.total(atMost: 9) == nil)
    #expect(pictures.rest().map(\.name) == ["1.png"])
    #expect(pictures.map(\.name) == ["1.png", "2.png", "1.png"])
  }

  @Test func marksTheFirstMentionsAsHeld() throws {
    try write("1.png", "2.png")
    let pictures = try PictureQueue(["1.png", "2.png", "1.png", "1.png"].map(path))
    pictures.markHeld([Array(path("1.png").utf8): 2])
    #expect(pictures.map(\.isHeld) == [true, false, true, false])
  }

  /// Nothing is there before the walk begins.
  @Test func leavesOutADirectoryThatIsMadeLater() throws {
    try write("p/a/1.png", "p/b/c/2.png")
    let pictures = try PictureQueue([path("p")], leavingOut: [path("p/b/out")])
    #expect(pictures.total(atMost: 0) == nil)
    try write("p/b/out/3.png")
    #expect(pictures.map(\.name) == ["a/1.png", "b/c/2.png"])
  }

  /// Names anywhere, ends of paths and whole paths; in directories, patterns, arguments and lists.
  @Test(arguments: [
    ("@eaDir", ["a.png", "b.tmp.png", "q/a.png"]), ("@eaDir/", ["a.png", "b.tmp.png", "q/a.png"]),
    ("*.tmp.png", ["@eaDir/1/a.png", "a.png", "q/a.png"]),
    ("[q]", ["@eaDir/1/a.png", "a.png", "b.tmp.png"]),
    ("q/*.png", ["@eaDir/1/a.png", "a.png", "b.tmp.png"]),
    ("p/a.png", ["@eaDir/1/a.png", "b.tmp.png", "q/a.png"]),
    ("./p/./a.png", ["@eaDir/1/a.png", "b.tmp.png", "q/a.png"]),
    ("/p", ["@eaDir/1/a.png", "a.png", "b.tmp.png", "q/a.png"]), ("/**/p", []),
  ])
  func passesByWhatIsExcluded(pattern: String, left: [String]) throws {
    let names = ["p/@eaDir/1/a.png", "p/a.png", "p/b.tmp.png", "p/q/a.png"]
    for name in names + ["p/@eaDir/.hidden"] { try write(name) }
    let excluded = try WalkOptions.parse(["--exclude", pattern, "--exclude", "[n]o*"]).excluded
    let all = names.map(path)
    for (arguments, lines) in [([path("p")], []), ([path("p/**")], []), (all, []), ([], all)] {
      let list = try list(lines.joined(separator: "\n"))
      let queue = try PictureQueue(arguments, list: list, excluding: excluded)
      #expect(queue.map(\.path) == left.map { path("p/\($0)") }, "\(arguments)")
      #expect(queue.others.message == nil || !pattern.hasPrefix("@"))
    }
  }

  @Test func refusesToExcludeAll() throws {
    try write("p/a.png")
    let excluded = try WalkOptions.parse(["--exclude", "p"]).excluded
    #expect(throws: ValidationError.self) {
      try PictureQueue([path("p"), path("p/a.png")], excluding: excluded)
    }
  }

  @Test func refusesDirectoriesWithoutPictures() throws {
    try write("p/a/notes.txt", "q/1.png", "r/out/1.png")
    for names in [["q", "p"], ["q/2*"], ["r"]] {
      #expect(throws: ValidationError.self, "\(names)") {
        try PictureQueue(names.map(path), leavingOut: [path("r/out")])
      }
    }
  }
}
