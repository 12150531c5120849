extension FixedWidthInteger {
  /// The number's bytes, the least significant first.
  @inlinable public var littleEndianBytes: some RandomAccessCollection<UInt8> {
    (0..<Self.bitWidth / 8).lazy.map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}

extension [UInt8] {
  /// Appends a number's bytes, the least significant first.
  @inlinable public mutating func append(littleEndian number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
