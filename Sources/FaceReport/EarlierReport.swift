import FaceDecoding

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What an earlier run wrote of a report, read piece by piece: which pictures it holds, and how much
/// of it is sound.
///
/// The last picture does not count, since its entries may not be complete.
package struct EarlierReport: ~Copyable {
  /// How often each picture is held, by the bytes of its name; CSV does not tell a picture that comes
  /// twice in a row from one that comes once.
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
  private var lineNumber = 0
  /// The picture whose entries are being read, and where the last of them ends.
  private var last: (entry: Entry, end: Int)?

  private struct Entry {
    var name: [UInt8]
    var number: Int?
    var hasFailed = false
    /// In bytes, without what parts it from the next.
    var length: Int
  }

  /// A line of more bytes is not one of ours.
  private static let longestLine = 64 << 20

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
        continue
      }
      try readLine()
      lineStart += line.count + 1
      line.removeAll(keepingCapacity: true)
    }
    append(rest)
    guard line.count <= Self.longestLine else { throw failure("\(line.count) bytes") }
  }

  /// To be called at the end.
  ///
  /// - Parameter isWhole: whether the report was brought to its end, so that no line can be torn.
  /// - Throws: `EarlierReportError` where one is.
  package mutating func end(isWhole: Bool) throws(EarlierReportError) {
    lineNumber += 1
    guard !isWhole || line.isEmpty else { throw failure("no end of the last line") }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    line += bytes
    for byte in bytes where byte == UInt8(ascii: "\"") { isInsideQuotes.toggle() }
  }

  private mutating func readLine() throws(EarlierReportError) {
    lineNumber += 1
    guard let entry = try entry() else { return }
    if let last, isNext(entry, after: last.entry) {
      held[last.entry.name, default: 0] += 1
      if last.entry.hasFailed { failed.insert(last.entry.name) }
      soundBytes = last.end
    }
    last = (entry, lineStart + entry.length)
  }

  /// Whether an entry is of another picture than the one before it.
  private func isNext(_ entry: Entry, after other: Entry) -> Bool {
    format == .json || format == .jsonl || entry.name != other.name || entry.number != other.number
  }

  /// An entry; nil for a line that is none.
  private func entry() throws(EarlierReportError) -> Entry? {
    switch format {
    case .csv:
      if lineNumber == 1 {
        guard line == Array(columns.utf8) else { throw failure("another first row") }
        return nil
      }
      guard let name = firstField else { throw failure("no picture's name") }
      return Entry(name: name, length: line.count + 1)
    case .json, .jsonl, .coco:
      let isArray = format != .jsonl
      if isArray, line == Array("[".utf8) || line == Array("]".utf8) { return nil }
      let hasComma = isArray && line.last == UInt8(ascii: ",")
      let object = hasComma ? line.dropLast() : line[...]
      guard let named = try? JSONDecoder().decode(Named.self, from: Data(object)),
        let name = format == .coco ? named.file_name : named.image
      else { throw failure("no entry with a picture's name") }
      return Entry(
        name: Array(name.utf8), number: named.image_id, hasFailed: named.error != nil,
        length: object.count + (isArray ? 0 : 1))
    case .text, .wider, .yolo: throw failure("a report that does not name its pictures")
    }
  }

  private var firstField: [UInt8]? {
    let quote = UInt8(ascii: "\"")
    guard line.first == quote else {
      return line.firstIndex(of: UInt8(ascii: ",")).map { Array(line[..<$0]) }
    }
    var name: [UInt8] = []
    var index = 1
    while index < line.count {
      if line[index] == quote {
        guard index + 1 < line.count, line[index + 1] == quote else { break }
        index += 1
      }
      name.append(line[index])
      index += 1
    }
    return name
  }

  private func failure(_ found: String) -> EarlierReportError {
    EarlierReportError(source: source, line: lineNumber, found: found, format: format)
  }
}

private struct Named: Decodable {
  var image: String?
  var file_name: String?
  var image_id: Int?
  var error: String?
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
