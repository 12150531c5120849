// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceFormatting

@testable import YOLOFaceReport

extension FileError {
  /// The line that the error names.
  fileprivate var line: Int { path.split(separator: " ").last.flatMap { Int($0) } ?? 0 }
}

/// Reports of earlier runs: intact, truncated and damaged.
struct EarlierReportTests {
  private static let names = ["a.png", "b \"1\",\n.png", "a.png", "c.png", "c.png"]

  /// Faces whose numbers are all one half. The first has collinear landmarks, and so no pose; the
  /// second is upside down.
  private static let faces = [false, true].map { isUpsideDown in
    var face = Face(
      score: 0.5, box: Box(x: -10, y: 20, width: 60, height: 40.5),
      landmarks: Landmarks((1, 1), (2, 2), (3, 3), (4, 4), (5, 5)))
    face.isMarkedUpsideDown = isUpsideDown
    return face
  }

  private func entries(
    _ format: ReportFormat, _ name: String, number: Int = 7, faces: [Face] = faces
  ) throws -> [String] {
    let space = format == .jsonl ? try ViewSpace(imageSize: Size2D(width: 200, height: 80)) : nil
    return try PictureResult(
      report: DetectionReport(image: name, width: 200, height: 80, faces: faces, in: space),
      faces: faces, name: "a", identifier: number, category: 3
    ).entries(in: format)
  }

  private func report(
    _ format: ReportFormat, _ names: [String] = names, isWhole: Bool = true
  ) throws -> String {
    var text = format.opening(in: ReportSpace())
    for (number, name) in names.enumerated() {
      let entries = try entries(format, name, number: number)
      text += format.text(of: entries, areFirst: number == 0)
    }
    return isWhole ? text + format.closing : text
  }

  private struct Earlier: Equatable {
    var held: [[UInt8]: Int]
    var failed: Set<[UInt8]> = []
    var soundBytes: Int
  }

