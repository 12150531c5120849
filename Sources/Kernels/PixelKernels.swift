/// Bytes to convert to floats.
public struct ByteRun {
  /// The bytes.
  public var bytes: UnsafePointer<UInt8>
  /// The number of bytes.
  public var count: Int
  /// A float for each byte.
  public var output: UnsafeMutablePointer<Float>

  /// Makes a run from its parts.
  @inlinable
  public init(bytes: UnsafePointer<UInt8>, count: Int, output: UnsafeMutablePointer<Float>) {
    self.bytes = bytes
    self.count = count
    self.output = output
  }
}

/// Pixels of one block to copy by position.
public struct GatherRun {
  /// The input row, W × L.
  public var row: UnsafePointer<Float>
  /// The input column of each output pixel.
  public var columns: UnsafeBufferPointer<Int>
  /// A pixel for each column.
  public var output: UnsafeMutablePointer<Float>

  /// Makes a run from its parts.
  @inlinable
  public init(
    row: UnsafePointer<Float>, columns: UnsafeBufferPointer<Int>,
    output: UnsafeMutablePointer<Float>
  ) {
    self.row = row
    self.columns = columns
    self.output = output
  }
}

/// Kernels that process single pixels, L channels at a time.
extension InstructionSet {
  /// Converts bytes to floats.
  @inlinable @inline(__always)
  public static func convertBytes(_ run: ByteRun) {
    let (bytes, output) = (run.bytes, run.output)
    for index in 0..<run.count { output[index] = Float(bytes[index]) }
  }

  /// Copies pixels of one block, given the source column of each.
  @inlinable @inline(__always)
  public static func gatherPixels(_ run: GatherRun) {
    let (row, output) = (run.row, run.output)
    for (x, column) in run.columns.enumerated() {
      store(load(row + column &* lanes), output + x &* lanes)
    }
  }
}
