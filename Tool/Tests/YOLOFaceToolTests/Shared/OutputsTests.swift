// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles

@testable import YOLOFaceTool

/// No output is a file that is read or another output, and outputs that cannot be written are
/// refused before the work begins.
struct OutputsTests {
  private let tool = Tool()

  private func path(_ name: String) -> String { tool.path(name) }

  private func write(_ name: String, _ text: String = "mine") throws {
    try tool.write(text, to: name)
  }

  @Test func refusesNamesThatMeanSomethingElse() throws {
    try write("kept.png")
    try tool.copyPhoto(to: "-/a.png")
    try tool.expectRuns(
      """
      detect PHOTO -o kept.png | 64
      detect PHOTO -o b.JPG | 64
      detect PHOTO -o c.mp4 | 64
      detect PHOTO -o a.png.html
      detect PHOTO --annotate - | 64
      anonymise PHOTO -o - | 64
      detect - | 1 standard input
      """)
    #expect(try tool.text("kept.png") == "mine")
  }

  /// Every kind of path to one file: another spelling, a link, a link in the path, a hard link.
  @Test(arguments: ["in", "d/../in", ".//in", "link", "d/up/in", "hard"])
  func refusesToReplaceAnInput(name: String) throws {
    try write("in")
    try write("d/x")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: path("link"), withDestinationPath: "d/up/in")
    try files.createSymbolicLink(atPath: path("d/up"), withDestinationPath: "..")
    try files.linkItem(atPath: path("in"), toPath: path("hard"))
    let output = tool.directory.path + "/" + name
    for (file, growing) in [(output, nil), (nil, output)] as [(String?, String?)] {
      let error = #expect(throws: OutputConflict.self) {
        try Outputs(
          files: [file], growing: growing, directories: [path("new")], inputs: [nil, path("in")])
      }
      let found = "found a file that this run reads, expected a different output file"
      #expect(error.map { "\($0)" } == "\(output): \(found)")
    }
    #expect(!fileExists(path("new")), "nothing has been made")
    try write("pictures/1.png")
    #expect(throws: OutputConflict.self) {
      try Outputs(
        files: [output], inputs: [], pictures: PictureQueue([path("pictures"), path("in")]))
    }
    _ = try Outputs(files: [output], inputs: [path("d/x"), path("none"), ""])
  }

  /// The partial file that a run continues may also be given as a list of names.
  @Test func refusesToAppendToAnInput() throws {
    try write("out.partial")
    let error = #expect(throws: OutputConflict.self) {
      try Outputs(growing: path("out"), inputs: [path("out.partial")])
    }
    #expect(error.map { "\($0)".hasPrefix("\(path("out.partial")): ") } == true)
  }

  @Test func refusesTwoOutputsWithOnePath() throws {
    try write("d/there")
    try FileManager.default.linkItem(atPath: path("d/there"), toPath: path("d/hard"))
    for (files, growing, directories) in [
      (["d/new", "d/./new"], nil, []), (["a"], "d/../a", []),
      (["a.partial"], "a", []), ([], nil, ["x", "d/../x"]), ([], nil, ["d", "./d/"]),
      (["x"], nil, ["x"]), ([], "x", ["x"]), (["x/y"], nil, ["x", "x/y"]),
    ] as [([String], String?, [String])] {
      func absolute(_ name: String) -> String { tool.directory.path + "/" + name }
      #expect(throws: OutputConflict.self, "\(files) \(growing ?? "") \(directories)") {
        try Outputs(
          files: files.map(absolute), growing: growing.map(absolute),
          directories: directories.map(absolute), inputs: [])
      }
      #expect(!fileExists(path("x")))
    }
    // Each file has its own path.
    _ = try Outputs(files: [path("d/there"), path("d/hard")], inputs: [])
    let outputs = try Outputs(
      files: [path("x/file")], growing: path("x/a"), directories: [path("x")],
      labelDirectory: path("x"), inputs: [])
    #expect(!fileExists(path("x")))
    try outputs.makeDirectories()
    #expect(isDirectory(path("x")))
  }

  @Test func writesPlannedFiles() throws {
    let outputs = try Outputs(files: [path("a")], directories: [path("d")], inputs: [])
    try outputs.write([1], to: path("a"))
    for name in ["1", "2"] { try outputs.write([2], to: path("d/e/\(name)"), in: path("d")) }
    #expect(outputs.messages == ["wrote \(path("a"))", "wrote 2 files to \(path("d"))"])
    #expect(outputs.isPlanned(path("a")) && outputs.isPlanned(path("d/e/3")))
    for name in ["b", "ab", "d", "d2/1"] { #expect(!outputs.isPlanned(path(name)), "\(name)") }
  }

  /// As where a disk is gone, and the directory that it was mounted on is left.
  @Test func endsWhereADirectoryIsAnother() throws {
    let outputs = try Outputs(directories: [path("d")], inputs: [])
    try outputs.makeDirectories()
    try outputs.write([1], to: path("d/1"), in: path("d"))
    try FileManager.default.moveItem(atPath: path("d"), toPath: path("e"))
    for _ in 0..<2 {
      let error = #expect(throws: FileError.self) {
        try outputs.write([1], to: path("d/2"), in: path("d"))
      }
      #expect(error?.isOfPlace == true)
      try? FileManager.default.createDirectory(atPath: path("d"), withIntermediateDirectories: true)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("d")) == [])
  }

  /// Names derived from pictures are known only when they are written.
  @Test func writesNoFileTwice() throws {
    let outputs = try Outputs(
      files: [path("d/1")], growing: path("d/2"), directories: [path("d")], inputs: [])
    for name in ["1", "2"] { try outputs.write([1], to: path("d/\(name)"), in: path("d")) }
    #expect(throws: OutputConflict.self) { try outputs.write([2], to: path("d/./1")) }
    let growing = try outputs.partialFile(path("d/2"), earlier: .refused)
    #expect(throws: OutputConflict.self) { try outputs.finish(growing) }
    #expect(try readFile(path("d/1"), limit: 1) == [1])
    #expect(try readFile(path("d/2"), limit: 1) == [1])
  }

  /// The inputs of each subcommand given as its outputs: `in` is a picture, `net` and `weights` are
  /// a network, `blob.npy` is an array for it.
  @Test(arguments: [
    "detect in.png --output in.png", "detect in.png --annotate in.png",
    "detect pictures --json --output pictures/in.png", "detect --files-from list --output list",
    "detect 'pictures/*' --output pictures/in.png", "detect - --annotate in.png < in.png",
    "detect --files-from - --output list < list", "detect --files-from list >> list",
    "detect in.png --format json >> in.png", "detect in.png 2>> in.png",
    "detect in.png --param net --bin weights --output net",
    "detect in.png --format coco --image-ids ids --output ids",
    "anonymise in.png -o in.png", "track in.png >> in.png", "track --raw 8x8 < in.png >> in.png",
    "guide in.png --circle 9,9,9 --param net --bin weights >> net",
    "explain in.png -o in.png", "explain in.png --against net --against-bin weights -o weights",
    "compare in.png other.png --overlay other.png",
    "profile --param net --bin weights --flame weights", "bench --param net --bin weights >> net",
    "inspect net weights --memory-picture weights", "inspect --against net >> net",
    "run net weights --input blob=blob.npy --extract blob", "run net weights --extract-all >> net",
    "evaluate pictures --truth labels --write-wider labels",
    "evaluate pictures --truth labels --curve labels/in.txt",
    "evaluate pictures --truth truth.json --write-coco truth.json",
    "evaluate pictures --truth truth.json --subset list --write-coco list",
    "quantize net.param weights in.png --output net", "quantize net weights in.png -o x >> net",
  ])
  func noCommandReplacesWhatItReads(line: String) throws {
    try write("net", "7767517\n1 1\nInput data 0 1 blob 0=4 1=1 2=1\n")
    try write("net.param", "")
    try write("weights", "")
    try write("list", "in.png\n")
    try write("ids", "{}")
    try write("labels/in.txt", "0 0.5 0.5 0.25 0.25\n")
    try write("truth.json", #"{"in.png": {"boxes": [[1, 2, 3, 4]]}}"#)
    try write("blob.npy", "array")
    try tool.writeBlankPictures(["in.png", "other.png", "pictures/in.png"], side: 32)
    func files() throws -> [String: Data] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: tool.directory.path)
        .filter { $0 != "stdout" && $0 != "stderr" && !isDirectory(path($0)) }
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try tool.data($0)) })
    }
    var before = try files()
    let run = try tool.runShell("\"$tool\" \(line)")
    var after = try files()
    #expect(run.status == 1)
    if line.contains("2>>") {
      // The message has nowhere else to go.
      before["in.png"] = nil
      after["in.png"] = nil
    } else {
      #expect(run.errors.contains("found a file that this run reads, expected a"), "\(run.errors)")
    }
    #expect(after == before)
  }

  /// A picture in a list is known only when its turn comes.
  @Test func refusesAListThatNamesTheOutput() throws {
    try tool.writeBlankPictures(["a.png", "b"], side: 32)
    try tool.runShell(
      "printf 'a.png\\nb\\na.png\\n' | \"$tool\" detect --json --jobs 1 --files-from - --output b"
    ).failed(saying: "yoloface: b: found a file that this run reads")
    #expect(FileManager.default.contentsEqual(atPath: path("a.png"), andPath: path("b")))
  }

  /// Before hours of work, not after, and without creating anything.
  @Test(arguments: [
    "detect in.png --json --output none/x", "detect in.png --annotate d/",
    "detect in.png --annotate none/x.png --crop new", "detect in.png --crop new --align new/.",
    "detect in.png --crop in.png/x", "track in.png --annotate in.png/x",
    "guide in.png --circle 9,9,9 --annotate /dev/shm/x", "explain in.png -o d",
    "compare in.png in.png --overlay none/x.png", "profile in.png --flame d",
    "inspect --memory-picture none/x.svg",
    "run in.png in.png --extract-all --output-directory in.png",
    "evaluate . --truth truth.json --curve d --write-wider new --write-coco new.json",
    "evaluate . --truth truth.json --write-coco /dev/shm/x/y --write-wider new",
    "detect in.png --crop new --param none --bin none",
    "anonymise in.png -o new --report new.jsonl --param none --bin none",
    "anonymise in.png -o new --report new.jsonl --param none --bin none --film",
  ])
  func refusesUnwritableOutputsBeforeTheWork(line: String) throws {
    try write("d/x")
    try write("truth.json", #"{"in.png": {"boxes": [[1, 2, 3, 4]]}}"#)
    try write("in.png", "no picture")
    let run = try tool.runShell("\"$tool\" \(line)").failed()
    #expect(run.output == "")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: tool.directory.path))
        == ["d", "in.png", "truth.json", "stdout", "stderr"])
  }

  /// A limit on the size of files simulates a full disk: the files that fit are written.
  @Test func evaluateWritesTheOtherOutputs() throws {
    try write("truth.json", #"{"in.png": {"boxes": [[1, 2, 3, 4]]}}"#)
    try tool.writeBlankPictures(["in.png"], side: 32)
    try tool.runShell(
      """
      trap '' XFSZ; ulimit -f 2
      "$tool" evaluate . --truth truth.json --conf 0.5 --curve c.svg --write-wider w --write-coco c.json
      """
    ).failed(saying: "c.svg: found file too large")
    #expect(try tool.text("w/in.txt") == "in\n0\n")
    #expect(try tool.text("c.json") == "[]")
    #expect(!fileExists(path("c.svg")))
  }

  /// A new subcommand cannot write files in another way.
  @Test func onlyOutputsWritesFiles() throws {
    let folder = SharedData.projectRoot.appending(path: "Tool/Sources/YOLOFaceTool")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(names.contains("Shared/Outputs/Outputs.swift") && names.contains("Run/Run.swift"))
    for name in names where name != "Shared/Outputs/Outputs.swift" {
      let source = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for call in ["writeFile(", "PNG.write(", "NPY.write(", "prepareDirectory(", "fopen("] {
        #expect(!source.contains(call), "\(name) calls \(call)…): let Outputs do it")
      }
    }
  }

  /// As if the file system took both for one.
  @Test func earlierNamesAreComparedByTheirBytes() throws {
    try tool.writeBlankPictures(["out/a.png", "out/d/\u{E9}.png"])
    let earlier = EarlierNames(in: tool.path("out"))
    func has(_ name: String) -> Bool { earlier.contains(tool.path("out") + "/" + name) }
    #expect(has("a.png") && has("d/\u{E9}.png"))
    #expect(!has("A.png") && !has("d/e\u{301}.png") && !has("D/\u{E9}.png") && !has("b/a.png"))
    try tool.writeBlankPictures(["out/new.png"])
    #expect(!has("new.png"))
  }
}
