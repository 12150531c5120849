import Geometry

/// The Exif orientation of a PNG: that of its first eXIf chunk that is not empty and whose checksum
/// is right; `.up` where there is none.
///
/// libpng's push reader keeps such a chunk before it checks the checksum, so the chunks are
/// searched here. `bytes` start with the signature.
func exifOrientation(png bytes: UnsafeBufferPointer<UInt8>) -> Orientation {
  func integer(at offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
  // PNG specification, 5.3: length, type, content, checksum of type and content.
  var offset = 8
  while bytes.count - offset >= 12 {
    let type = bytes[offset + 4..<offset + 8]
    let start = offset + 8
    let end = start + integer(at: offset)
    guard end <= bytes.count - 4, !type.elementsEqual("IEND".utf8) else { return .up }
    if type.elementsEqual("eXIf".utf8), start < end,
      integer(at: end) == checksum(bytes[offset + 4..<end])
    {
      return exifOrientation(tiff: UnsafeBufferPointer(rebasing: bytes[start..<end]))
    }
    offset = end + 4
  }
  return .up
}

/// The CRC-32 of PNG specification, 5.5.
private func checksum(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
  var remainder = UInt32.max
  for byte in bytes {
    remainder ^= UInt32(byte)
    for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1) &* 0xEDB8_8320 }
  }
  return Int(~remainder)
}
