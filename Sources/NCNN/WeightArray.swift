// SPDX-License-Identifier: Apache-2.0

/// One array of weights as the `.bin` file stores it.
public struct WeightArray: Hashable, Sendable {
  /// The stored form, which the writer writes back unchanged.
  public enum Storage: Hashable, Sendable {
    /// fp32 without a storage tag, as biases are.
    case untagged([Float])
    /// fp32 behind the tag 0.
    case float32([Float])
    /// fp32 behind the tag 0x0002C056, which ncnn's tools give to weights that must stay fp32.
    case keptFloat32([Float])
    /// IEEE half precision behind the tag 0x01306B47, as bit patterns.
    case float16([UInt16])
    /// Signed bytes behind the tag 0x000D4B38; their scales are arrays of their own.
    case int8([Int8])
    /// A table of 256 values and an index for each weight; `tag` is none of the other tags.
    case table(tag: UInt32, values: [Float], indices: [UInt8])
  }

  /// The stored form.
  public var storage: Storage

  /// Makes an array from its stored form.
  public init(_ storage: Storage) { self.storage = storage }

  /// The number of weights.
  public var count: Int {
    switch storage {
    case .untagged(let values), .float32(let values), .keptFloat32(let values): values.count
    case .float16(let bits): bits.count
    case .int8(let values): values.count
    case .table(_, _, let indices): indices.count
    }
  }

  /// The weights as fp32; int8 weights are not scaled.
  public var floats: [Float] {
    switch storage {
    case .untagged(let values), .float32(let values), .keptFloat32(let values): values
    case .float16(let bits): bits.map(float(half:))
    case .int8(let values): values.map(Float.init)
    case .table(_, let values, let indices): indices.map { values[Int($0)] }
    }
  }

  /// Storage tags of the `.bin` format.
  enum Tag {
    static let float32: UInt32 = 0
    static let float16: UInt32 = 0x0130_6B47
    static let int8: UInt32 = 0x000D_4B38
    static let keptFloat32: UInt32 = 0x0002_C056
    static let bfloat16: UInt32 = 0x0134_8B83
  }
}

extension WeightArray {
  /// The largest magnitude that a weight has.
  static let largestPlausible: Float = 1e6

  /// The largest of the magnitudes that no weight has, as random bytes give: beyond a million, infinite or none; nil
  /// where there is none.
  var implausible: Float? {
    // The bits of magnitudes have the order of their numbers, with those of infinity and NaN behind them.
    let largest: Float
    switch storage {
    case .untagged(let values), .float32(let values), .keptFloat32(let values),
      .table(_, let values, _):
      largest = Float(bitPattern: values.reduce(0) { max($0, $1.bitPattern & 0x7FFF_FFFF) })
    case .float16(let bits): largest = float(half: bits.reduce(0) { max($0, $1 & 0x7FFF) })
    case .int8: return nil
    }
    if largest.isNaN { return .nan }
    return largest > Self.largestPlausible ? largest : nil
  }
}

extension WeightArray {
  /// The largest absolute difference between corresponding weights, capped at the largest finite
  /// fp32 number, which also stands for the difference between a number and NaN.
  ///
  /// Nil where all are equal, or where the arrays differ in length.
  @_spi(Tool) public static func largestDifference(_ first: [WeightArray], _ second: [WeightArray])
    -> Double?
  {
    guard first.map({ $0.count }) == second.map({ $0.count }) else { return nil }
    let limit = Double(Float.greatestFiniteMagnitude)
    var largest = 0.0
    for (one, other) in zip(first, second) where one != other {
      for (a, b) in zip(one.floats, other.floats) where a != b && !(a.isNaN && b.isNaN) {
        let difference = abs(Double(a) - Double(b))
        largest = max(largest, difference.isNaN ? limit : min(difference, limit))
      }
    }
    return largest > 0 ? largest : nil
  }
}

/// The exact value of an IEEE 754 half-precision number, subnormals included.
///
/// `Float16` is not available on Intel Macs.
func float(half bits: UInt16) -> Float {
  let sign = UInt32(bits & 0x8000) << 16
  let exponent = UInt32(bits >> 10) & 0x1F
  let fraction = UInt32(bits & 0x3FF)
  switch exponent {
  case 0:
    let magnitude = Float(fraction) * 0x1p-24
    return sign == 0 ? magnitude : -magnitude
  case 0x1F:
    return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
  default:
    return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
  }
}

extension [UInt8] {
  /// The word of four bytes at an offset, least significant first.
  package func word(at offset: Int) -> UInt32 {
    UInt32(self[offset]) | UInt32(self[offset + 1]) << 8
      | UInt32(self[offset + 2]) << 16 | UInt32(self[offset + 3]) << 24
  }
}
