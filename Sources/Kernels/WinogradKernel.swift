/// The shape of Winograd's way of computing 3 × 3 convolutions: a tile of inputs becomes so many
/// numbers, each of which is multiplied with one number per input and output channel, and as many
/// sums become a tile of 2 × 2 outputs.
///
/// At stride 1 it is F(2 × 2, 3 × 3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
/// Networks", 2015, https://arxiv.org/abs/1509.09308: 16 products in place of 36. At stride 2 the even
/// rows and columns see two of the three taps, for which F(2, 2) takes 3 products in place of 4, and
/// the odd ones see one: (3 + 2)² = 25 products in place of 36.
public struct WinogradTile: Hashable, Sendable {
  /// Input rows or columns from one output to the next, 1 or 2.
  public var stride: Int

  /// The tile for a stride of 1 or 2.
  @inlinable
  public init(stride: Int) { self.stride = stride }

  /// Rows, and columns, of a tile of inputs.
  @inlinable
  public var side: Int { stride == 1 ? 4 : 5 }
  /// Numbers that stand for a tile.
  @inlinable
  public var positions: Int { side &* side }
  /// Input rows, or columns, from one tile to the next.
  @inlinable
  public var step: Int { 2 &* stride }

  /// For every nine weights the numbers, row by row, that stand for them.
  public func weights(_ weights: [Float]) -> [Float] {
    weights.indices.filter { $0 % 9 == 0 }.flatMap { window in
      let columns = (window..<window + 3).map { line([$0, $0 + 3, $0 + 6].map { weights[$0] }) }
      return (0..<side).flatMap { row in line(columns.map { $0[row] }) }
    }
  }

  /// The numbers for a row or column of three weights.
  private func line(_ g: [Float]) -> [Float] {
    stride == 1
      ? [g[0], (g[0] + g[1] + g[2]) / 2, (g[0] - g[1] + g[2]) / 2, g[2]]
      : [g[0], g[0] + g[2], g[2], g[1], g[1]]
  }
}

/// The transforms, on L channels at a time.
extension InstructionSet {
  /// The numbers that stand for neighbouring tiles of one block.
  ///
  /// - Parameters:
  ///   - input: the first of the tiles' rows, which hold `tiles` · step + side − step columns.
  ///   - rowStride: elements from one row to the next.
  ///   - output: positions × tiles × L.
  ///   - positionStride: elements from one position to the next.
  @inlinable @inline(__always)
  public static func winogradInput(
    _ shape: WinogradTile, _ input: UnsafePointer<Float>, rowStride: Int, tiles: Int,
    output: UnsafeMutablePointer<Float>, positionStride: Int
  ) {
    for tile in 0..<tiles {
      let source = input + tile &* shape.step &* lanes
      let target = output + tile &* lanes
      if shape.stride == 1 {
        transformInput(source, rowStride, target, positionStride)
      } else {
        transformStridedInput(source, rowStride, target, positionStride)
      }
    }
  }

  @inlinable @inline(__always)
  static func transformInput(
    _ source: UnsafePointer<Float>, _ rowStride: Int, _ target: UnsafeMutablePointer<Float>,
    _ positionStride: Int
  ) {
    let first = inputRow(source)
    let second = inputRow(source + rowStride)
    let third = inputRow(source + 2 &* rowStride)
    let fourth = inputRow(source + 3 &* rowStride)
    let next = 4 &* positionStride
    store(first - third, target, positionStride)
    store(second + third, target + next, positionStride)
    store(third - second, target + 2 &* next, positionStride)
    store(second - fourth, target + 3 &* next, positionStride)
  }

  @inlinable @inline(__always)
  static func inputRow(_ row: UnsafePointer<Float>) -> Four<Vector> {
    let (a, b) = (load(row), load(row + lanes))
    let (c, d) = (load(row + 2 &* lanes), load(row + 3 &* lanes))
    return Four(a: a - c, b: b + c, c: c - b, d: b - d)
  }

  @inlinable @inline(__always)
  static func transformStridedInput(
    _ source: UnsafePointer<Float>, _ rowStride: Int, _ target: UnsafeMutablePointer<Float>,
    _ positionStride: Int
  ) {
    let next = 5 &* positionStride
    let first = stridedInputRow(source)
    let third = stridedInputRow(source + 2 &* rowStride)
    store(first - third, target, positionStride)
    store(third, target + next, positionStride)
    store(
      third - stridedInputRow(source + 4 &* rowStride), target + 2 &* next, positionStride)
    store(stridedInputRow(source + rowStride), target + 3 &* next, positionStride)
    store(stridedInputRow(source + 3 &* rowStride), target + 4 &* next, positionStride)
  }

  @inlinable @inline(__always)
  static func stridedInputRow(_ row: UnsafePointer<Float>) -> Five<Vector> {
    let middle = load(row + 2 &* lanes)
    return Five(
      four: Four(
        a: load(row) - middle, b: middle, c: middle - load(row + 4 &* lanes), d: load(row + lanes)),
      e: load(row + 3 &* lanes))
  }

