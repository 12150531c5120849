// SPDX-License-Identifier: Apache-2.0

/// A position between two neighbouring rows or columns.
public struct BilinearSample: Hashable, Sendable {
  /// The upper or left one.
  public var first: Int
  /// The lower or right one; at the end, the first one again.
  public var second: Int
  /// The weight of the second one, in [0, 1].
  public var weight: Float

  /// Makes a position from its parts.
  @_alwaysEmitIntoClient
  public init(first: Int, second: Int, weight: Float) {
    self.first = first
    self.second = second
    self.weight = weight
  }
}

extension InstructionSet {
  /// Computes one row of a bilinear resize: each pixel is the weighted mean of four.
  @_alwaysEmitIntoClient @inline(__always)
  public static func resizeBilinear(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, weight: Float,
    columns: UnsafeBufferPointer<BilinearSample>, to output: UnsafeMutablePointer<Float>
  ) {
    for (x, column) in columns.enumerated() {
      let (above, below) = (mean(upper, column), mean(lower, column))
      let result = addProduct(above * (1 - weight), below, Vector(repeating: weight))
      store(result, output + x &* lanes)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func mean(_ row: UnsafePointer<Float>, _ column: BilinearSample) -> Vector {
    let first = load(row + column.first &* lanes)
    let second = load(row + column.second &* lanes)
    return addProduct(first * (1 - column.weight), second, Vector(repeating: column.weight))
  }
}
