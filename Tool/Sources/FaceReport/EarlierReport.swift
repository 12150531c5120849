// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// A report that an earlier run wrote, read in chunks: which pictures it holds, and how many of its bytes are sound.
///
/// One damaged before its end is refused, since continuing it would keep the damage. The last picture of an incomplete
/// report does not count, since its entries may be incomplete.
package struct EarlierReport: ~Copyable {
  /// How often the report holds each picture, by the bytes of its name. In COCO's format, a picture
  /// that comes twice in a row with the same number looks like one that comes once.
  package private(set) var held: [[UInt8]: Int] = [:]
  package private(set) var failed: Set<[UInt8]> = []
  /// The number of bytes up to the end of the last held entry, without the separator after it.
  package private(set) var soundBytes = 0

  private let format: ReportFormat
  private let columns: String
  private let source: String
  private var line: [UInt8] = []
  /// Whether the line so far contains an odd number of quotes.
  private var isInsideQuotes = false
  private var lineStart = 0
  /// The number of the line being read, and how many newlines its quoted fields contain.
  private var lineNumber = 1
  private var linesInside = 0
  /// The picture whose entries are being read, and the offset where the last of them ends.
  private var last: (entry: EarlierEntry, end: Int)?
  /// Whether the next line may end the array, and whether it may be an entry.
  private var mayEnd = true
  private var mayContinue = true
  private var hasEnded = false

  /// Enough for the most faces that a picture can have. Decoding a line takes 26 times its size in memory.
  private static let longestLine = 16 << 20

  package init(_ format: ReportFormat, in space: ReportSpace = ReportSpace(), source: String) {
    self.format = format
    columns = DetectionReport.columns(in: space)
    self.source = source
  }

  package mutating func read(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      append(rest[..<end])
      rest = rest[(end + 1)...]
      if format == .csv, isInsideQuotes {
        line.append(UInt8(ascii: "\n"))
        linesInside += 1
        continue
      }
      try readLine()
      lineNumber += 1 + linesInside
      linesInside = 0
      lineStart += line.count + 1
      line.removeAll(keepingCapacity: true)
    }
    append(rest)
    guard line.count <= Self.longestLine else { throw failure("\(line.count) bytes") }
  }

  /// Checks the end, after the last bytes. In a whole report, the last line must be whole, and the last picture counts.
  package mutating func end(isWhole: Bool) throws(FileError) {
    guard line.isEmpty || !isWhole && !hasEnded else {
      throw failure("a last line that does not end")
    }
    guard lineNumber > 1 || line.isEmpty || beginsAsReport else {
      throw failure("no beginning of a report")
    }
    if isWhole { holdLast() }
    guard isInsideQuotes, linesInside > 0 else { return }
    let rows = UntrustedText(line).parts(between: UInt8(ascii: "\n")).dropFirst()
    guard !rows.contains(where: { EarlierEntry($0.bytes, in: .csv) != nil }) else {
      throw failure("an unmatched quote")
    }
  }

  /// Whether the first line, which has not ended, may be a report's: what is none would be lost.
  private var beginsAsReport: Bool {
    format == .jsonl
      ? line.first == UInt8(ascii: "{")
      : (format.isArray ? "[" : columns).utf8.starts(with: line)
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    line += bytes
    for byte in bytes where byte == UInt8(ascii: "\"") { isInsideQuotes.toggle() }
  }

  private mutating func readLine() throws(FileError) {
    guard format.namesPictures, !format.hasFilePerPicture else {
      throw failure("a report that does not name its pictures")
    }
    guard !hasEnded else { throw failure("more after the array's end") }
    if lineNumber == 1, format != .jsonl {
      guard line == Array((format.isArray ? "[" : columns).utf8) else {
        throw failure(format.isArray ? "no opening bracket" : "a different header row")
      }
    } else if format.isArray, mayEnd, line == Array("]".utf8) {
      hasEnded = true
    } else {
      try readEntry()
    }
  }

  private mutating func readEntry() throws(FileError) {
    guard mayContinue else { throw failure("no comma before the line") }
    let hasComma = format.isArray && line.last == UInt8(ascii: ",")
    let text = hasComma ? line.dropLast() : line[...]
    guard let entry = EarlierEntry(text, in: format) else {
      throw failure("no entry, or a damaged one")
    }
    if let face = entry.face, face > 1,
      last?.entry.name != entry.name || last?.entry.face != face - 1
    {
      throw failure("a face that does not follow the one before it")
    }
    if format.isArray { (mayEnd, mayContinue) = (!hasComma, hasComma) }
    if let last, isNext(entry, after: last.entry) { holdLast() }
    last = (entry, lineStart + (format.isArray ? text.count : line.count + 1))
  }

  private mutating func holdLast() {
    guard let last else { return }
    held[last.entry.name, default: 0] += 1
    if last.entry.hasFailed { failed.insert(last.entry.name) }
    soundBytes = last.end
  }

  /// Whether an entry belongs to a different picture from the one before it.
  private func isNext(_ entry: EarlierEntry, after other: EarlierEntry) -> Bool {
    switch format {
    case .csv: entry.face.map { $0 <= 1 } == true
    case .coco: entry.name != other.name || entry.number != other.number
    default: true
    }
  }

  private func failure(_ found: String) -> FileError {
    FileError(
      path: "\(source), line \(lineNumber)", found: found,
      expected: "what --format \(format) wrote")
  }
}

