// SPDX-License-Identifier: Apache-2.0

/// One output row of a depthwise convolution, for one block of channels.
///
///     output[x][l] = activation(bias[l] + Σᵧ Σₓ weight[ky][kx][l] ·
///                               row[ky][x · stride + kx · dilation − padLeft][l])
public struct DepthwiseRun {
  /// For each row of the kernel, the input row under it, W × L; outside the blob, zeros.
  public var rows: UnsafeBufferPointer<UnsafePointer<Float>>
  /// Where the kernel lies for each output column.
  public var columns: WindowColumns
  /// Kernel rows × kernel columns × L.
  public var weights: UnsafePointer<Float>
  /// L.
  public var bias: UnsafePointer<Float>
  /// Output columns × L.
  public var output: UnsafeMutablePointer<Float>
  /// Applied to the sums.
  public var activation: VectorActivation

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    rows: UnsafeBufferPointer<UnsafePointer<Float>>, columns: WindowColumns,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, activation: VectorActivation
  ) {
    self.rows = rows
    self.columns = columns
    self.weights = weights
    self.bias = bias
    self.output = output
    self.activation = activation
  }
}

extension InstructionSet {
  /// Computes one row of a depthwise convolution.
  @_alwaysEmitIntoClient @inline(__always)
  public static func depthwise(_ run: DepthwiseRun) {
    sumDepthwise(run)
    if run.activation != .relu {
      activate(run.output, pixels: run.columns.output, run.activation)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func sumDepthwise(_ run: DepthwiseRun) {
    let isInner = run.rows.count == 3 && run.columns.kernel == 3 && run.columns.dilation == 1
    // The first and the last output column whose taps all lie inside the row.
    let first = (run.columns.padLeft &+ run.columns.stride &- 1) / run.columns.stride
    let last = (run.columns.input &- 3 &+ run.columns.padLeft) / run.columns.stride
    guard isInner, first <= last, run.columns.input >= 3 else {
      for x in 0..<run.columns.output { depthwisePixel(run, x) }
      return
    }
    for x in 0..<min(first, run.columns.output) { depthwisePixel(run, x) }
    let end = min(last &+ 1, run.columns.output)
    depthwise3x3(run, from: first, to: end)
    for x in max(first, end)..<max(max(first, end), run.columns.output) { depthwisePixel(run, x) }
  }

  /// Computes output columns whose nine taps all lie inside.
  @_alwaysEmitIntoClient @inline(__always)
  static func depthwise3x3(_ run: DepthwiseRun, from first: Int, to end: Int) {
    let rows = (run.rows[0], run.rows[1], run.rows[2])
    let upper = Taps(Self.self, run.weights)
    let middle = Taps(Self.self, run.weights + 3 &* lanes)
    let lower = Taps(Self.self, run.weights + 6 &* lanes)
    let bias = load(run.bias)
    let floor = floor(of: run)
    var x = first
    // Neighbours share columns, so four take 18 loads, not 36.
    while run.columns.stride == 1 && x &+ 4 <= end {
      var tile = Twice<Twice<Single<Vector>>>(Self.self, bias: run.bias)
      let offset = (x &- run.columns.padLeft) &* lanes
      upper.add(Self.self, to: &tile, from: rows.0 + offset)
      middle.add(Self.self, to: &tile, from: rows.1 + offset)
      lower.add(Self.self, to: &tile, from: rows.2 + offset)
      tile.transform { maximum($0, floor) }
      tile.store(Self.self, to: run.output + x &* lanes, blockStride: 0)
      x &+= 4
    }
    while x < end {
      let offset = (x &* run.columns.stride &- run.columns.padLeft) &* lanes
      var tile = Single<Vector>(bias)
      upper.add(Self.self, to: &tile.sum, from: rows.0 + offset)
      middle.add(Self.self, to: &tile.sum, from: rows.1 + offset)
      lower.add(Self.self, to: &tile.sum, from: rows.2 + offset)
      store(maximum(tile.sum, floor), run.output + x &* lanes)
      x &+= 1
    }
  }

  /// Computes one output column with any kernel, skipping taps outside the row.
  @_alwaysEmitIntoClient @inline(__always)
  static func depthwisePixel(_ run: DepthwiseRun, _ x: Int) {
    let left = x &* run.columns.stride &- run.columns.padLeft
    var tile = Single<Vector>(Self.self, bias: run.bias)
    for kx in 0..<run.columns.kernel {
      let column = left &+ kx &* run.columns.dilation
      guard column >= 0, column < run.columns.input else { continue }
      for ky in 0..<run.rows.count {
        let weight = load(run.weights + (ky &* run.columns.kernel &+ kx) &* lanes)
        tile.sum = addProduct(tile.sum, load(run.rows[ky] + column &* lanes), weight)
      }
    }
    store(maximum(tile.sum, floor(of: run)), run.output + x &* lanes)
  }

  /// The least value of an output: ReLU's 0, so that it needs no pass of its own.
  @_alwaysEmitIntoClient @inline(__always)
  static func floor(of run: DepthwiseRun) -> Vector {
    Vector(repeating: run.activation == .relu ? 0 : -.infinity)
  }
}

/// The three weights of one row of a depthwise kernel.
@usableFromInline
struct Taps<Vector: SIMD> where Vector.Scalar == Float {
  @usableFromInline let left: Vector
  @usableFromInline let middle: Vector
  @usableFromInline let right: Vector

  @_alwaysEmitIntoClient @inline(__always)
  init<I: InstructionSet>(_: I.Type, _ weights: UnsafePointer<Float>) where I.Vector == Vector {
    left = I.load(weights)
    middle = I.load(weights + I.lanes)
    right = I.load(weights + 2 &* I.lanes)
  }

  /// Adds the products with three neighbouring columns.
  @_alwaysEmitIntoClient @inline(__always)
  func add<I: InstructionSet>(_: I.Type, to sum: inout Vector, from row: UnsafePointer<Float>)
  where I.Vector == Vector {
    sum = self.sum(I.self, sum, I.load(row), I.load(row + I.lanes), I.load(row + 2 &* I.lanes))
  }

  /// Adds the products with six neighbouring columns to four sums.
  @_alwaysEmitIntoClient @inline(__always)
  func add<I: InstructionSet>(
    _: I.Type, to tile: inout Twice<Twice<Single<Vector>>>, from row: UnsafePointer<Float>
  ) where I.Vector == Vector {
    let (a, b, c) = (I.load(row), I.load(row + I.lanes), I.load(row + 2 &* I.lanes))
    let (d, e, f) = (
      I.load(row + 3 &* I.lanes), I.load(row + 4 &* I.lanes), I.load(row + 5 &* I.lanes)
    )
    tile.first.first.sum = sum(I.self, tile.first.first.sum, a, b, c)
    tile.first.second.sum = sum(I.self, tile.first.second.sum, b, c, d)
    tile.second.first.sum = sum(I.self, tile.second.first.sum, c, d, e)
    tile.second.second.sum = sum(I.self, tile.second.second.sum, d, e, f)
  }

  @_alwaysEmitIntoClient @inline(__always)
  func sum<I: InstructionSet>(_: I.Type, _ sum: Vector, _ a: Vector, _ b: Vector, _ c: Vector)
    -> Vector where I.Vector == Vector
  {
    I.addProduct(I.addProduct(I.addProduct(sum, a, left), b, middle), c, right)
  }
}
