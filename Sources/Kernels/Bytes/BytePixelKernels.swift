/// Pixels of one fp32 block to hold in int8, in some of a block's 16 channels.
public struct QuantiseRun {
  /// pixels × L.
  public var input: UnsafePointer<Float>
  /// What each number is multiplied by.
  public var scale: Float
  /// Added to the integers.
  public var zero: UInt8
  /// The first lane of the first pixel; pixels are 16 bytes apart.
  public var output: UnsafeMutablePointer<UInt8>
  /// The number of pixels.
  public var pixels: Int

  /// Makes a run from its parts.
  @inlinable
  public init(
    input: UnsafePointer<Float>, scale: Float, zero: UInt8, output: UnsafeMutablePointer<UInt8>,
    pixels: Int
  ) {
    self.input = input
    self.scale = scale
    self.zero = zero
    self.output = output
    self.pixels = pixels
  }
}

/// One output row of a max pooling of one int8 block, whose zero is kept.
public struct BytePoolingRun {
  /// The input rows under the window that lie inside the blob, W × 16 each.
  public var rows: UnsafeBufferPointer<UnsafePointer<UInt8>>
  /// Columns of the input.
  public var inputColumns: Int
  /// Columns of the window.
  public var kernelColumns: Int
  /// Input columns from one output column to the next.
  public var stride: Int
  /// Columns of the border on the left.
  public var padLeft: Int
  /// outputColumns × 16.
  public var output: UnsafeMutablePointer<UInt8>
  /// Columns of the output.
  public var outputColumns: Int

  /// Makes a run from its parts.
  @inlinable
  public init(
    rows: UnsafeBufferPointer<UnsafePointer<UInt8>>, inputColumns: Int, kernelColumns: Int,
    stride: Int, padLeft: Int, output: UnsafeMutablePointer<UInt8>, outputColumns: Int
  ) {
    self.rows = rows
    self.inputColumns = inputColumns
    self.kernelColumns = kernelColumns
    self.stride = stride
    self.padLeft = padLeft
    self.output = output
    self.outputColumns = outputColumns
  }
}

/// Bytes to replace by a table's entries, such as those of a picture by int8 numbers.
public struct ByteTableRun {
  /// The bytes.
  public var bytes: UnsafePointer<UInt8>
  /// 256 entries.
  public var table: UnsafePointer<UInt8>
  /// `count` bytes.
  public var output: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  public var count: Int

  /// Makes a run from its parts.
  @inlinable
  public init(
    bytes: UnsafePointer<UInt8>, table: UnsafePointer<UInt8>, output: UnsafeMutablePointer<UInt8>,
    count: Int
  ) {
    self.bytes = bytes
    self.table = table
    self.output = output
    self.count = count
  }
}

extension ByteInstructionSet {
  /// Computes one row of a max pooling.
  @inlinable @inline(__always)
  public static func pool(_ run: BytePoolingRun) {
    for x in 0..<run.outputColumns {
      let left = x &* run.stride &- run.padLeft
      var largest = SIMD16<UInt8>(repeating: 0)
      for column in max(left, 0)..<max(max(left, 0), min(left &+ run.kernelColumns, run.inputColumns)) {
        for row in run.rows {
          largest = maximum(largest, load(row + column &* 16))
        }
      }
      UnsafeMutableRawPointer(run.output + x &* 16).storeBytes(
        of: largest, as: SIMD16<UInt8>.self)
    }
  }

  /// Replaces bytes by a table's entries.
  @inlinable @inline(__always)
  public static func lookUp(_ run: ByteTableRun) {
    var index = 0
    while index &+ 64 <= run.count {
      store(lookUp(bytes(run.bytes + index), in: run.table), run.output + index, pixels: 4)
      index &+= 64
    }
    while index < run.count {
      run.output[index] = run.table[Int(run.bytes[index])]
      index &+= 1
    }
  }
}
