import FaceDecoding

/// A report that an earlier run wrote, read in chunks: which pictures it holds, and how many of its
/// bytes are sound. A report damaged before its end is refused, since continuing it would keep the
/// damage.
///
/// The last picture of an incomplete report does not count, since its entries may be incomplete.
package struct EarlierReport: ~Copyable {
  /// How often the report holds each picture, by the bytes of its name. In COCO's format, a picture
  /// that comes twice in a row with the same number looks like one that comes once.
  package private(set) var held: [[UInt8]: Int] = [:]
  /// The held pictures that failed.
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
  private var array = ArrayState.unopened

  /// What precedes the next line of an array.
  private enum ArrayState {
    case unopened, opening, comma, entry, closing
  }

  /// Enough for the most faces that a picture can have. Decoding a line takes 26 times its size in
  /// memory.
  private static let longestLine = 16 << 20

  /// - Parameters:
  ///   - coordinates: the coordinate system of the positions.
  ///   - source: the file's name, for error messages.
  package init(_ format: ReportFormat, coordinates: CoordinateSystem = .pixels, source: String) {
    self.format = format
    columns = DetectionReport.columns(in: coordinates)
    self.source = source
  }

  /// Reads the next bytes.
  ///
  /// - Throws: `EarlierReportError` if this is not a report in the format.
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

  /// Checks the end; call it after the last bytes.
  ///
  /// - Parameter isWhole: whether the report was completed, so that its last line must be whole, and its last
  ///   picture counts.
  /// - Throws: `EarlierReportError` if a complete report ends within a line, or if an unmatched
  ///   quote hides rows.
  package mutating func end(isWhole: Bool) throws(EarlierReportError) {
    guard line.isEmpty || !isWhole && array != .closing else {
      throw failure("a last line that does not end")
    }
    if isWhole { holdLast() }
    guard isInsideQuotes, linesInside > 0 else { return }
    let rows = line.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard !rows[1...].contains(where: { EarlierEntry(row: Array($0)) != nil }) else {
      throw failure("an unmatched quote")
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
        guard line == Array(columns.utf8) else { throw failure("a different header row") }
        return
      }
      guard let entry = EarlierEntry(row: line) else { throw failure(Self.noEntry) }
      let isSamePicture = last?.entry.name == entry.name
      guard let face = entry.face, face <= 1 || isSamePicture && last?.entry.face == face - 1 else {
        throw failure("a face that does not follow the one before it")
      }
      add(entry, length: line.count + 1)
    case .jsonl:
      guard let entry = EarlierEntry(object: line[...]) else { throw failure(Self.noEntry) }
      add(entry, length: line.count + 1)
    case .json, .coco: try readLineOfArray()
    case .text, .wider, .yolo, .xmp: throw failure("a report that does not name its pictures")
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

  /// - Parameter length: in bytes, without the separator after it.
  private mutating func add(_ entry: EarlierEntry, length: Int) {
    if let last, isNext(entry, after: last.entry) { holdLast() }
    last = (entry, lineStart + length)
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

  private func failure(_ found: String) -> EarlierReportError {
    EarlierReportError(source: source, line: lineNumber, found: found, format: format)
  }
}

/// A file that is not what an earlier run wrote.
package struct EarlierReportError: Error, Equatable, Sendable, CustomStringConvertible {
  var source: String
  var line: Int
  var found: String
  var format: ReportFormat

  package var description: String {
    "\(source), line \(line): found \(found), expected what --format \(format) wrote"
  }
}
