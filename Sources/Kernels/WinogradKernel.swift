/// Winograd's way of computing 3 × 3 convolutions of stride 1, F(2 × 2, 3 × 3): a tile of 4 × 4
/// inputs becomes 16 numbers, each of which is multiplied with one number per input and output
/// channel, and 16 sums become a tile of 2 × 2 outputs: 16 products in place of 36.
///
/// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015,
/// https://arxiv.org/abs/1509.09308. The transforms work on L channels at a time.
extension InstructionSet {
  /// Bᵀ d B for neighbouring tiles of one block.
  ///
  /// - Parameters:
  ///   - rows: four input rows, each of (2 · tiles + 2) × L.
  ///   - tiles: the number of tiles, two columns apart.
  ///   - output: 16 positions × tiles × L.
  ///   - positionStride: elements from one position to the next.
  @inlinable @inline(__always)
  public static func winogradInput(
    _ rows: WinogradRows, tiles: Int, output: UnsafeMutablePointer<Float>, positionStride: Int
  ) {
    for tile in 0..<tiles {
      let offset = 2 &* tile &* lanes
      let target = output + tile &* lanes
      let a = inputColumn(rows, offset)
      let b = inputColumn(rows, offset + lanes)
      let c = inputColumn(rows, offset + 2 &* lanes)
      let d = inputColumn(rows, offset + 3 &* lanes)
      storeInputRow(a.0, b.0, c.0, d.0, target, positionStride)
      storeInputRow(a.1, b.1, c.1, d.1, target + 4 &* positionStride, positionStride)
      storeInputRow(a.2, b.2, c.2, d.2, target + 8 &* positionStride, positionStride)
      storeInputRow(a.3, b.3, c.3, d.3, target + 12 &* positionStride, positionStride)
    }
  }

  @inlinable @inline(__always)
  static func inputColumn(_ rows: WinogradRows, _ offset: Int) -> (Vector, Vector, Vector, Vector) {
    let first = load(rows.first + offset)
    let second = load(rows.second + offset)
    let third = load(rows.third + offset)
    let fourth = load(rows.fourth + offset)
    return (first - third, second + third, third - second, second - fourth)
  }

  @inlinable @inline(__always)
  static func storeInputRow(
    _ a: Vector, _ b: Vector, _ c: Vector, _ d: Vector, _ target: UnsafeMutablePointer<Float>,
    _ positionStride: Int
  ) {
    store(a - c, target)
    store(b + c, target + positionStride)
    store(c - b, target + 2 &* positionStride)
    store(b - d, target + 3 &* positionStride)
  }

  /// activation(Aᵀ m A + bias) for neighbouring tiles of one block.
  ///
  /// - Parameters:
  ///   - input: 16 positions × tiles × L.
  ///   - upper: the first output row, columns × L.
  ///   - lower: the second, or nil where the blob ends between the two.
  ///   - columns: columns of the output, 2 · tiles or one less.
  @inlinable @inline(__always)
  public static func winogradOutput(
    _ input: UnsafePointer<Float>, positionStride: Int, bias: UnsafePointer<Float>,
    activation: VectorActivation, upper: UnsafeMutablePointer<Float>,
    lower: UnsafeMutablePointer<Float>?, columns: Int
  ) {
    let bias = load(bias)
    var column = 0
    while column < columns {
      let source = input + column / 2 &* lanes
      let a = outputColumn(source, positionStride)
      let b = outputColumn(source + positionStride, positionStride)
      let c = outputColumn(source + 2 &* positionStride, positionStride)
      let d = outputColumn(source + 3 &* positionStride, positionStride)
      let hasSecond = column &+ 1 < columns
      let offset = column &* lanes
      storeOutput(bias + a.0 + b.0 + c.0, activation, upper + offset)
      if hasSecond { storeOutput(bias + b.0 - c.0 - d.0, activation, upper + offset + lanes) }
      if let lower {
        storeOutput(bias + a.1 + b.1 + c.1, activation, lower + offset)
        if hasSecond { storeOutput(bias + b.1 - c.1 - d.1, activation, lower + offset + lanes) }
      }
      column &+= 2
    }
  }

  @inlinable @inline(__always)
  static func outputColumn(
    _ source: UnsafePointer<Float>, _ positionStride: Int
  ) -> (Vector, Vector) {
    let first = load(source)
    let second = load(source + 4 &* positionStride)
    let third = load(source + 8 &* positionStride)
    let fourth = load(source + 12 &* positionStride)
    return (first + second + third, second - third - fourth)
  }

  @inlinable @inline(__always)
  static func storeOutput(
    _ sum: Vector, _ activation: VectorActivation, _ target: UnsafeMutablePointer<Float>
  ) {
    var tile = Single<Vector>(sum)
    activate(&tile, activation)
    store(tile.sum, target)
  }
}

/// Four neighbouring input rows of one block.
public struct WinogradRows {
  /// The topmost row.
  public var first: UnsafePointer<Float>
  /// The row below.
  public var second: UnsafePointer<Float>
  /// The row below that.
  public var third: UnsafePointer<Float>
  /// The lowest row.
  public var fourth: UnsafePointer<Float>

  /// Four rows that lie so many elements apart.
  @inlinable
  public init(from first: UnsafePointer<Float>, stride: Int) {
    self.first = first
    second = first + stride
    third = first + 2 * stride
    fourth = first + 3 * stride
  }
}

/// G g Gᵀ: for every nine weights the 16 numbers, row by row, that stand for them.
public func winogradWeights(_ weights: [Float]) -> [Float] {
  func transformed(_ a: Float, _ b: Float, _ c: Float) -> SIMD4<Float> {
    SIMD4(a, (a + b + c) / 2, (a - b + c) / 2, c)
  }
  var result = [Float](repeating: 0, count: weights.count / 9 * 16)
  for window in 0..<weights.count / 9 {
    let g = 9 * window
    let left = transformed(weights[g], weights[g + 3], weights[g + 6])
    let middle = transformed(weights[g + 1], weights[g + 4], weights[g + 7])
    let right = transformed(weights[g + 2], weights[g + 5], weights[g + 8])
    for row in 0..<4 {
      let values = transformed(left[row], middle[row], right[row])
      for column in 0..<4 { result[16 * window + 4 * row + column] = values[column] }
    }
  }
  return result
}
