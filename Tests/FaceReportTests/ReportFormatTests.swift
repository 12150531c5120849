import FaceDecoding
import Foundation
import TestSupport
import Testing

@testable import FaceReport

struct ReportFormatTests {
  /// A face at half of everything, as far as its points are on one line, so that there is no pose.
  private static let face = Face(
    score: 0.5, objectness: nil, box: Rectangle(x: -10, y: 20, width: 60, height: 40),
    landmarks: Landmarks(
      rightEye: Point(x: 1, y: 1), leftEye: Point(x: 2, y: 2), nose: Point(x: 3, y: 3),
      rightMouth: Point(x: 4, y: 4), leftMouth: Point(x: 5, y: 5)))

  private func result(image: String = "d/a.png", faces: [Face] = [face]) -> PictureResult {
    PictureResult(
      report: DetectionReport(image: image, width: 200, height: 80, faces: faces), faces: faces,
      size: Size(width: 200, height: 80), name: "a", identifier: 7, category: 3)
  }

  /// As RFC 4180 has it, by Python's csv module: `list(csv.reader(io.StringIO(row)))`.
  @Test func quotesFieldsThatNeedIt() throws {
    let row = try #require(try result(image: "a \"b\", c\n.png").entries(in: .csv).first)
    #expect(row.hasPrefix("\"a \"\"b\"\", c\n.png\",200,80,1,0.5,-10.0,20.0,60.0,40.0,1.0,1.0,"))
    #expect(row.hasSuffix(",5.0,5.0,,,,,"))
    let columns = ReportStream(.csv).opening
    #expect(columns.hasPrefix("image,width_px,height_px,face,score,x_px,y_px,box_width_px,"))
    #expect(columns.split(separator: ",").count == 24)
    #expect(ReportStream(.csv, coordinates: .normalized).opening.contains(",score,x,y,box_width,"))
  }

