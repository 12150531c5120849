// SPDX-License-Identifier: Apache-2.0

/// A chunk of a PNG file: length, type, content and checksum (PNG specification, annex D).
package func pngChunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
  func word(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
  let checked = Array(type.utf8) + content
  let sum = checked.reduce(UInt32.max) {
    checksums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8
  }
  return word(UInt32(content.count)) + checked + word(~sum)
}

private let checksums = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1) * 0xEDB8_8320 }
}
