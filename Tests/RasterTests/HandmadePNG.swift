// SPDX-License-Identifier: Apache-2.0
import TestSupport

/// A PNG put together chunk by chunk, with uncompressed ("stored") image data, so that reading
/// is tested without our own writer.
struct HandmadePNG {
  enum ColorType: UInt8 {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6
  }

  var width: Int
  var height: Int
  var bitDepth: UInt8 = 8
  var colorType: ColorType
  var isInterlaced = false

  /// The rows with their filter bytes.
  var data: [UInt8]

  /// The compressed contents of the IDAT chunks, instead of `data`.
  var compressedData: [[UInt8]]?

  var chunksBeforeData: [(type: String, content: [UInt8])] = []
  var chunksAfterData: [(type: String, content: [UInt8])] = []

  var bytes: [UInt8] {
    var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    png += pngChunk(
      "IHDR",
      bigEndian(width) + bigEndian(height)
        + [bitDepth, colorType.rawValue, 0, 0, isInterlaced ? 1 : 0])
    for chunk in chunksBeforeData { png += pngChunk(chunk.type, chunk.content) }
    for piece in compressedData ?? [zlibStored(data)] { png += pngChunk("IDAT", piece) }
    for chunk in chunksAfterData { png += pngChunk(chunk.type, chunk.content) }
    return png + pngChunk("IEND", [])
  }
}

func bigEndian(_ value: Int) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
}

/// RFC 1950 around RFC 1951, 3.2.4.
func zlibStored(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = [0x78, 0x01]
  var start = 0
  repeat {
    let end = min(start + 65535, bytes.count)
    let length = end - start
    result.append(end == bytes.count ? 1 : 0)
    for value in [length, ~length] {
      result += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    result += bytes[start..<end]
    start = end
  } while start < bytes.count
  var (a, b) = (1, 0)
  for byte in bytes {
    a = (a + Int(byte)) % 65521
    b = (b + a) % 65521
  }
  return result + bigEndian(b << 16 | a)
}

/// A TIFF structure with one directory of one entry: the orientation.
func exifContent(orientation: UInt8, isLittleEndian: Bool) -> [UInt8] {
  isLittleEndian
    ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0]
      + [UInt8](repeating: 0, count: 6)
    : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation]
      + [UInt8](repeating: 0, count: 6)
}