  @Test func writesDataSetsFormats() throws {
    #expect(
      try result().entries(in: .coco) == [
        #"{"bbox":[-10,20,60,40],"category_id":3,"file_name":"d/a.png","image_id":7,"score":0.5}"#
      ])
    #expect(try result().entries(in: .wider) == ["a\n1\n-10.00 20.00 60.00 40.00 0.500000"])
    // Of x from -10 to 50, 0 to 50 is in the picture: the centre is 25 of 200.
    #expect(
      try result().entries(in: .yolo) == ["0 0.125000 0.500000 0.250000 0.500000 0.500000"])
    #expect(try result(faces: []).entries(in: .wider) == ["a\n0"])
    #expect(try result(faces: []).entries(in: .coco) == [])
    let empty = try result(image: "a,b.png", faces: []).entries(in: .csv)
    #expect(empty == ["\"a,b.png\",200,80" + String(repeating: ",", count: 21)])
  }

  @Test(arguments: [0, 1, 3])
  func arraysAreJSON(count: Int) throws {
    for format in [ReportFormat.json, .coco] {
      var stream = ReportStream(format)
      var text = stream.opening
      for _ in 0..<count { text += stream.text(of: try result().entries(in: format)) }
      text += stream.closing
      let array = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
      #expect(array?.count == count)
    }
  }

  @Test func escapesWhatMovesATerminal() {
    #expect(printable("plain ü 🙂") == "plain ü 🙂")
    #expect(
      printable("a\u{1B}[2J\nb\u{7F}\u{9B}\u{2028}") == "a\\u{1B}[2J\\u{A}b\\u{7F}\\u{9B}\\u{2028}")
  }

  /// Read in pieces of every length, up to the first entry of the last picture.
  @Test(arguments: 1...40)
  func findsWhatAnEarlierRunHolds(pieces: Int) throws {
    let first = "{\"image\":\"a.png\"}\n"
    let bytes = Array((first + "{\"image\":\"b.png\"}\n{\"image\":\"c.p").utf8)
    var earlier = EarlierReport(.jsonl, source: "out")
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try earlier.read(bytes[start..<min(start + pieces, bytes.count)])
    }
    #expect(earlier.held == [Array("a.png".utf8): 1])
    #expect(earlier.soundBytes == first.utf8.count)
  }

  @Test func countsEveryEntryOfAPicture() throws {
    let header = "\(DetectionReport.columns(in: .pixels))\n"
    let rows = "\"a,\n\"\"1\"\".png\",1\n\"a,\n\"\"1\"\".png\",2\n"
    var csv = EarlierReport(.csv, source: "out")
    try csv.read(Array("\(header)\(rows)b.png,1\nb.png,2\n".utf8)[...])
    #expect(csv.held == [Array("a,\n\"1\".png".utf8): 1])
    #expect(csv.soundBytes == (header + rows).utf8.count)
    let entries = "[\n{\"file_name\":\"a\"},\n{\"file_name\":\"a\"}"
    var coco = EarlierReport(.coco, source: "out")
    try coco.read(Array("\(entries),\n{\"file_name\":\"b\"}\n]\n".utf8)[...])
    #expect(coco.held == [[0x61]: 1])
    #expect(coco.soundBytes == entries.utf8.count)
  }

  /// Counting the quotes of the whole field again at each of its lines would take minutes.
  @Test(.timeLimit(.minutes(1))) func readsAFieldOfManyLines() throws {
    var csv = EarlierReport(.csv, source: "out")
    let field = "\"" + String(repeating: "\n", count: 300_000)
    try csv.read(Array("\(DetectionReport.columns(in: .pixels))\n\(field)\",1\nb,1\n".utf8)[...])
    #expect(csv.held == [[UInt8](repeating: 0x0A, count: 300_000): 1])
  }

  /// A combining character makes one character of a comma and itself.
  @Test func quotesByBytes() throws {
    let row = try #require(try result(image: "a,\u{301}\"\u{FE0F}.png").entries(in: .csv).first)
    #expect(row.hasPrefix("\"a,\u{301}\"\"\u{FE0F}.png\",200,80,"))
  }

  @Test func aWholeReportEndsWithALine() throws {
    var earlier = EarlierReport(.jsonl, source: "out")
    try earlier.read(Array("{\"precious\": 1}".utf8)[...])
    try earlier.end(isWhole: false)
    #expect(throws: EarlierReportError.self) { try earlier.end(isWhole: true) }
  }

  @Test func countsFailuresAndRepetitions() throws {
    let rows = ["a", "b", "a"].map { "{\"image\":\"\($0)\"}\n" }
    var earlier = EarlierReport(.jsonl, source: "out")
    try earlier.read(
      Array((rows.joined() + "{\"error\":\"no\",\"image\":\"c\"}\n{\"image\":\"d\"}\n").utf8)[...])
    #expect(earlier.held == [[0x61]: 2, [0x62]: 1, [0x63]: 1])
    #expect(earlier.failed == [[0x63]])
  }

  private enum Reading: Equatable {
    case refused(EarlierReportError)
    case read(held: [[UInt8]: Int], failed: Set<[UInt8]>, soundBytes: Int)
  }

  private func reading(_ bytes: [UInt8], _ format: ReportFormat, pieces: Int) -> Reading {
    var earlier = EarlierReport(format, source: "out")
    do throws(EarlierReportError) {
      for start in stride(from: 0, to: bytes.count, by: pieces) {
        try earlier.read(bytes[start..<min(start + pieces, bytes.count)])
      }
      try earlier.end(isWhole: false)
    } catch {
      return .refused(error)
    }
    return .read(held: earlier.held, failed: earlier.failed, soundBytes: earlier.soundBytes)
  }

  /// Reports that something else has changed: refused or read, and the same in whatever pieces.
  @Test(arguments: [ReportFormat.csv, .json, .jsonl, .coco])
  func readsChangedReportsInAnyPieces(format: ReportFormat) throws {
    let names = ["a.png", "b \"1\",\n.png", "a.png", "c.png", "c.png"]
    var stream = ReportStream(format)
    var text = stream.opening
    for name in names { text += stream.text(of: try result(image: name).entries(in: format)) }
    text += stream.closing
    let sound = Array(text.utf8)
    var random = SeededGenerator(seed: 7)
    var refusals = 0
    for trial in 0..<300 {
      var bytes = sound
      for _ in 0..<(trial == 0 ? 0 : Int.random(in: 1...3, using: &random)) {
        let index = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          bytes[index] = [0x0A, 0x22, 0x2C, 0x7B, 0xFF][Int.random(in: 0...4, using: &random)]
        case 1: bytes.removeSubrange(index..<min(index + 5, bytes.count))
        default: bytes.insert(contentsOf: bytes[index...].prefix(40), at: index)
        }
        if bytes.isEmpty { bytes = sound }
      }
      let whole = reading(bytes, format, pieces: bytes.count)
      for pieces in [1, 7, 64] { #expect(reading(bytes, format, pieces: pieces) == whole) }
      switch whole {
      case .refused: refusals += 1
      case .read(let held, _, let soundBytes):
        #expect(soundBytes <= bytes.count)
        if trial == 0 { #expect(!held.isEmpty && soundBytes > 0) }
      }
    }
    #expect(refusals > 0 && refusals < 300)
  }

  @Test(arguments: [
    (ReportFormat.jsonl, "{}\n", "line 1: found no entry with a picture's name"),
    (.jsonl, "[\n", "line 1: found no entry with a picture's name"),
    (.coco, "[\n{\"image\":\"a\"}\n", "line 2: found no entry with a picture's name"),
    (.csv, "\n", "line 1: found another first row"),
    (.json, "nonsense\n", "line 1: found no entry with a picture's name"),
    (.text, "a.png\n", "line 1: found a report that does not name its pictures"),
  ])
  func refusesOtherFiles(format: ReportFormat, text: String, found: String) {
    let error = #expect(throws: EarlierReportError.self) {
      var earlier = EarlierReport(format, source: "out")
      try earlier.read(Array(text.utf8)[...])
    }
    #expect(error?.description == "out, \(found), expected what --format \(format) wrote")
  }
}
