/// One row of the output of a depthwise convolution, for one block of channels.
///
///     output[x][l] = activation(bias[l] + Σᵧ Σₓ weight[ky][kx][l] · row[ky][x · stride + kx · dilation − padLeft][l])
public struct DepthwiseRun {
  /// For each row of the kernel the input row that lies under it, W × L; outside the blob zeros.
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
  /// Columns of the border at the left.
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
  @inlinable
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
  @inlinable @inline(__always)
  public static func depthwise(_ run: DepthwiseRun) {
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

  /// Output columns whose nine taps all lie inside.
  @inlinable @inline(__always)
  static func depthwise3x3(_ run: DepthwiseRun, from first: Int, to end: Int) {
    let (top, middle, bottom) = (run.rows[0], run.rows[1], run.rows[2])
    let w = run.weights
    let (w0, w1, w2) = (load(w), load(w + lanes), load(w + 2 &* lanes))
    let (w3, w4, w5) = (load(w + 3 &* lanes), load(w + 4 &* lanes), load(w + 5 &* lanes))
    let (w6, w7, w8) = (load(w + 6 &* lanes), load(w + 7 &* lanes), load(w + 8 &* lanes))
    let bias = load(run.bias)
    var x = first
    while x < end {
      let offset = (x &* run.stride &- run.padLeft) &* lanes
      var tile = Single<Vector>(Self.self, bias: run.bias)
      var sum = addProduct(bias, load(top + offset), w0)
      sum = addProduct(sum, load(top + offset + lanes), w1)
      sum = addProduct(sum, load(top + offset + 2 &* lanes), w2)
      sum = addProduct(sum, load(middle + offset), w3)
      sum = addProduct(sum, load(middle + offset + lanes), w4)
      sum = addProduct(sum, load(middle + offset + 2 &* lanes), w5)
      sum = addProduct(sum, load(bottom + offset), w6)
      sum = addProduct(sum, load(bottom + offset + lanes), w7)
      sum = addProduct(sum, load(bottom + offset + 2 &* lanes), w8)
      tile.sum = sum
      activate(&tile, run.activation)
      store(tile.sum, run.output + x &* lanes)
      x &+= 1
    }
  }

  /// One output column of any kernel, taps outside the row left out.
  @inlinable @inline(__always)
  static func depthwisePixel(_ run: DepthwiseRun, _ x: Int) {
    var tile = Single<Vector>(Self.self, bias: run.bias)
    for ky in 0..<run.kernelRows {
      let row = run.rows[ky]
      for kx in 0..<run.kernelColumns {
        let column = x &* run.stride &+ kx &* run.dilation &- run.padLeft
        guard column >= 0, column < run.inputColumns else { continue }
        let weight = load(run.weights + (ky &* run.kernelColumns &+ kx) &* lanes)
        tile.sum = addProduct(tile.sum, load(row + column &* lanes), weight)
      }
    }
    activate(&tile, run.activation)
    store(tile.sum, run.output + x &* lanes)
  }
}
