// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// The orientation in an Exif block: a TIFF header, then directories of 12-byte entries, the first of which may
/// hold tag 0x0112 (TIFF 6.0, section 2). Nil where the tag is absent or malformed.
///
/// The block may begin with the identifier that Exif has in a JPEG. The value may be of any integer type.
func exifOrientation(_ block: ArraySlice<UInt8>) -> Orientation? {
  let identifier = Array("Exif\0\0".utf8)
  let bytes = block.starts(with: identifier) ? block.dropFirst(identifier.count) : block
  let isLittleEndian = bytes.starts(with: "II".utf8)
  guard isLittleEndian || bytes.starts(with: "MM".utf8) else { return nil }

  func number(at offset: Int, byteCount: Int) -> Int? {
    guard offset <= bytes.count - byteCount else { return nil }
    let field = bytes.dropFirst(offset).prefix(byteCount)
    return isLittleEndian ? integer(field.reversed()) : integer(field)
  }

  guard
    number(at: 2, byteCount: 2) == 42,
    let directory = number(at: 4, byteCount: 4),
    let entryCount = number(at: directory, byteCount: 2)
  else { return nil }

  for index in 0..<entryCount {
    let entry = directory + 2 + 12 * index
    guard let tag = number(at: entry, byteCount: 2) else { return nil }
    guard tag == 0x0112 else { continue }
    guard
      let type = number(at: entry + 2, byteCount: 2), let byteCount = bytesOfInteger(type),
      number(at: entry + 4, byteCount: 4) == 1
    else { return nil }
    return number(at: entry + 8, byteCount: byteCount).flatMap(Orientation.init)
  }
  return nil
}

/// The bytes of a value of one of TIFF's types: BYTE, SHORT, LONG, and those with a sign; nil for other types.
private func bytesOfInteger(_ type: Int) -> Int? {
  switch type {
  case 1, 6: 1
  case 3, 8: 2
  case 4, 9: 4
  default: nil
  }
}
