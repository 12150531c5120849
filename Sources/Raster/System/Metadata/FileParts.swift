// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

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

/// The longest part of a file that is kept or inflated, in bytes, as libpng's own default has it.
let largestPart = 8_000_000

/// An integer with its high byte first.
func integer(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

/// The four bytes of an integer, with its high byte first.
func bigEndian(_ value: Int) -> [UInt8] {
  UInt32(truncatingIfNeeded: value).littleEndianBytes.reversed()
}
