// SPDX-License-Identifier: Apache-2.0

/// A function of places from −32768 to 32767 whose results are unsigned bytes, such as a Swish of int8
/// numbers: 32 lines side by side, computed in 16 bits.
///
/// The top five bits of a place number its line, 0 ... 15 for the places from 0 up and 16 ... 31 for
/// the negative ones. Its other bits tell the distance from the line's middle, in 65536ths of its
/// length, −32768 ..< 32768. The result is
///
///     ⌊(value + ⌊distance · slope / 65536⌋) / 256⌋
public struct ByteCurve: Hashable, Sendable {
  /// The number of lines.
  @_alwaysEmitIntoClient
  public static var lineCount: Int { 32 }

  /// Each line's value at its middle, in 256ths, plus the half that rounds the result.
  public var values: [UInt16]
  /// The rise of each line, in 256ths.
  public var slopes: [Int16]

  /// Makes a curve from its lines.
  ///
  /// - Precondition: there are 32 values and slopes, and no result is below 0 or above 255.
  public init(values: [UInt16], slopes: [Int16]) {
    precondition(values.count == Self.lineCount && slopes.count == Self.lineCount)
    self.values = values
    self.slopes = slopes
  }

  /// The curve in memory, as kernels read it: values and slopes in 16 bits each, then the low bytes of
  /// all values, their high bytes, and the slopes' bytes likewise.
  public var bytes: [UInt8] {
    let parts = [values, slopes.map { UInt16(bitPattern: $0) }]
    let words = parts.joined().flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    return words
      + parts.flatMap { part in
        part.map { UInt8(truncatingIfNeeded: $0) } + part.map { UInt8($0 >> 8) }
      }
  }

  /// The result at a place, from a curve in memory.
  @_alwaysEmitIntoClient @inline(__always)
  public static func result(at place: Int16, of curve: UnsafePointer<UInt8>) -> UInt8 {
    let words = UnsafeRawPointer(curve)
    let bits = UInt16(bitPattern: place)
    let line = Int(bits &>> 11) &* 2
    let value = words.loadUnaligned(fromByteOffset: line, as: UInt16.self)
    let slope = words.loadUnaligned(fromByteOffset: 64 &+ line, as: Int16.self)
    let distance = Int16(bitPattern: (bits &<< 5) ^ 0x8000)
    let rise = (Int32(distance) &* Int32(slope)) &>> 16
    return UInt8(truncatingIfNeeded: (Int32(value) &+ rise) &>> 8)
  }
}