  @inlinable @inline(__always)
  static func store(
    _ row: Four<Vector>, _ target: UnsafeMutablePointer<Float>, _ positionStride: Int
  ) {
    store(row.a, target)
    store(row.b, target + positionStride)
    store(row.c, target + 2 &* positionStride)
    store(row.d, target + 3 &* positionStride)
  }

  @inlinable @inline(__always)
  static func store(
    _ row: Five<Vector>, _ target: UnsafeMutablePointer<Float>, _ positionStride: Int
  ) {
    store(row.four, target, positionStride)
    store(row.e, target + 4 &* positionStride)
  }

  /// The outputs of neighbouring tiles of one block.
  ///
  /// - Parameters:
  ///   - input: positions × tiles × L.
  ///   - upper: the first output row, columns × L.
  ///   - lower: the second, or nil where the blob ends between the two.
  ///   - columns: columns of the output, 2 · tiles or one less.
  @inlinable @inline(__always)
  public static func winogradOutput(
    _ shape: WinogradTile, _ input: UnsafePointer<Float>, positionStride: Int,
    bias: UnsafePointer<Float>, activation: VectorActivation, upper: UnsafeMutablePointer<Float>,
    lower: UnsafeMutablePointer<Float>?, columns: Int
  ) {
    let bias = load(bias)
    var column = 0
    while column < columns {
      let source = input + column / 2 &* lanes
      let sums =
        shape.stride == 1
        ? outputTile(source, positionStride) : stridedOutputTile(source, positionStride)
      let hasSecond = column &+ 1 < columns
      let offset = column &* lanes
      storeOutput(bias + sums.a, activation, upper + offset)
      if hasSecond { storeOutput(bias + sums.b, activation, upper + offset + lanes) }
      if let lower {
        storeOutput(bias + sums.c, activation, lower + offset)
        if hasSecond { storeOutput(bias + sums.d, activation, lower + offset + lanes) }
      }
      column &+= 2
    }
  }

  /// Two by two outputs, row by row.
  @inlinable @inline(__always)
  static func outputTile(_ source: UnsafePointer<Float>, _ positionStride: Int) -> Four<Vector> {
    let first = outputRow(source, positionStride)
    let second = outputRow(source + 4 &* positionStride, positionStride)
    let third = outputRow(source + 8 &* positionStride, positionStride)
    let fourth = outputRow(source + 12 &* positionStride, positionStride)
    return Four(
      a: first.0 + second.0 + third.0, b: first.1 + second.1 + third.1,
      c: second.0 - third.0 - fourth.0, d: second.1 - third.1 - fourth.1)
  }

  @inlinable @inline(__always)
  static func outputRow(_ source: UnsafePointer<Float>, _ positionStride: Int) -> (Vector, Vector) {
    let (b, c) = (load(source + positionStride), load(source + 2 &* positionStride))
    return (load(source) + b + c, b - c - load(source + 3 &* positionStride))
  }

  @inlinable @inline(__always)
  static func stridedOutputTile(
    _ source: UnsafePointer<Float>, _ positionStride: Int
  ) -> Four<Vector> {
    let next = 5 &* positionStride
    let second = stridedOutputRow(source + next, positionStride)
    let first = stridedOutputRow(source, positionStride)
    let fourth = stridedOutputRow(source + 3 &* next, positionStride)
    let third = stridedOutputRow(source + 2 &* next, positionStride)
    let fifth = stridedOutputRow(source + 4 &* next, positionStride)
    return Four(
      a: first.0 + second.0 + fourth.0, b: first.1 + second.1 + fourth.1,
      c: second.0 - third.0 + fifth.0, d: second.1 - third.1 + fifth.1)
  }

  @inlinable @inline(__always)
  static func stridedOutputRow(
    _ source: UnsafePointer<Float>, _ positionStride: Int
  ) -> (Vector, Vector) {
    let b = load(source + positionStride)
    return (
      load(source) + b + load(source + 3 &* positionStride),
      b - load(source + 2 &* positionStride) + load(source + 4 &* positionStride)
    )
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

/// Four vectors.
@usableFromInline
struct Four<Vector: SIMD> where Vector.Scalar == Float {
  @usableFromInline var a, b, c, d: Vector

  @inlinable @inline(__always)
  init(a: Vector, b: Vector, c: Vector, d: Vector) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  @inlinable @inline(__always)
  static func - (x: Self, y: Self) -> Self {
    Self(a: x.a - y.a, b: x.b - y.b, c: x.c - y.c, d: x.d - y.d)
  }

  @inlinable @inline(__always)
  static func + (x: Self, y: Self) -> Self {
    Self(a: x.a + y.a, b: x.b + y.b, c: x.c + y.c, d: x.d + y.d)
  }
}

/// Five vectors.
@usableFromInline
struct Five<Vector: SIMD> where Vector.Scalar == Float {
  @usableFromInline var four: Four<Vector>
  @usableFromInline var e: Vector

  @inlinable @inline(__always)
  init(four: Four<Vector>, e: Vector) {
    self.four = four
    self.e = e
  }

  @inlinable @inline(__always)
  static func - (x: Self, y: Self) -> Self { Self(four: x.four - y.four, e: x.e - y.e) }
}
