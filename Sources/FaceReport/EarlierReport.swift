import FaceDecoding

/// What an earlier run wrote of a report, read piece by piece: which pictures it holds, and how much
/// of it is sound. What is damaged before its end is refused, since the result would be, too.
///
/// The last picture does not count, since its entries may not be complete.
package struct EarlierReport: ~Copyable {
  /// How often each picture is held, by the bytes of its name; COCO does not tell a picture that comes
  /// twice in a row with one number from one that comes once.
  package private(set) var held: [[UInt8]: Int] = [:]
  /// Those of them that failed.
  package private(set) var failed: Set<[UInt8]> = []
  /// The bytes up to the end of the last entry of these, without what parts it from the next.
  package private(set) var soundBytes = 0

  private let format: ReportFormat
  private let columns: String
  private let source: String
  private var line: [UInt8] = []
  /// Whether the quotes of the line so far are odd in number.
  private var isInsideQuotes = false
  private var lineStart = 0
  /// Of the line that is being read, and how many more it spans.
  private var lineNumber = 1
  private var linesInside = 0
  /// The picture whose entries are being read, and where the last of them ends.
  private var last: (entry: EarlierEntry, end: Int)?
  private var array = ArrayState.unopened

  /// What a line of an array follows.
  private enum ArrayState {
    case unopened, opening, comma, entry, closing
  }

  /// A picture of as many faces as are looked at takes less; decoding takes 26 times as much memory.
  private static let longestLine = 16 << 20

  /// - Parameters:
  ///   - coordinates: in which positions are written.
  ///   - source: the file's name, for errors.
  package init(_ format: ReportFormat, coordinates: CoordinateSystem = .pixels, source: String) {
    self.format = format
    columns = DetectionReport.columns(in: coordinates)
    self.source = source
  }

  /// Reads on.
  ///
  /// - Throws: `EarlierReportError` where this is no report in the format.
  package mutating func read(_ bytes: ArraySlice<UInt8>) throws(EarlierReportError) {
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

  /// To be called at the end.
  ///
  /// - Parameter isWhole: whether the report was brought to its end, so that no line can be torn.
  /// - Throws: `EarlierReportError` where one is, or where a quote that is missing hides rows.
  package mutating func end(isWhole: Bool) throws(EarlierReportError) {
    guard line.isEmpty || !isWhole && array != .closing else {
      throw failure("no end of the last line")
    }
    guard isInsideQuotes, linesInside > 0 else { return }
    let rows = line.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard !rows[1...].contains(where: { EarlierEntry(row: Array($0)) != nil }) else {
      throw failure("a quote without another one")
    }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    line += bytes
    for byte in bytes where byte == UInt8(ascii: "\"") { isInsideQuotes.toggle() }
  }

  private mutating func readLine() throws(EarlierReportError) {
    switch format {
    case .csv:
      guard lineNumber > 1 else {
        guard line == Array(columns.utf8) else { throw failure("another first row") }
        return
      }
      guard let entry = EarlierEntry(row: line) else { throw failure(Self.noEntry) }
      let isSamePicture = last?.entry.name == entry.name
      guard let face = entry.face, face <= 1 || isSamePicture && last?.entry.face == face - 1 else {
        throw failure("a face before which others are missing")
      }
      add(entry, length: line.count + 1)
    case .jsonl:
      guard let entry = EarlierEntry(object: line[...]) else { throw failure(Self.noEntry) }
      add(entry, length: line.count + 1)
    case .json, .coco: try readLineOfArray()
    case .text, .wider, .yolo: throw failure("a report that does not name its pictures")
    }
  }

  private static let noEntry = "no entry, or a damaged one"

  private mutating func readLineOfArray() throws(EarlierReportError) {
    switch array {
    case .unopened:
      guard line == Array("[".utf8) else { throw failure("no opening bracket") }
      array = .opening
    case .opening, .entry:
      if line == Array("]".utf8) {
        array = .closing
        return
      }
      guard array == .opening else { throw failure("no comma before the line") }
      fallthrough
    case .comma:
      let hasComma = line.last == UInt8(ascii: ",")
      let object = hasComma ? line.dropLast() : line[...]
      let entry =
        format == .coco ? EarlierEntry(cocoObject: object) : EarlierEntry(object: object)
      guard let entry else { throw failure(Self.noEntry) }
      add(entry, length: object.count)
      array = hasComma ? .comma : .entry
    case .closing: throw failure("more after the array's end")
    }
  }

  /// - Parameter length: in bytes, without what parts it from the next.
  private mutating func add(_ entry: EarlierEntry, length: Int) {
    if let last, isNext(entry, after: last.entry) {
      held[last.entry.name, default: 0] += 1
      if last.entry.hasFailed { failed.insert(last.entry.name) }
      soundBytes = last.end
    }
    last = (entry, lineStart + length)
  }

  /// Whether an entry is of another picture than the one before it.
  private func isNext(_ entry: EarlierEntry, after other: EarlierEntry) -> Bool {
    switch format {
    case .csv: entry.face.map { $0 <= 1 } == true
    case .coco: entry.name != other.name || entry.number != other.number
    default: true
    }
  }

  private func failure(_ found: String) -> EarlierReportError {
    EarlierReportError(source: source, line: lineNumber, found: found, format: format)
  }
}

/// A file that does not hold what an earlier run wrote.
package struct EarlierReportError: Error, Equatable, Sendable, CustomStringConvertible {
  var source: String
  var line: Int
  var found: String
  var format: ReportFormat

  package var description: String {
    "\(source), line \(line): found \(found), expected what --format \(format) wrote"
  }
}
