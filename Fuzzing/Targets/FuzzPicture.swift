// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

/// Interprets bytes as a PNG, as they are and with corrected checksums, since mutated bytes hardly
/// ever match theirs. What is accepted is resized, and must be the same when written and read
/// again.
public func fuzzPicture(_ bytes: [UInt8]) {
  decode(bytes)
  decode(repairingChecksums(bytes))
}

private func decode(_ bytes: [UInt8]) {
  var limits = Picture.Limits()
  limits.maximumPixels = 1 << 22
  guard let stored = try? Picture.decodeStored(bytes, limits: limits) else { return }
  let image = stored.upright
  precondition(image.pixels.count == 3 * image.width * image.height, "pixels are missing")
  // A large picture from a short input is all one colour: only decoding it is of interest.
  guard image.pixels.count <= 3 << 16 else { return }
  for filter in ResizeFilter.allCases {
    for (width, height) in [(7, 5), (32, 64), (max(1, image.width / 2), max(1, image.height / 2))] {
      precondition((try? image.resized(width: width, height: height, filter: filter)) != nil)
    }
  }
  guard let written = try? PNG.encode(image, color: stored.color) else {
    preconditionFailure("it cannot be written")
  }
  precondition((try? Picture.decode(written)) == image, "what was written is read differently")
}

/// The same chunks with correct checksums, as far as the lengths make sense.
public func repairingChecksums(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var start = 8
  while start + 12 <= bytes.count {
    let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    let end = start + 8 + length
    guard end + 4 <= bytes.count else { break }
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in bytes[start + 4..<end] {
      remainder = checksums[Int((remainder ^ UInt32(byte)) & 0xFF)] ^ remainder >> 8
    }
    for (place, shift) in [24, 16, 8, 0].enumerated() {
      bytes[end + place] = UInt8(truncatingIfNeeded: ~remainder >> UInt32(shift))
    }
    start = end + 4
  }
  return bytes
}

/// The checksum of each byte: PNG specification, annex D.
private let checksums: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { remainder, _ in
    remainder & 1 == 1 ? 0xEDB8_8320 ^ remainder >> 1 : remainder >> 1
  }
}
