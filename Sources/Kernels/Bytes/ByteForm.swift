// SPDX-License-Identifier: Apache-2.0

/// The form in which an int8 kernel writes its sums.
///
/// Each sum is converted to fp32, multiplied by its channel's factor, and increased by its channel's
/// addend, which takes it to the result's units.
public enum ByteForm {
  /// As floats, in fp32 blocks of L lanes.
  case floats
  /// Rounded to the nearest integer and clamped to `minimum` ... 127, plus `zero`.
  case bytes(minimum: Int8, zero: UInt8)
  /// The result of a `ByteCurve` in memory at the nearest integer, clamped to −32768 ... 32767.
  case curve(UnsafePointer<UInt8>)
}

/// Where an int8 kernel writes a run of pixels of one or two blocks of 16 channels.
public struct ByteTarget {
  /// What is written.
  public var form: ByteForm
  /// The address that the offsets are relative to.
  public var start: UnsafeMutableRawPointer
  /// In bytes, the offset of each block's first pixel; where the form is floats, of each fp32
  /// block's, 16 / L of them for each block.
  public var offsets: UnsafePointer<Int>
  /// The factors and the addends, 2 × 16 for each block.
  public var factors: UnsafePointer<Float>

  /// Makes a target from its parts.
  @_alwaysEmitIntoClient
  public init(
    form: ByteForm, start: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>,
    factors: UnsafePointer<Float>
  ) {
    self.form = form
    self.start = start
    self.offsets = offsets
    self.factors = factors
  }
}

extension ByteInstructionSet {
  /// Writes the first `count` of four neighbouring pixels of a block.
  @_alwaysEmitIntoClient @inline(__always)
  static func write(
    _ sums: Quartet<Self>, _ target: ByteTarget, block: Int, pixel: Int, count: Int
  ) {
    let factors = target.factors + block &* 32
    let (a, b) = (numbers(sums.a, factors: factors), numbers(sums.b, factors: factors))
    let (c, d) = (numbers(sums.c, factors: factors), numbers(sums.d, factors: factors))
    let bytes: Bytes
    switch target.form {
    case .floats:
      let offsets = target.offsets + block &* (16 / lanes)
      let start = target.start + pixel &* lanes &* 4
      store(a, start, offsets: offsets)
      if count > 1 { store(b, start + lanes &* 4, offsets: offsets) }
      if count > 2 { store(c, start + lanes &* 8, offsets: offsets) }
      if count > 3 { store(d, start + lanes &* 12, offsets: offsets) }
      return
    case .bytes(let minimum, let zero):
      bytes = raised(rounded(a, b, c, d), to: minimum, zero: zero)
    case .curve(let curve):
      bytes = results(a, b, c, d, of: curve)
    }
    store(bytes, target.start + target.offsets[block] + pixel &* 16, pixels: count)
  }
}
