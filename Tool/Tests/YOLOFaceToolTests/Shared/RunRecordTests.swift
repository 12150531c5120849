// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceFileSystem
import YOLOFaceFiles

@testable import YOLOFaceTool

struct RunRecordTests {
  private let tool = Tool()

  private func record(_ options: String) throws -> RunRecord {
    let detect = try Detect.parse(["a.png"] + options.words)
    return try RunRecord(
      of: detect, detect.search.model, besides: ["--format": "\(detect.resultOptions.chosen)"])
  }

  private func outputs() throws -> Outputs {
    try Outputs(directories: [tool.directory.path], inputs: [])
  }

  private var place: String { tool.path("record") }

  /// Which options differ from those of a run without any; nil where that run may be continued.
  private func difference(_ options: String, from earlier: String = "") throws -> String? {
    try record(earlier).write(to: place, by: outputs())
    do {
      #expect(try record(options).requireSame(at: place, of: "r.csv"))
      return nil
    } catch let error as Failure {
      let words = error.description.components(
        separatedBy: ": found results of a run with another ")
      #expect(words[0] == "r.csv")
      return words[1].components(separatedBy: ", expected")[0]
    }
  }

  @Test(
    arguments: [
      ("b.png c", nil), ("--jobs 3 --threads 1 --quiet --fail-fast", nil), ("--max-pixels 9", nil),
      ("--files-from list --exclude x", nil), ("--resume --output o.csv --format csv", "--format"),
      ("--output o", nil), ("--iou 0.450", nil), ("--select best", nil),
      ("--conf 0.3", "--score-threshold"),
      ("--imgsz 320 --crop c", "--crop, --long-side"), ("--quality", "--quality"),
      ("--precision int8", "--precision"),
      ("--thorough", "--thorough"), ("--region 0,0,9,9", "--region"),
      ("--mirror --orientation 3", "--mirror, --orientation"),
    ] as [(String, String?)])
  func namesWhatDiffers(options: String, names: String?) throws {
    #expect(try difference(options) == names)
    #expect(try names == nil || difference("", from: options) == names)
  }

  @Test func spellingsAreTheSame() throws {
    #expect(
      try difference("--json --score-threshold .3", from: "--format jsonl --conf=0.30") == nil)
  }

  /// A long value is kept by its checksum.
  @Test func longValuesDiffer() throws {
    let ids = (0..<20_000).map { "--keep-id \($0)" }.joined(separator: " ")
    func record(_ options: String) throws -> RunRecord {
      let anonymise = try Anonymise.parse(["a.mp4", "-o", "b.mp4"] + options.words)
      return try RunRecord(of: anonymise, anonymise.search.model)
    }
    try record(ids).write(to: place, by: outputs())
    #expect(try tool.data("record").count < 1000)
    #expect(try record(ids).requireSame(at: place, of: "r"))
    #expect(throws: Failure.self) {
      try record(ids + " --keep-id 20000").requireSame(at: place, of: "r")
    }
  }

  /// Models are the same by their bytes, whatever their paths.
  @Test func modelsDiffer() throws {
    let (param, bin) = (Tool.model("param"), Tool.model("bin"))
    try tool.write(try Data(contentsOf: URL(filePath: bin)), to: "copy.bin")
    let (copy, model) = (
      "--param \(param) --bin \(tool.path("copy.bin"))", "--param \(param) --bin \(bin)"
    )
    #expect(try difference(copy, from: model) == nil)
    #expect(try difference(model) == "model")
    var bytes = try tool.data("copy.bin")
    bytes[1000] ^= 1
    try tool.write(bytes, to: "copy.bin")
    #expect(try difference(copy, from: model) == "model")
  }

  @Test(arguments: ["", "{}x", "[]", "{\"a\":1}", String(repeating: "[", count: 9999)])
  func refusesWhatIsNone(text: String) throws {
    #expect(try !record("").requireSame(at: tool.path("none"), of: "r.csv"))
    try tool.write(text, to: "record")
    #expect(throws: FileError.self) { try record("").requireSame(at: place, of: "r.csv") }
  }

  /// One that is new or empty cannot hold results of other options.
  @Test func isKeptInADirectory() throws {
    let directory = tool.path("d")
    try prepareDirectory(directory)
    #expect(try record("").keep(in: directory, .resumed, by: outputs()))
    #expect(try record("").keep(in: directory, .resumed, by: outputs()))
    #expect(throws: Failure.self) {
      try record("--quality").keep(in: directory, .resumed, by: outputs())
    }
    try tool.write("", to: "d/a.txt")
    #expect(try record("").keep(in: directory, .refused, by: outputs()))
    #expect(throws: Failure.self) {
      try record("--quality").keep(in: directory, .resumed, by: outputs())
    }
    // Now it holds results of both.
    #expect(try record("--quality").keep(in: directory, .replaced, by: outputs()))
    for options in ["", "--quality"] {
      #expect(try !record(options).keep(in: directory, .resumed, by: outputs()))
    }
  }
}
