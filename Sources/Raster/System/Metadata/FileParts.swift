// SPDX-License-Identifier: Apache-2.0
import CPNG
import Untrusted

/// A PNG's chunks up to IEND (PNG specification, 5.3), damaged or not.
struct PNGChunks: Sequence, IteratorProtocol {
  struct Chunk {
    /// The longest content that is kept or inflated, as libpng's own default has it.
    static let largestContent = 8_000_000

    var type: UntrustedText
    var content: ArraySlice<UInt8>
    /// Type and content.
    fileprivate var checked: ArraySlice<UInt8>
    fileprivate var checksum: Int

    /// Whether the checksum is right.
    var isSound: Bool { PNGChunks.checksum(checked) == checksum }
  }

  private var rest: ArraySlice<UInt8>

  /// The chunks of a file, which begins with the signature.
  init(_ bytes: [UInt8]) { rest = bytes.dropFirst(8) }

  mutating func next() -> Chunk? {
    guard rest.count >= 12 else { return nil }
    let length = integer(rest.prefix(4))
    guard length <= rest.count - 12 else { return nil }
    let checked = rest.dropFirst(4).prefix(4 + length)
    let type = UntrustedText(checked.prefix(4))
    rest = rest.dropFirst(8 + length)
    defer { rest = rest.dropFirst(4) }
    return type == "IEND"
      ? nil
      : Chunk(
        type: type, content: checked.dropFirst(4), checked: checked,
        checksum: integer(rest.prefix(4)))
  }

  /// How many bytes a file's texts and profiles together may inflate to. They may expand a thousandfold, and are
  /// read in a time that grows with it; those of editors shrink to a tenth, but are a small part of most files.
  static func inflationAllowance(ofFile count: Int) -> Int { (1 << 20) + 8 * count }

  /// The checksum of a chunk's type and content (PNG specification, 5.5).
  static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { Int(cpng_checksum($0.baseAddress, $0.count)) }
  }
}

extension PNGChunks.Chunk {
  /// The keyword of a chunk of text; nil where it is malformed.
  var keyword: UntrustedText? {
    content.prefix(80).firstIndex(of: 0).map { UntrustedText(content[..<$0]) }
  }

  /// The text of a chunk tEXt, zTXt or iTXt (PNG specification, 11.3.3), or the profile of an iCCP, inflated; nil
  /// where it is damaged or too long.
  ///
  /// - Parameter allowance: how many bytes may be inflated, which this reduces.
  func text(allowance: inout Int) -> ArraySlice<UInt8>? {
    guard let end = content.firstIndex(of: 0) else { return nil }
    var rest = content[(end + 1)...]
    let isCompressed =
      type == "zTXt" || type == "iCCP" || type == "iTXt" && rest.popFirst() == 1
    let method = type == "tEXt" ? nil : rest.popFirst()
    if type == "iTXt" {
      // The language, and the keyword in it.
      for _ in 0..<2 {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        rest = rest[(end + 1)...]
      }
    }
    guard isCompressed else { return rest }
    guard method == 0 else { return nil }
    let (text, isWhole) = inflated(rest, limit: min(allowance, Self.largestContent))
    allowance -= text.count
    return isWhole ? text[...] : nil
  }
}

/// A JPEG's segments up to its first scan (ISO/IEC 10918-1, B.1.1).
struct JPEGSegments: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
    while let start = rest.firstIndex(of: 0xFF) {
      rest = rest[start...].drop { $0 == 0xFF }
      guard let marker = rest.popFirst() else { return nil }
      switch marker {
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xD9, 0xDA: return nil
      default:
        let length = integer(rest.prefix(2))
        guard 2 <= length, length <= rest.count else { return nil }
        defer { rest = rest.dropFirst(length) }
        return (marker, rest.prefix(length).dropFirst(2))
      }
    }
    return nil
  }
}

/// A WebP's chunks (RFC 9649, 2.3): after "RIFF", a size and "WEBP", each is a name, a size and as many bytes,
/// made even. The last may be cut off.
struct WebPChunks: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes.dropFirst(12) }

  mutating func next() -> (name: UntrustedText, content: ArraySlice<UInt8>)? {
    guard rest.count >= 8 else { return nil }
    let name = UntrustedText(rest.prefix(4))
    let size = integer(rest.dropFirst(4).prefix(4).reversed())
    rest = rest.dropFirst(8)
    defer { rest = rest.dropFirst(size + size % 2) }
    return (name, rest.prefix(size))
  }
}

/// An integer with its high byte first.
func integer(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

/// The four bytes of an integer, with its high byte first.
func bigEndian(_ value: Int) -> [UInt8] {
  UInt32(truncatingIfNeeded: value).littleEndianBytes.reversed()
}

/// What zlib's data (RFC 1950) expands to, and whether that is all: it may be damaged, or longer than the limit.
private func inflated(_ bytes: ArraySlice<UInt8>, limit: Int) -> (bytes: [UInt8], isWhole: Bool) {
  var isWhole = false
  let result = [UInt8](unsafeUninitializedCapacity: max(limit, 0)) { target, count in
    count = target.count
    isWhole = bytes.withUnsafeBufferPointer {
      cpng_inflate($0.baseAddress, $0.count, target.baseAddress, &count)
    }
  }
  return (result, isWhole)
}

/// The bytes as zlib's data.
func deflated(_ bytes: [UInt8]) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: cpng_deflate_bound(bytes.count)) { target, count in
    count = target.count
    cpng_deflate(bytes, bytes.count, target.baseAddress, &count)
  }
}
