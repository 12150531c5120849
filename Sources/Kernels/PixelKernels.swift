/// Kernels that go over single pixels, L channels at a time.
extension InstructionSet {
  /// Bytes as floats.
  @inlinable @inline(__always)
  public static func convertBytes(
    _ bytes: UnsafePointer<UInt8>, count: Int, output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { output[index] = Float(bytes[index]) }
  }

  /// Copies pixels of one block by a list of the source column of each.
  @inlinable @inline(__always)
  public static func gatherPixels(
    _ row: UnsafePointer<Float>, columns: UnsafeBufferPointer<Int>,
    output: UnsafeMutablePointer<Float>
  ) {
    for (x, column) in columns.enumerated() {
      store(load(row + column &* lanes), output + x &* lanes)
    }
  }
}
