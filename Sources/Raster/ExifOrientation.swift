import Geometry

extension RGBImage {
  /// The picture turned upright, as the photographer saw it.
  ///
  /// - Parameter orientation: how this picture is stored. Exif 2.32 (CIPA DC-008), 4.6.4 A.
  public func upright(from orientation: Orientation) -> RGBImage {
    if orientation == .up { return self }
    let newWidth = orientation.swapsWidthAndHeight ? height : width
    let newHeight = orientation.swapsWidthAndHeight ? width : height

    // Where the stored picture's first pixel goes, and how far one column and one row of the stored
    // picture move in the new one, in pixels.
    let transform = orientation.transform(of: size)
    let first = transform(Point(x: 0.5, y: 0.5))
    let origin = Int(first.y) * newWidth + Int(first.x)
    let columnStep = Int(transform.yx) * newWidth + Int(transform.xx)
    let rowStep = Int(transform.yy) * newWidth + Int(transform.xy)

    var result = RGBImage(width: newWidth, height: newHeight)
    for y in 0..<height {
      for x in 0..<width {
        let source = 3 * (y * width + x)
        let target = 3 * (origin + x * columnStep + y * rowStep)
        result.pixels[target] = pixels[source]
        result.pixels[target + 1] = pixels[source + 1]
        result.pixels[target + 2] = pixels[source + 2]
      }
    }
    return result
  }
}

/// The orientation in an Exif block: a TIFF header, then directories of 12-byte entries, the first
/// of which may hold tag 0x0112 (TIFF 6.0, section 2). `.up` if the tag is absent or malformed.
func exifOrientation(tiff bytes: UnsafeBufferPointer<UInt8>) -> Orientation {
  let isLittleEndian: Bool
  switch (bytes.first, bytes.dropFirst().first) {
  case (UInt8(ascii: "I"), UInt8(ascii: "I")): isLittleEndian = true
  case (UInt8(ascii: "M"), UInt8(ascii: "M")): isLittleEndian = false
  default: return .up
  }

  func integer(at offset: Int, byteCount: Int) -> Int? {
    guard offset <= bytes.count - byteCount else { return nil }
    let field = bytes[offset..<offset + byteCount]
    func append(_ value: Int, _ byte: UInt8) -> Int { value << 8 | Int(byte) }
    return isLittleEndian ? field.reversed().reduce(0, append) : field.reduce(0, append)
  }

  guard
    integer(at: 2, byteCount: 2) == 42,
    let directory = integer(at: 4, byteCount: 4),
    let entryCount = integer(at: directory, byteCount: 2)
  else { return .up }

  for index in 0..<entryCount {
    let entry = directory + 2 + 12 * index
    guard let tag = integer(at: entry, byteCount: 2) else { return .up }
    guard tag == 0x0112 else { continue }
    let typeShort = 3
    guard
      integer(at: entry + 2, byteCount: 2) == typeShort,
      integer(at: entry + 4, byteCount: 4) == 1,
      let orientation = integer(at: entry + 8, byteCount: 2).flatMap(Orientation.init(rawValue:))
    else { return .up }
    return orientation
  }
  return .up
}

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
