extension FixedWidthInteger {
  /// The number's bytes, the least significant first.
  @inlinable public var littleEndianBytes: some RandomAccessCollection<UInt8> {
    (0..<Self.bitWidth / 8).lazy.map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
