/// Kernels that process single pixels of 16 bytes.
extension ByteInstructionSet {
  /// Turns pixels of fp32 blocks into those of one int8 block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func quantise(
    _ input: (start: UnsafeRawPointer, offsets: UnsafePointer<Int>), scale: Float, zero: UInt8,
    pixels: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    // The next larger factor takes a tie to the side that is away from zero, and with it what is less than two
    // units in the last place nearer to zero.
    let factor = scale.nextUp
    var pixel = 0
    while pixel < pixels {
      let count = min(4, pixels &- pixel)
      let offsets = PixelOffsets(step: lanes &* 4, count: count)
      let source = input.start + pixel &* lanes &* 4
      @inline(__always)
      func number(_ offset: Int) -> Numbers {
        clamped(numbers(source + offset, offsets: input.offsets), times: factor)
      }
      let bytes = rounded(
        number(0), number(offsets.second), number(offsets.third), number(offsets.fourth))
      store(raised(bytes, to: -127, zero: zero), output + pixel &* 16, pixels: count)
      pixel &+= 4
    }
  }

  /// Computes one row of a max pooling.
  @_alwaysEmitIntoClient @inline(__always)
  public static func pool(
    _ rows: UnsafeBufferPointer<UnsafePointer<UInt8>>, _ columns: WindowColumns,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    var first = 0
    // The usual window, 2 × 2 inside the blob, without loops.
    if rows.count == 2 && columns.kernel == 2 && columns.padLeft == 0 {
      let (upper, lower) = (rows[0], rows[1])
      let step = columns.stride &* 16
      while first < columns.output && first &* columns.stride &+ 2 <= columns.input {
        let (above, below) = (upper + first &* step, lower + first &* step)
        let largest = maximum(
          maximum(load(above), load(above + 16)), maximum(load(below), load(below + 16)))
        UnsafeMutableRawPointer(output + first &* 16).storeBytes(
          of: largest, as: SIMD16<UInt8>.self)
        first &+= 1
      }
    }
    for x in first..<max(first, columns.output) {
      let left = x &* columns.stride &- columns.padLeft
      var largest = SIMD16<UInt8>(repeating: 0)
      for column in columns.inside(from: left) {
        for row in rows { largest = maximum(largest, load(row + column &* 16)) }
      }
      UnsafeMutableRawPointer(output + x &* 16).storeBytes(
        of: largest, as: SIMD16<UInt8>.self)
    }
  }

  /// Replaces bytes by a table's entries.
  @_alwaysEmitIntoClient @inline(__always)
  public static func lookUp(
    _ bytes: UnsafePointer<UInt8>, count: Int, in table: UnsafePointer<UInt8>,
    to output: UnsafeMutablePointer<UInt8>
  ) {
    var index = 0
    while index &+ 64 <= count {
      store(lookUp(Self.bytes(bytes + index), in: table), output + index, pixels: 4)
      index &+= 64
    }
    while index < count {
      output[index] = table[Int(bytes[index])]
      index &+= 1
    }
  }
}
