/// Pixels of fp32 blocks to hold in one int8 block.
public struct QuantiseRun {
  /// The address that the offsets are relative to.
  public var input: UnsafeRawPointer
  /// In bytes, the offset of each of 16 / L fp32 blocks' first pixel.
  public var offsets: UnsafePointer<Int>
  /// What each number is multiplied by, before it is rounded half away from zero.
  public var scale: Float
  /// Added to the integers, which are clamped to −127 ... 127.
  public var zero: UInt8
  /// pixels × 16.
  public var output: UnsafeMutablePointer<UInt8>
  /// The number of pixels.
  public var pixels: Int

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    input: UnsafeRawPointer, offsets: UnsafePointer<Int>, scale: Float, zero: UInt8,
    output: UnsafeMutablePointer<UInt8>, pixels: Int
  ) {
    self.input = input
    self.offsets = offsets
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
  @_alwaysEmitIntoClient
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
  @_alwaysEmitIntoClient
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
  /// Turns floats into int8 numbers.
  @_alwaysEmitIntoClient @inline(__always)
  public static func quantise(_ run: QuantiseRun) {
    // The next larger factor takes a tie to the side that is away from zero, and with it what is less than two
    // units in the last place nearer to zero.
    let factor = run.scale.nextUp
    var pixel = 0
    while pixel < run.pixels {
      let count = min(4, run.pixels &- pixel)
      let offsets = PixelOffsets(step: lanes &* 4, count: count)
      let source = run.input + pixel &* lanes &* 4
      @inline(__always)
      func number(_ offset: Int) -> Numbers {
        clamped(numbers(source + offset, offsets: run.offsets), times: factor)
      }
      let bytes = rounded(
        number(0), number(offsets.second), number(offsets.third), number(offsets.fourth))
      store(
        raised(bytes, to: -127, zero: run.zero), run.output + pixel &* 16, pixels: count)
      pixel &+= 4
    }
  }

  /// Computes one row of a max pooling.
  @_alwaysEmitIntoClient @inline(__always)
  public static func pool(_ run: BytePoolingRun) {
    var first = 0
    // The usual window, 2 × 2 inside the blob, without loops.
    if run.rows.count == 2 && run.kernelColumns == 2 && run.padLeft == 0 {
      let (upper, lower) = (run.rows[0], run.rows[1])
      let step = run.stride &* 16
      while first < run.outputColumns && first &* run.stride &+ 2 <= run.inputColumns {
        let (above, below) = (upper + first &* step, lower + first &* step)
        let largest = maximum(
          maximum(load(above), load(above + 16)), maximum(load(below), load(below + 16)))
        UnsafeMutableRawPointer(run.output + first &* 16).storeBytes(
          of: largest, as: SIMD16<UInt8>.self)
        first &+= 1
      }
    }
    for x in first..<max(first, run.outputColumns) {
      let left = x &* run.stride &- run.padLeft
      var largest = SIMD16<UInt8>(repeating: 0)
      for column in max(
        left, 0)..<max(max(left, 0), min(left &+ run.kernelColumns, run.inputColumns))
      {
        for row in run.rows {
          largest = maximum(largest, load(row + column &* 16))
        }
      }
      UnsafeMutableRawPointer(run.output + x &* 16).storeBytes(
        of: largest, as: SIMD16<UInt8>.self)
    }
  }

  /// Replaces bytes by a table's entries.
  @_alwaysEmitIntoClient @inline(__always)
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