/// What an earlier run wrote about a picture or one of its faces. It is sound if writing it again gives the same bytes.
struct EarlierEntry {
  var name: [UInt8]
  /// The picture's number in a data set.
  var number: Int?
  /// The face's number in a row of CSV: from 1, or 0 if the picture has no face; nil in JSON.
  var face: Int?
  var hasFailed = false

  /// Reads an object or a row; nil if it is damaged, is none of the format, or names no picture.
  init?(_ text: ArraySlice<UInt8>, in format: ReportFormat) {
    switch format {
    case .json, .jsonl: self.init(object: text)
    case .coco: self.init(cocoObject: text)
    case .csv: self.init(row: text)
    case .text, .wider, .yolo, .voc, .xmp: return nil
    }
  }

  private init?(object: ArraySlice<UInt8>) {
    if let report = sound(DetectionReport.self, object) {
      guard report.faces.allSatisfy({ isScore($0.score) }),
        report.view == nil || report.view?.system != nil
      else { return nil }
      name = Array(report.image.utf8)
    } else if let failure = sound(FailureReport.self, object) {
      name = Array(failure.image.utf8)
      hasFailed = true
    } else {
      return nil
    }
  }

  private init?(cocoObject object: ArraySlice<UInt8>) {
    guard let detection = sound(COCODetection.self, object), let name = detection.fileName,
      detection.bbox.count == 4, isScore(Double(detection.score))
    else { return nil }
    self.name = Array(name.utf8)
    number = detection.image
  }

  private init?(row: ArraySlice<UInt8>) {
    guard let fields = DetectionReport.fields(of: row) else { return nil }
    func areNumbers(_ range: Range<Int>) -> Bool {
      fields[range].allSatisfy { field in field.decimal().map { UntrustedText("\($0)") } == field }
    }
    func areEmpty(_ range: Range<Int>) -> Bool { fields[range].allSatisfy(\.isEmpty) }
    name = unescaped(fields[0].bytes)
    let numbers = fields[1...3].map { $0.integer() }
    guard
      zip(numbers, fields[1...3]).allSatisfy({
        UntrustedText($0.map { number in "\(number)" } ?? "") == $1
      }),
      let width = numbers[0], let height = numbers[1], width > 0, height > 0
    else { return nil }
    guard let face = numbers[2] else {
      guard areEmpty(4..<fields.count) else { return nil }
      self.face = 0
      return
    }
    self.face = face
    guard face > 0, areNumbers(4..<9), areNumbers(9..<19) || areEmpty(9..<19),
      let score = fields[4].decimal(), isScore(score),
      areNumbers(19..<22) || areEmpty(19..<22), fields[22].isEmpty || fields[22] == "true"
    else { return nil }
  }
}

private func isScore(_ score: Double) -> Bool { (0...1).contains(score) }

/// Enough for the most faces that a picture can have.
private let bounds = JSONBounds(depth: 8, values: 1 << 21, members: 64)

/// The decoded object; nil if encoding it again gives different bytes. Earlier versions escaped less.
private func sound<T: Codable>(_ type: T.Type, _ object: ArraySlice<UInt8>) -> T? {
  guard let value = try? decodedJSON(type, from: object, within: bounds),
    let text = String(validating: object, as: UTF8.self), let again = try? value.json(),
    again.utf8.elementsEqual(printableJSON(text).utf8)
  else { return nil }
  return value
}
