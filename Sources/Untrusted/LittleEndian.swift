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
    #if _endian(little)
      numbers.withUnsafeBytes { append(contentsOf: $0) }
    #else
      for number in numbers { append(littleEndian: number.bitPattern) }
    #endif
  }
}
