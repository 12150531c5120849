/// One output row of a depthwise convolution, for one block of channels.
///
///     output[x][l] = activation(bias[l] + Σᵧ Σₓ weight[ky][kx][l] ·
///                               row[ky][x · stride + kx · dilation − padLeft][l])
public struct DepthwiseRun {
  /// For each kernel row, the input row under it, W × L; outside the blob, zeros.
  public var rows: UnsafePointer<UnsafePointer<Float>>
  /// Rows of the kernel.
  public var kernelRows: Int
  /// Columns of the kernel.
  public var kernelColumns: Int
  /// Columns of the input.
  public var inputColumns: Int
  /// Columns of the output.
  public var outputColumns: Int
  /// Input columns from one output column to the next.
  public var stride: Int
  /// Input columns from one tap to the next.
  public var dilation: Int
  /// Columns of the border on the left.
  public var padLeft: Int
  /// kernelRows × kernelColumns × L.
  public var weights: UnsafePointer<Float>
  /// L.
  public var bias: UnsafePointer<Float>
  /// outputColumns × L.
  public var output: UnsafeMutablePointer<Float>
  /// Applied to the sums.
  public var activation: VectorActivation

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    rows: UnsafePointer<UnsafePointer<Float>>, kernelRows: Int, kernelColumns: Int,
    inputColumns: Int, outputColumns: Int, stride: Int, dilation: Int, padLeft: Int,
    weights: UnsafePointer<Float>, bias: UnsafePointer<Float>,
    output: UnsafeMutablePointer<Float>, activation: VectorActivation
  ) {
    self.rows = rows
    self.kernelRows = kernelRows
    self.kernelColumns = kernelColumns
    self.inputColumns = inputColumns
    self.outputColumns = outputColumns
    self.stride = stride
    self.dilation = dilation
    self.padLeft = padLeft
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
      activate(run.output, pixels: run.outputColumns, run.activation)
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func sumDepthwise(_ run: DepthwiseRun) {
    let isInner = run.kernelRows == 3 && run.kernelColumns == 3 && run.dilation == 1
    // The first and the last output column whose taps all lie inside the row.
    let first = (run.padLeft &+ run.stride &- 1) / run.stride
    let last = (run.inputColumns &- 3 &+ run.padLeft) / run.stride
    guard isInner, first <= last, run.inputColumns >= 3 else {
      for x in 0..<run.outputColumns { depthwisePixel(run, x) }
      return
    }
    for x in 0..<min(first, run.outputColumns) { depthwisePixel(run, x) }
    let end = min(last &+ 1, run.outputColumns)
    depthwise3x3(run, from: first, to: end)
    for x in max(first, end)..<max(max(first, end), run.outputColumns) { depthwisePixel(run, x) }
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
    while run.stride == 1 && x &+ 4 <= end {
      var tile = Twice<Twice<Single<Vector>>>(Self.self, bias: run.bias)
      let offset = (x &- run.padLeft) &* lanes
      upper.add(Self.self, to: &tile, from: rows.0 + offset)
      middle.add(Self.self, to: &tile, from: rows.1 + offset)
      lower.add(Self.self, to: &tile, from: rows.2 + offset)
      tile.transform { maximum($0, floor) }
      tile.store(Self.self, to: run.output + x &* lanes, blockStride: 0)
      x &+= 4
    }
    while x < end {
      let offset = (x &* run.stride &- run.padLeft) &* lanes
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
    let left = x &* run.stride &- run.padLeft
    var tile = Single<Vector>(Self.self, bias: run.bias)
    for kx in 0..<run.kernelColumns {
      let column = left &+ kx &* run.dilation
      guard column >= 0, column < run.inputColumns else { continue }
      for ky in 0..<run.kernelRows {
        let weight = load(run.weights + (ky &* run.kernelColumns &+ kx) &* lanes)
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
    sum = self.sum(
      I.self, sum, I.load(row), I.load(row + I.lanes), I.load(row + 2 &* I.lanes))
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
