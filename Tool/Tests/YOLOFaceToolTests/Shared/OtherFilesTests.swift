// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFace

@testable import YOLOFaceTool

struct OtherFilesTests {
  /// The message about a directory of files with these bytes.
  private func passedBy(_ files: KeyValuePairs<String, String>) throws -> String? {
    let tool = Tool()
    for (name, bytes) in files {
      try tool.write(Data(bytes.unicodeScalars.map { UInt8($0.value) }), to: name)
    }
    try tool.write("", to: "read.png")
    let queue = try PictureQueue([tool.directory.path])
    #expect(queue.map(\.name).allSatisfy { $0.lowercased().hasSuffix(".png") })
    return queue.others.message?.replacing(tool.directory.path + "/", with: "")
  }

  @Test func namesWhatIsNotRead() throws {
    let png = "\u{89}PNG\r\n\u{1A}\n"
    for (files, message) in [
      ([:], nil), (["a.PNG": "", "empty": "", "notes.txt": "\u{E4}\u{1B}[m\n"], nil),
      (["utf16.txt": "\u{FF}\u{FE}a\0", "a.ts": "let a = 1\n"], nil),
      (["f.rgb": "\u{E4}\u{E5}a\u{F0}"], "1 file left out: 1 in no known format (f.rgb)"),
      (["a.xmp": "<x/>", ".gitignore": "*\n"], nil),
      ([".DS_Store": "\0\0\0\u{01}Bud1", "._a.heic": "\0\u{05}\u{16}\u{07}\0"], nil),
      (["a.heic": "", "b.HEIF": "", "c.gif": "", "a.png": ""], "3 files left out: 2 HEIC, 1 GIF"),
      (["a.svg": "<svg/>", "d/e.dng": ""], "2 files left out: 1 SVG, 1 raw"),
      (["a.psd": "8BPS\0\u{01}"], "1 file left out: 1 PSD"),
      (["photo": "\0\0\0\u{18}ftypheic"], "1 file left out: 1 HEIC"),
      (["a.nef2": "II*\0\u{10}\0\0\0CR\u{02}"], "1 file left out: 1 raw"),
      (["a.txt": png, ".b.png": png], "2 files left out: 2 PNG by another name (.b.png)"),
      (["a.heic": png], "1 file left out: 1 PNG by another name (a.heic)"),
      (["T.db": "\u{D0}\u{CF}\u{11}\u{E0}"], "1 file left out: 1 in no known format (T.db)"),
      (["a.mp4": ""], "1 film left out: give it alone"),
      (["a.MOV": "", "00001": "\u{1A}E\u{DF}\u{A3}"], "2 films left out: give each alone"),
      (["d/e.dng": "", "a.mp4": ""], "1 file left out: 1 raw; 1 film: give it alone"),
      ([".git/a.png": png], "1 hidden directory not entered (.git)"),
    ] as [(KeyValuePairs<String, String>, String?)] {
      #expect(try passedBy(files) == message)
    }
  }

  /// A pipe holds nothing before somebody writes to it; a link to a file is that file.
  @Test func namesLinksToDirectories() throws {
    let tool = Tool()
    try tool.write("", to: "in/sub/a.png")
    #expect(mkfifo(tool.path("in/pipe"), 0o600) == 0)
    for (target, name) in [
      ("..", "in/sub/loop"), (tool.path("in/sub"), "in/more"), ("sub/a.png", "in/b.png"),
    ] {
      #expect(symlink(target, tool.path(name)) == 0)
    }
    let queue = try PictureQueue([tool.path("in")])
    #expect(queue.map(\.name) == ["b.png", "sub/a.png"])
    let more = tool.path("in/more")
    #expect(queue.others.message == "2 links to directories not followed (\(more))")
  }

  @Test(.enabled(if: !Picture.fileSuffixes.contains(".jpg"), "This build reads JPEG."))
  func saysHowToReadThem() throws {
    let files: KeyValuePairs = [
      "a.jpg": "", "b.jfif": "", "c": "\u{FF}\u{D8}\u{FF}", "d.heic": "", "e.mp4": "",
    ]
    #expect(
      try passedBy(files)
        == "4 files left out: 3 JPEG (this build reads PNG only: swift build --package-path Tool --traits JPEG "
        + "makes one that reads JPEG), 1 HEIC; 1 film: give it alone")
  }

  @Test func anonymiseFailsUnlessTheyAreIgnored() throws {
    let tool = Tool()
    try tool.writeBlankPictures(["in/a.png", "in/sub/b.heic", "in/c.mp4"])
    try tool.write("\0\0\0\u{18}ftypheic", to: "in/sub/b.heic")
    let left = "1 file left out: 1 HEIC; 1 film: give it alone"
    let run = try tool.run(line: "anonymise in -o out --quiet").failed(saying: left)
    #expect(run.errors.contains("--ignore-others says that this is meant"))
    try tool.expectRuns(
      """
      anonymise in -o new --ignore-others | 0 \(left)
      detect in | 0 \(left)
      detect in/sub | 64 in/sub: found no file *.png, expected some; 1 file left out
      """)
    let frames = try tool.run(line: "anonymise in -o frames --film").failed(saying: left)
    #expect(frames.output.contains("0 places hidden"))
  }
}
