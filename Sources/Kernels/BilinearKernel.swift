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

/// One row of the output of a bilinear resize, for one block of channels.
public struct BilinearRun {
  /// The input row above, W × L.
  public var upper: UnsafePointer<Float>
  /// The input row below.
  public var lower: UnsafePointer<Float>
  /// The weight of the lower row.
  public var weight: Float
  /// The position of each output column between the input's.
  public var columns: UnsafeBufferPointer<BilinearSample>
  /// One pixel for each column.
  public var output: UnsafeMutablePointer<Float>

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    upper: UnsafePointer<Float>, lower: UnsafePointer<Float>, weight: Float,
    columns: UnsafeBufferPointer<BilinearSample>, output: UnsafeMutablePointer<Float>
  ) {
    self.upper = upper
    self.lower = lower
    self.weight = weight
    self.columns = columns
    self.output = output
  }
}

extension InstructionSet {
  /// Computes one row of a bilinear resize: each pixel is the weighted mean of four.
  @_alwaysEmitIntoClient @inline(__always)
  public static func resizeBilinear(_ run: BilinearRun) {
    for (x, column) in run.columns.enumerated() {
      let upper = mean(run.upper, column)
      let lower = mean(run.lower, column)
      let result = addProduct(upper * (1 - run.weight), lower, Vector(repeating: run.weight))
      store(result, run.output + x &* lanes)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func mean(_ row: UnsafePointer<Float>, _ column: BilinearSample) -> Vector {
    let first = load(row + column.first &* lanes)
    let second = load(row + column.second &* lanes)
    return addProduct(first * (1 - column.weight), second, Vector(repeating: column.weight))
  }
}
