/// The shape of Winograd's algorithm for 3 × 3 convolutions: a tile of inputs is transformed to
/// `positions` numbers, each is multiplied by one number per pair of input and output channels, and
/// the sums are transformed to a tile of outputs.
///
/// At stride 1 it is F(4 × 4, 3 × 3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
/// Networks", 2015, https://arxiv.org/abs/1509.09308: 36 products instead of 144. At stride 2 the
/// even rows and columns see two of the three taps, for which F(2, 2) takes 3 products instead of
/// 4, and the odd ones see one: (3 + 2)² = 25 products instead of 36.
public struct WinogradTile: Hashable, Sendable {
  /// Input rows or columns from one output to the next, 1 or 2.
  public var stride: Int

  /// The tile for a stride of 1 or 2.
  @_alwaysEmitIntoClient
  public init(stride: Int) { self.stride = stride }

  /// Rows, and columns, of a tile of inputs.
  @_alwaysEmitIntoClient
  public var side: Int { stride == 1 ? 6 : 5 }
  /// Rows, and columns, of a tile of outputs.
  @_alwaysEmitIntoClient
  public var outputSide: Int { stride == 1 ? 4 : 2 }
  /// Numbers in a transformed tile.
  @_alwaysEmitIntoClient
  public var positions: Int { side &* side }
  /// Input rows, or columns, from one tile to the next.
  @_alwaysEmitIntoClient
  public var step: Int { outputSide &* stride }

  /// The tiles that cover a number of outputs in a row or column.
  @_alwaysEmitIntoClient
  public func count(over outputs: Int) -> Int { (outputs &+ outputSide &- 1) / outputSide }

  /// Transforms every nine weights of a kernel to `positions` numbers, row by row.
  @_alwaysEmitIntoClient
  public func weights(_ weights: [Float]) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(weights.count / 9 * positions)
    for window in Swift.stride(from: 0, to: weights.count, by: 9) {
      func row(_ start: Int) -> SIMD4<Float> {
        SIMD4(weights[start], weights[start + 1], weights[start + 2], 0)
      }
      let rows = (row(window), row(window + 3), row(window + 6))
      if stride == 1 {
        Six(transforming: rows).forEach { _, line in
          Six(transforming: (line[0], line[1], line[2])).forEach { result.append($1) }
        }
      } else {
        Five(transforming: rows).forEach { _, line in
          Five(transforming: (line[0], line[1], line[2])).forEach { result.append($1) }
        }
      }
    }
    return result
  }
}

/// Neighbouring input tiles of one block to transform.
public struct WinogradInputRun {
  /// The tiles' shape.
  public var shape: WinogradTile
  /// The first of the tiles' rows, which hold (`tiles` − 1) · step + side columns of L.
  public var input: UnsafePointer<Float>
  /// Elements from one row to the next.
  public var rowStride: Int
  /// The number of tiles.
  public var tiles: Int
  /// positions × tiles × L.
  public var output: UnsafeMutablePointer<Float>
  /// Elements from one position to the next.
  public var positionStride: Int

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    shape: WinogradTile, input: UnsafePointer<Float>, rowStride: Int, tiles: Int,
    output: UnsafeMutablePointer<Float>, positionStride: Int
  ) {
    self.shape = shape
    self.input = input
    self.rowStride = rowStride
    self.tiles = tiles
    self.output = output
    self.positionStride = positionStride
  }
}

/// Sums of neighbouring tiles of one block to transform to output rows.
public struct WinogradOutputRun {
  /// The tiles' shape.
  public var shape: WinogradTile
  /// positions × tiles × L.
  public var input: UnsafePointer<Float>
  /// Elements from one position to the next.
  public var positionStride: Int
  /// L.
  public var bias: UnsafePointer<Float>
  /// Applied to the outputs.
  public var activation: VectorActivation
  /// The output rows, columns × L each.
  public var output: UnsafeMutablePointer<Float>
  /// Rows of the output, 1 to outputSide.
  public var rows: Int
  /// Columns of the output; the last tile may be incomplete.
  public var columns: Int

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    shape: WinogradTile, input: UnsafePointer<Float>, positionStride: Int,
    bias: UnsafePointer<Float>, activation: VectorActivation,
    output: UnsafeMutablePointer<Float>, rows: Int, columns: Int
  ) {
    self.shape = shape
    self.input = input
    self.positionStride = positionStride
    self.bias = bias
    self.activation = activation
    self.output = output
    self.rows = rows
    self.columns = columns
  }
}

extension InstructionSet {
  /// Transforms neighbouring input tiles of one block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func winogradInput(_ run: WinogradInputRun) {
    let (shape, rowStride, positionStride) = (run.shape, run.rowStride, run.positionStride)
    let (input, output) = (run.input, run.output)
    for tile in 0..<run.tiles {
      let source = input + tile &* shape.step &* lanes
      let target = output + tile &* lanes
      @inline(__always)
      func write(_ number: Vector, _ x: Int, _ y: Int) {
        store(number, target + (y &* shape.side &+ x) &* positionStride)
      }
      if shape.stride == 1 {
        let rows = Six { loadSix(source + $0 &* rowStride, lanes).transformedInput }
        rows.transformedInput.forEach { y, row in row.forEach { x, it in write(it, x, y) } }
      } else {
        let rows = Five { loadFive(source + $0 &* rowStride, lanes).transformedInput }
        rows.transformedInput.forEach { y, row in row.forEach { x, it in write(it, x, y) } }
      }
    }
  }

  /// Transforms the sums of neighbouring tiles of one block to outputs.
  @_alwaysEmitIntoClient @inline(__always)
  public static func winogradOutput(_ run: WinogradOutputRun) {
    let (shape, positionStride) = (run.shape, run.positionStride)
    let (input, output) = (run.input, run.output)
    let (rows, columns) = (run.rows, run.columns)
    let bias = load(run.bias)
    var column = 0
    while column < columns {
      let source = input + column / shape.outputSide &* lanes
      let target = output + column &* lanes
      let count = min(shape.outputSide, columns &- column)
      @inline(__always)
      func write(_ sum: Vector, _ x: Int, _ y: Int) {
        guard x < count, y < rows else { return }
        store(bias + sum, target + (y &* columns &+ x) &* lanes)
      }
      let next = shape.side &* positionStride
      if shape.stride == 1 {
        let sums = Six { loadSix(source + $0 &* next, positionStride).transformedOutput }
        sums.transformedOutput.forEach { y, row in row.forEach { x, sum in write(sum, x, y) } }
      } else {
        let sums = Five { loadFive(source + $0 &* next, positionStride).transformedOutput }
        sums.transformedOutput.forEach { y, row in row.forEach { x, sum in write(sum, x, y) } }
      }
      column &+= shape.outputSide
    }
    activate(output, pixels: rows &* columns, run.activation)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func loadSix(_ source: UnsafePointer<Float>, _ stride: Int) -> Six<Vector> {
    Six { load(source + $0 &* stride) }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func loadFive(_ source: UnsafePointer<Float>, _ stride: Int) -> Five<Vector> {
    Five { load(source + $0 &* stride) }
  }
}
