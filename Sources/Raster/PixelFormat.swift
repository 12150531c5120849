// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// How a raw buffer, such as a camera frame, orders its 8-bit samples in memory.
///
/// The alpha of `rgba` and `bgra` is ignored: such buffers are treated as opaque.
public enum PixelFormat: CaseIterable, Sendable {
  /// Red, green, blue.
  case rgb
  /// Blue, green, red: OpenCV's order.
  case bgr
  /// Red, green, blue, alpha.
  case rgba
  /// Blue, green, red, alpha: the order of `kCVPixelFormatType_32BGRA`.
  case bgra
  /// One grey sample, copied to red, green and blue.
  case gray

  /// Bytes per pixel.
  public var channels: Int { layout.channels }

  /// The number of bytes per pixel, and the offset of each colour in a pixel.
  var layout: (channels: Int, red: Int, green: Int, blue: Int) {
    switch self {
    case .rgb: (3, 0, 1, 2)
    case .bgr: (3, 2, 1, 0)
    case .rgba: (4, 0, 1, 2)
    case .bgra: (4, 2, 1, 0)
    case .gray: (1, 0, 0, 0)
    }
  }
}

extension RGBImage {
  /// Copies an image out of a raw buffer whose rows start `bytesPerRow` bytes apart, top row
  /// first. Padding between the rows is not read, and the last row needs none.
  ///
  /// - Throws: `ValueError` if the size is impossible, `bytesPerRow` is less than a row's
  ///   pixels or overflows, or the buffer ends before the last pixel.
  public init(
    copying buffer: UnsafeRawBufferPointer, width: Int, height: Int, format: PixelFormat,
    bytesPerRow: Int
  ) throws(ValueError) {
    let byteCount = try Self.byteCount(width: width, height: height)
    let (channels, red, green, blue) = format.layout
    try requireRoom(
      in: buffer.count, width: width, height: height, channels: channels, bytesPerRow: bytesPerRow)
    (self.width, self.height) = (width, height)
    pixels = [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, count in
      count = byteCount
      for y in 0..<height {
        var source = y * bytesPerRow
        for offset in stride(from: 3 * y * width, to: 3 * (y + 1) * width, by: 3) {
          bytes[offset] = buffer[source + red]
          bytes[offset + 1] = buffer[source + green]
          bytes[offset + 2] = buffer[source + blue]
          source += channels
        }
      }
    }
  }

  /// Copies an image out of contiguous bytes, such as `array.span.bytes` or `data.bytes`, as the initialiser
  /// above does out of a raw buffer.
  ///
  /// - Throws: `ValueError`, in the same cases.
  public init(
    copying bytes: RawSpan, width: Int, height: Int, format: PixelFormat, bytesPerRow: Int
  ) throws(ValueError) {
    self = try bytes.withUnsafeBytes { (buffer) throws(ValueError) in
      try RGBImage(
        copying: buffer, width: width, height: height, format: format, bytesPerRow: bytesPerRow)
    }
  }

  /// Copies an image out of an array of bytes, as the initialisers above do.
  ///
  /// - Throws: `ValueError`, in the same cases.
  public init(
    copying bytes: [UInt8], width: Int, height: Int, format: PixelFormat, bytesPerRow: Int
  ) throws(ValueError) {
    try self.init(
      copying: bytes.span.bytes, width: width, height: height, format: format,
      bytesPerRow: bytesPerRow)
  }

  /// Writes the image over a raw buffer of its size, in place of the colours there; alpha, and padding
  /// between the rows, stay. A grey sample takes the image's red.
  ///
  /// - Throws: `ValueError` if `bytesPerRow` is less than a row's pixels or overflows, or the buffer
  ///   ends before the last pixel.
  public func write(
    over bytes: inout [UInt8], format: PixelFormat, bytesPerRow: Int
  ) throws(ValueError) {
    let (channels, red, green, blue) = format.layout
    try requireRoom(
      in: bytes.count, width: width, height: height, channels: channels, bytesPerRow: bytesPerRow)
    for y in 0..<height {
      var target = y * bytesPerRow
      for offset in stride(from: 3 * y * width, to: 3 * (y + 1) * width, by: 3) {
        bytes[target + blue] = pixels[offset + 2]
        bytes[target + green] = pixels[offset + 1]
        bytes[target + red] = pixels[offset]
        target += channels
      }
    }
  }
}

/// Checks that a raw buffer holds all pixels.
private func requireRoom(
  in byteCount: Int, width: Int, height: Int, channels: Int, bytesPerRow: Int
) throws(ValueError) {
  let rowBytes = width * channels
  let (lastRow, overflow) = (height - 1).multipliedReportingOverflow(by: bytesPerRow)
  let (needed, overflowAtEnd) = lastRow.addingReportingOverflow(rowBytes)
  guard bytesPerRow >= rowBytes, !overflow, !overflowAtEnd else {
    throw ValueError("found \(bytesPerRow) bytes per row, expected at least \(rowBytes)")
  }
  guard byteCount >= needed else {
    throw ValueError("found a buffer of \(byteCount) bytes, expected at least \(needed)")
  }
}
