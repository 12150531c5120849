// SPDX-License-Identifier: Apache-2.0

/// Kernels that process single pixels of 16 bytes.
extension ByteInstructionSet {
  /// Turns pixels of fp32 blocks into those of one int8 block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func quantize(
    _ input: (start: UnsafeRawPointer, offsets: UnsafePointer<Int>), scale: Float, zero: UInt8,
    pixels: Int, to output: UnsafeMutablePointer<UInt8>
  ) {
    var pixel = 0
    while pixel < pixels {
      let count = min(4, pixels &- pixel)
      let offsets = PixelOffsets(step: lanes &* 4, count: count)
      let source = input.start + pixel &* lanes &* 4
      @inline(__always)
      func number(_ offset: Int) -> Numbers {
        wholeNumbers(numbers(source + offset, offsets: input.offsets), times: scale)
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
    poolRow(
      rows, columns, to: output, from: SIMD16<UInt8>.zero,
      { $0.replacing(with: $1, where: $1 .> $0) },
      { largest, _ in largest })
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
