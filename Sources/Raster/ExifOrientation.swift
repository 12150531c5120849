extension RGBImage {
  /// The picture turned so that it stands as the camera's owner saw it.
  ///
  /// - Parameter exifOrientation: the Exif tag 0x0112, which says where the stored row 0 and
  ///   column 0 lie: 1 upright, 2 mirrored left to right, 3 turned by 180°, 4 mirrored top to
  ///   bottom, 5 transposed, 6 to be turned clockwise by 90°, 7 transposed along the other
  ///   diagonal, 8 to be turned counterclockwise by 90°. Other values change nothing.
  ///   Exif 2.32 (CIPA DC-008), 4.6.4 A.
  public func upright(exifOrientation: Int) -> RGBImage {
    guard (2...8).contains(exifOrientation) else { return self }
    let swapsSides = exifOrientation >= 5
    let newWidth = swapsSides ? height : width
    let newHeight = swapsSides ? width : height

    // The stored picture's first pixel in the new one, and the steps there (in pixels) of one
    // column and one row of the stored picture.
    let right = newWidth - 1
    let bottom = (newHeight - 1) * newWidth
    let (origin, columnStep, rowStep) =
      switch exifOrientation {
      case 2: (right, -1, newWidth)
      case 3: (right + bottom, -1, -newWidth)
      case 4: (bottom, 1, -newWidth)
      case 5: (0, newWidth, 1)
      case 6: (right, newWidth, -1)
      case 7: (right + bottom, -newWidth, -1)
      default: (bottom, -newWidth, 1)
      }

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

/// The orientation (1…8) in an eXIf chunk: a TIFF header, then directories of 12-byte entries,
/// of which the first directory may hold tag 0x0112 (TIFF 6.0, section 2). 1 if it is absent
/// or anything about it is malformed.
func exifOrientation(tiff bytes: UnsafeBufferPointer<UInt8>) -> Int {
  let isLittleEndian: Bool
  switch (bytes.first, bytes.dropFirst().first) {
  case (UInt8(ascii: "I"), UInt8(ascii: "I")): isLittleEndian = true
  case (UInt8(ascii: "M"), UInt8(ascii: "M")): isLittleEndian = false
  default: return 1
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
  else { return 1 }

  for index in 0..<entryCount {
    let entry = directory + 2 + 12 * index
    guard let tag = integer(at: entry, byteCount: 2) else { return 1 }
    guard tag == 0x0112 else { continue }
    let typeShort = 3
    guard
      integer(at: entry + 2, byteCount: 2) == typeShort,
      integer(at: entry + 4, byteCount: 4) == 1,
      let orientation = integer(at: entry + 8, byteCount: 2),
      (1...8).contains(orientation)
    else { return 1 }
    return orientation
  }
  return 1
}
