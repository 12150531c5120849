// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// How the parts of a film's container are written, one behind another: each a head with its kind and its size.
enum PartSyntax {
  /// Of QuickTime and MP4 (ISO/IEC 14496-12, 4.2).
  case boxes
  /// Of Matroska (EBML, RFC 8794, 5).
  case elements

  static let longestHead = 16

  /// What a head says: what kind of part it is, and where its content begins and ends, counted from the head; nil
  /// where it is none.
  func head(_ bytes: ArraySlice<UInt8>) -> (id: Int, start: Int, end: Int)? {
    switch self {
    case .boxes:
      guard bytes.count >= 8 else { return nil }
      let size = bigEndian(bytes.prefix(4))
      let id = bigEndian(bytes.dropFirst(4).prefix(4))
      switch size {
      // Up to the end of what contains it.
      case 0: return (id, 8, Int.max)
      case 1 where bytes.count >= 16:
        let size = bigEndian(bytes.dropFirst(9).prefix(7))
        return bytes.dropFirst(8).first == 0 && size >= 16 ? (id, 16, size) : nil
      default: return size >= 8 ? (id, 8, size) : nil
      }
    case .elements:
      guard let length = bytes.first.map({ $0.leadingZeroBitCount + 1 }), length <= 4,
        let first = bytes.dropFirst(length).first
      else { return nil }
      let id = bigEndian(bytes.prefix(length))
      let sizeLength = first.leadingZeroBitCount + 1
      guard sizeLength <= 8, bytes.count >= length + sizeLength else { return nil }
      let ones = 1 << (7 * sizeLength) - 1
      let size = bigEndian(bytes.dropFirst(length).prefix(sizeLength)) & ones
      let start = length + sizeLength
      return (id, start, size == ones ? Int.max : start + size)
    }
  }
}

/// The parts of a content, up to the first that is damaged, each found on demand: there may be very many.
struct Parts: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>
  private let syntax: PartSyntax

  init(of content: ArraySlice<UInt8>, _ syntax: PartSyntax) {
    (rest, self.syntax) = (content, syntax)
  }

  mutating func next() -> (id: Int, content: ArraySlice<UInt8>)? {
    guard let (id, start, end) = syntax.head(rest.prefix(PartSyntax.longestHead)) else {
      return nil
    }
    defer { rest = rest.dropFirst(end) }
    return (id, rest.prefix(end).dropFirst(start))
  }
}

/// A film's file, of which a part is read.
final class PartedFile {
  /// So many parts may come before the one that is looked for, such as the clusters of a film of days.
  private static let mostParts = 100_000
  private let descriptor: Int32
  private let syntax: PartSyntax
  private let size: Int

  init?(_ path: String, _ syntax: PartSyntax) {
    descriptor = open(systemPath(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    self.syntax = syntax
    size = Int(lseek(descriptor, 0, SEEK_END))
    if descriptor < 0 || size < 0 { return nil }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// The content of the first part of these kinds, each within the one before it, up to a limit; nil where there is
  /// none.
  func part(_ kinds: [Int], limit: Int) -> ArraySlice<UInt8>? {
    var place = 0..<size
    for kind in kinds {
      guard let found = part(kind, in: place) else { return nil }
      place = found
    }
    return bytes(at: place.lowerBound, count: min(place.count, limit))
  }

  private func part(_ kind: Int, in place: Range<Int>) -> Range<Int>? {
    var rest = place
    for _ in 0..<Self.mostParts {
      let bytes = bytes(at: rest.lowerBound, count: min(rest.count, PartSyntax.longestHead))
      guard let (id, start, end) = syntax.head(bytes), start <= rest.count else { return nil }
      let next = rest.lowerBound + min(end, rest.count)
      if id == kind { return rest.lowerBound + start..<next }
      rest = next..<rest.upperBound
    }
    return nil
  }

  private func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
    }[...]
  }
}

func bigEndian(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