  private func reading(
    _ bytes: some Sequence<UInt8>, _ format: ReportFormat, pieces: Int = .max, isWhole: Bool = false
  ) -> Result<Earlier, FileError> {
    Result { () throws(FileError) in
      var earlier = EarlierReport(format, source: "out")
      var rest = Array(bytes)[...]
      while !rest.isEmpty {
        try earlier.read(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
      }
      try earlier.end(isWhole: isWhole)
      return Earlier(held: earlier.held, failed: earlier.failed, soundBytes: earlier.soundBytes)
    }
  }

  private static let formats = [ReportFormat.csv, .json, .jsonl, .coco]

  /// Read in chunks of every length and truncated in any byte of the last picture's first entry, a report holds
  /// every picture but the one before, which may be incomplete.
  @Test(arguments: formats)
  func findsThePicturesOfAnEarlierRun(format: ReportFormat) throws {
    let names = ["a.png", "b \"1\",\n.png"]
    let before = try report(format, names, isWhole: false)
    let bytes = Array(try report(format, names + ["c", "d"]).utf8)
    let held = Dictionary(uniqueKeysWithValues: names.map { (Array($0.utf8), 1) })
    let last = try report(format, names + ["c"], isWhole: false).utf8.count
    let first = try entries(format, "d", number: 3)[0].utf8.count
    // JSON has a comma and a newline between pictures.
    for end in last + 2..<last + first {
      let found = reading(bytes[..<end], format, pieces: 1 + end % 40)
      #expect(found == .success(Earlier(held: held, soundBytes: before.utf8.count)), "\(end)")
    }
  }

  /// Names that would control a terminal or begin a formula, or that look like what they are escaped as.
  private static let hostileNames = [
    "=1+1.png", "+a", "-b", "@c", "\u{FF1D}d", "-", "\te", "\rf", "\u{1B}[2J\u{9B}2J",
    "\u{202E}gnp.g",
    "\\u{41}", "\\\\u{}", "\\\u{200B}u{41}", "'h", "\u{E0001}i", "\u{2028}", "\u{200D}j",
    "k\r\n,\"",
  ]

  @Test(arguments: formats)
  func namesAreSafeAndTheSameAgain(format: ReportFormat) throws {
    let text = try report(format, Self.hostileNames)
    let isSafe = text.unicodeScalars.allSatisfy { $0 == "\n" || printable("\($0)") == "\($0)" }
    #expect(isSafe)
    let counts = Dictionary(uniqueKeysWithValues: Self.hostileNames.map { (Array($0.utf8), 1) })
    #expect(try reading(text.utf8, format, isWhole: true).get().held == counts)
    guard format == .csv else { return }
    for line in text.split(separator: "\n") {
      let start = try #require(line.drop { $0 == "\"" }.unicodeScalars.first)
      #expect(line.hasPrefix("-,") || !"=+-@\u{FF1D}\t\r".unicodeScalars.contains(start), "\(line)")
    }
  }

  /// They escaped less.
  @Test(arguments: [ReportFormat.csv, .jsonl])
  func readsReportsOfEarlierVersions(format: ReportFormat) throws {
    let name = "=a\u{9B}\u{202E}.png"
    let text = try report(format, ["NAME", "b"]).replacing("NAME", with: name)
    #expect(try reading(text.utf8, format).get().held == [Array(name.utf8): 1])
  }

  /// A `String` sorts the marks behind a letter, in the square of their number, before it is compared with another.
  @Test(arguments: [
    (ReportFormat.csv, ",true,", ",NAME,"), (.csv, ",1,0.5,", ",NAME,0.5,"),
    (.csv, "0.5,", "NAME,"),
    (.csv, "a.png", "NAME"), (.jsonl, "pixels", "NAME"), (.jsonl, "a.png", "NAME"),
    (.jsonl, "\"view\"", "\"NAME\""), (.coco, "a.png", "NAME"),
  ])
  func readsManyMarksInTime(format: ReportFormat, part: String, name: String) throws {
    let marks = "a" + String(repeating: "\u{301}\u{323}", count: 200_000)
    let text = try report(format, ["a.png", "b"])
      .replacing(part, with: name.replacing("NAME", with: marks))
    #expect(processorTime { _ = reading(text.utf8, format) } < generousProcessorTime)
  }

  /// An array of all fields, or of all lines of a field, would take many times the report.
  @Test(arguments: [
    String(repeating: ",", count: 4 << 20) + "\n", "\"" + String(repeating: "\n", count: 4 << 20),
  ])
  func readsARowOfNothing(row: String) throws {
    let text = try report(.csv, []) + row
    #expect(processorTime { _ = reading(text.utf8, .csv) } < generousProcessorTime)
  }

  /// As earlier versions wrote it. Counting the quotes of the whole field anew at each of its lines would take
  /// minutes.
  @Test func readsAFieldOfManyLines() throws {
    let field = String(repeating: "\n", count: 300_000)
    let report = try report(.csv, ["a", "b"]).replacing("\na,", with: "\n\"\(field)\",")
    let time = processorTime {
      #expect((try? reading(report.utf8, .csv).get())?.held == [Array(field.utf8): 1])
    }
    #expect(time < generousProcessorTime)
  }

  /// Its last line ends with a newline.
  @Test(arguments: formats)
  func holdsTheLastPictureOfACompleteReport(format: ReportFormat) throws {
    let all = Array(try report(format, ["a", "b"]).utf8)
    let entries = try report(format, ["a", "b"], isWhole: false)
    #expect(
      reading(all, format, isWhole: true)
        == .success(Earlier(held: [[0x61]: 1, [0x62]: 1], soundBytes: entries.utf8.count)))
    let error = #expect(throws: FileError.self) {
      try reading(all.dropLast(), format, isWhole: true).get()
    }
    #expect(error?.found == "a last line that does not end")
  }

  @Test(arguments: formats)
  func countsPicturesThatOccurTwiceInARow(format: ReportFormat) throws {
    let before = try report(format, ["a", "a", "a"], isWhole: false)
    #expect(
      reading(try report(format, ["a", "a", "a", "b"]).utf8, format)
        == .success(Earlier(held: [[0x61]: 3], soundBytes: before.utf8.count)))
  }

  @Test func countsPicturesWithoutFaces() throws {
    let empty = try entries(.csv, "a", faces: []).joined() + "\n"
    let before = "\(DetectionReport.columns(in: ReportSpace()))\n\(empty)\(empty)"
    #expect(
      reading((before + empty).utf8, .csv)
        == .success(Earlier(held: [[0x61]: 2], soundBytes: before.utf8.count)))
  }

  /// The line is refused before it is decoded.
  @Test func refusesAnEndlessLine() throws {
    let bytes = Array(#"{"faces":["#.utf8) + [UInt8](repeating: 0x31, count: 17 << 20)
    let error = #expect(throws: FileError.self) {
      try reading(bytes, .jsonl, pieces: 1 << 16).get()
    }
    #expect(error?.line == 1)
  }

  @Test func countsFailures() throws {
    let failure = try FailureReport(
      image: "c", error: FileError(path: "c", found: "x", expected: "y")
    ).json()
    let lines = try entries(.jsonl, "a") + [failure] + entries(.jsonl, "d")
    let earlier = try reading((lines.joined(separator: "\n") + "\n").utf8, .jsonl).get()
    #expect(earlier.held == [[0x61]: 1, [0x63]: 1] && earlier.failed == [[0x63]])
  }

  /// Whichever byte is changed, the report is either refused, or its sound part holds everything
  /// that was there and is valid to another reader. With bytes removed or repeated, too, the result is the same in
  /// chunks of any length.
  @Test(arguments: formats)
  func noChangedByteLosesAnEntry(format: ReportFormat) throws {
    let sound = Array(try report(format).utf8)
    let last = Array(try entries(format, "c.png", number: 4).joined(separator: "\n").utf8).count
    var random = SeededGenerator(seed: 3)
    var refusals = 0
    let indices = 0..<sound.count - last - 4
    for index in indices {
      var (changed, torn) = (sound, sound)
      let others = (Array("\n\",{]0 ".utf8) + [0, 0xFF, sound[index] ^ 1]).filter {
        $0 != sound[index]
      }
      changed[index] = try #require(others.randomElement(using: &random))
      if index % 2 == 0 {
        torn.removeSubrange(index..<index + 5)
      } else {
        torn.insert(contentsOf: sound[index...].prefix(40), at: index)
      }
      for bytes in [changed, torn] {
        let whole = reading(bytes, format)
        #expect(reading(bytes, format, pieces: 1 + index % 64) == whole)
        if case .success(let earlier) = whole { #expect(earlier.soundBytes <= bytes.count) }
      }
      switch reading(changed, format) {
      case .failure(let error):
        refusals += 1
        #expect(error.line <= changed[...index].count { $0 == 0x0A } + 3)
      case .success(let earlier):
        // A digit or a letter has changed to another. In COCO's results, the entries of one picture
        // may then be those of two.
        let count = earlier.held.values.reduce(0, +)
        #expect(count == Self.names.count - 1 || format == .coco && count == Self.names.count)
        #expect(earlier.failed.isEmpty)
        try requireReadable(changed[..<earlier.soundBytes], format)
      }
    }
    #expect(refusals > indices.count * 3 / 4, "\(refusals) of \(indices)")
  }

  /// Read independently of the reader under test.
  private func requireReadable(_ bytes: ArraySlice<UInt8>, _ format: ReportFormat) throws {
    switch format {
    case .csv:
      let text = try #require(String(validating: bytes, as: UTF8.self))
      #expect(text.split(separator: "\n").count == 2 * (Self.names.count - 1) + 1)
    case .jsonl:
      for line in bytes.split(separator: 0x0A) {
        _ = try JSONSerialization.jsonObject(with: Data(line))
      }
    default:
      _ = try JSONSerialization.jsonObject(with: Data(bytes + Array("\n]\n".utf8)))
    }
  }

  /// Objects and rows that are valid but not as the tool writes them.
  @Test(arguments: [
    (ReportFormat.jsonl, #""view":"#, #""wiew":"#), (.jsonl, "pixels", "pixelz"),
    (.json, #"[1,1]"#, "[1.1]"), (.json, #"[1,1]"#, "[1, 1]"),
    (.json, #""score":0.5"#, #""score":1.5"#),
    (.json, "40.5", "40.50"), (.json, #""pose":null"#, #""pose":nul1"#), (.json, "},\n", "} \n"),
    (.json, "\n]\n", "\n] "), (.json, "[\n", "{\n"), (.json, "true", "null"),
    (.coco, "40.5]", "40.5"), (.coco, ",40.5]", "]"), (.coco, "file_name", "file_mame"),
    (.csv, ",200,80,", ",200.80,"), (.csv, ",1,0.5,", ",2,0.5,"), (.csv, ",2,0.5,", ",1.0,0.5,"),
    (.csv, "true", "truE"), (.csv, "40.5", "4o.5"), (.csv, "40.5", "40.50"),
    (.csv, "\"b \"\"1", "\"b \"1\""), (.csv, "\"b", "b"), (.csv, ",1,0.5,", ",1.0.5,"),
  ])
  func refusesDamage(format: ReportFormat, part: String, damage: String) throws {
    let sound = try report(format)
    let range = try #require(sound.range(of: part))
    let text = sound.replacingCharacters(in: range, with: damage)
    let line = sound[..<range.lowerBound].count { $0 == "\n" } + 1
    for isWhole in [false, true] {
      guard case .failure(let error) = reading(text.utf8, format, isWhole: isWhole) else {
        // After the last entry, it may be a truncated line.
        #expect(part == "\n]\n" && !isWhole)
        continue
      }
      #expect((line...line + 1).contains(error.line), "\(error)")
    }
  }

  private static let damaged = "found no entry, or a damaged one"

  /// Files that may be the only copy of something else.
  @Test(
    arguments: [
      (ReportFormat.jsonl, "{}\n", "1: \(damaged)"), (.jsonl, "[\n", "1: \(damaged)"),
      (.jsonl, "a.png: 512 × 512 pixels, 1 face\n", "1: \(damaged)"),
      (.coco, "[\n{\"image\":\"a\"}\n", "2: \(damaged)"),
      (.csv, "\n", "1: found a different header row"),
      (.csv, "name,x\n", "1: found a different header row"),
      (.json, "nonsense\n", "1: found no opening bracket"),
      (.json, "{\"a\":1}\n", "1: found no opening bracket"),
      (.text, "a.png\n", "1: found a report that does not name its pictures"),
    ] + formats.map { ($0, "my notes", "1: found no beginning of a report") })
  func refusesOtherFiles(format: ReportFormat, text: String, found: String) {
    let error = #expect(throws: FileError.self) { try reading(text.utf8, format).get() }
    #expect(error?.description == "out, line \(found), expected what --format \(format) wrote")
  }
}
