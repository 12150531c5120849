// SPDX-License-Identifier: Apache-2.0
extension FixedWidthInteger {
  /// The number's bytes, the least significant first.
  @inlinable public var littleEndianBytes: some RandomAccessCollection<UInt8> {
    (0..<Self.bitWidth / 8).lazy.map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}

extension [UInt8] {
  /// Appends a number's bytes, the least significant first.
  @inlinable public mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends the bytes of numbers, of each the least significant first.
  public mutating func append(littleEndian numbers: [Float]) {
    numbers.map { $0.bitPattern.littleEndian }.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Numbers whose bytes begin at an offset, of each the least significant first.
  ///
  /// - Precondition: there are as many bytes.
  public func floats(at start: Int, count: Int) -> [Float] {
    self[start..<start + 4 * count].withUnsafeBytes { bytes in
      [Float](unsafeUninitializedCapacity: count) { numbers, written in
        for index in 0..<count {
          let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
          numbers[index] = Float(bitPattern: UInt32(littleEndian: bits))
        }
        written = count
      }
    }
  }
}
