// SPDX-License-Identifier: Apache-2.0

/// The shape of Winograd's algorithm for 3 × 3 convolutions: a tile of inputs is transformed to
/// `positions` numbers, each is multiplied by one number per pair of input and output channels, and
/// the sums are transformed to a tile of outputs.
///
/// At stride 1 it is F(4 × 4, 3 × 3) of https://arxiv.org/abs/1509.09308: 36 products instead of
/// 144. At stride 2 the even rows and columns see two of the three taps, for which F(2, 2) takes 3
/// products instead of 4, and the odd ones see one: (3 + 2)² = 25 products instead of 36.
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

extension InstructionSet {
  /// Transforms neighbouring input tiles of one block.
  @_alwaysEmitIntoClient @inline(__always)
  public static func winogradInput(
    _ shape: WinogradTile, _ input: (start: UnsafePointer<Float>, rowStride: Int), tiles: Int,
    to output: (start: UnsafeMutablePointer<Float>, positionStride: Int)
  ) {
    let (rowStride, positionStride) = (input.rowStride, output.positionStride)
    for tile in 0..<tiles {
      let source = input.start + tile &* shape.step &* lanes
      let target = output.start + tile &* lanes
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
  public static func winogradOutput(
    _ shape: WinogradTile, _ sums: (start: UnsafePointer<Float>, positionStride: Int),
    bias: UnsafePointer<Float>, _ activation: VectorActivation,
    to output: (start: UnsafeMutablePointer<Float>, rows: Int, columns: Int)
  ) {
    let positionStride = sums.positionStride
    let (rows, columns) = (output.rows, output.columns)
    let bias = load(bias)
    var column = 0
    while column < columns {
      let source = sums.start + column / shape.outputSide &* lanes
      let target = output.start + column &* lanes
      let count = min(shape.outputSide, columns &- column)
      @inline(__always)
      func write(_ sum: Vector, _ x: Int, _ y: Int) {
        guard x < count, y < rows else { return }
        store(bias + sum, target + (y &* columns &+ x) &* lanes)
      }
      let next = shape.side &* positionStride
      if shape.stride == 1 {
        let sums = Six { loadSix(source + $0 &* next, positionStride).transformedOutput }
        sums.transformedOutput.forEachOfFour { y, row in
          row.forEachOfFour { x, sum in write(sum, x, y) }
        }
      } else {
        let sums = Five { loadFive(source + $0 &* next, positionStride).transformedOutput }
        sums.transformedOutput.forEach { y, row in row.forEach { x, sum in write(sum, x, y) } }
      }
      column &+= shape.outputSide
    }
    activate(output.start, pixels: rows &* columns, activation)
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
