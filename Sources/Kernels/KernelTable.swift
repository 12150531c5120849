// SPDX-License-Identifier: Apache-2.0

/// The kernels of one instruction set, as entry points.
public struct KernelTable: Sendable {
  /// The instruction set's name, as in `YOLOFACE_ISA` and the tool's `--isa`.
  public var name: String
  /// Channels in a block.
  public var lanes: Int
  /// Whether multiply-add rounds once; all tables for which it does give the same bits.
  public var fusesMultiplyAdd: Bool
  /// A convolution for one output block.
  public var convolveSingle: @Sendable (ConvolutionRun) -> Void
  /// A convolution for two output blocks.
  public var convolvePair: @Sendable (ConvolutionRun) -> Void
  /// A 1 × 1 convolution for one output block with half as many channels as an input block; nil
  /// where that is not faster.
  public var convolveHalf: (@Sendable (ConvolutionRun) -> Void)?
  /// One output row of a depthwise convolution.
  public var depthwise: @Sendable (DepthwiseRun) -> Void
  /// One output row of a pooling, for one block: `rows` are those under the window that lie inside
  /// the blob, W × L each.
  public var pool:
    @Sendable (
      _ rows: UnsafeBufferPointer<UnsafePointer<Float>>, _ columns: WindowColumns,
      _ summary: WindowSummary, _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// One output row of a bilinear resize, for one block, from the input rows above and below, W × L
  /// each: `weight` is that of the lower one, `columns` tell each output column's position.
  public var resizeBilinear:
    @Sendable (
      _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, _ weight: Float,
      _ columns: UnsafeBufferPointer<BilinearSample>, _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// Combines the pixels of two operands. The output, pixels × L, may be an operand of the same size.
  public var combine:
    @Sendable (
      _ first: VectorOperand, _ second: VectorOperand, _ arithmetic: VectorArithmetic,
      _ pixels: Int, _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// Converts bytes to as many floats, less `mean` in each pixel of three.
  public var convertBytes:
    @Sendable (
      _ bytes: UnsafePointer<UInt8>, _ count: Int, _ mean: SIMD3<Float>,
      _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// Copies pixels of one block: for each output pixel that of a column of the row, W × L.
  public var gatherPixels:
    @Sendable (
      _ row: UnsafePointer<Float>, _ columns: UnsafeBufferPointer<Int>,
      _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// Applies an activation to pixels × L numbers; the output may be the input.
  public var activate:
    @Sendable (
      _ input: UnsafePointer<Float>, _ pixels: Int, _ activation: VectorActivation,
      _ output: UnsafeMutablePointer<Float>
    ) -> Void
  /// Winograd's input transform of neighbouring tiles of one block, whose rows hold
  /// (`tiles` − 1) · step + side columns of L: positions × tiles × L. Strides are in elements.
  public var winogradInput:
    @Sendable (
      _ shape: WinogradTile, _ input: (start: UnsafePointer<Float>, rowStride: Int), _ tiles: Int,
      _ output: (start: UnsafeMutablePointer<Float>, positionStride: Int)
    ) -> Void
  /// Winograd's output transform of the sums, positions × tiles × L, of neighbouring tiles of one
  /// block: 1 to outputSide rows of columns × L, of which the last tile may have fewer.
  public var winogradOutput:
    @Sendable (
      _ shape: WinogradTile, _ sums: (start: UnsafePointer<Float>, positionStride: Int),
      _ bias: UnsafePointer<Float>, _ activation: VectorActivation,
      _ output: (start: UnsafeMutablePointer<Float>, rows: Int, columns: Int)
    ) -> Void
  /// The kernels for int8.
  public var bytes: ByteKernelTable

  /// The kernels of an instruction set. Always inlined, so that they are compiled in the module that
  /// names the instruction set, the only one compiled for it.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: InstructionSet>(
    _: I.Type, name: String, bytes: ByteKernelTable,
    convolveHalf: (@Sendable (ConvolutionRun) -> Void)? = nil
  ) {
    self.name = name
    lanes = I.lanes
    fusesMultiplyAdd = I.fusesMultiplyAdd
    convolveSingle = { I.convolveSingle($0) }
    convolvePair = { I.convolvePair($0) }
    self.convolveHalf = convolveHalf
    depthwise = { I.depthwise($0) }
    pool = { I.pool($0, $1, $2, to: $3) }
    resizeBilinear = { I.resizeBilinear($0, $1, weight: $2, columns: $3, to: $4) }
    combine = { I.combine($0, $1, $2, pixels: $3, to: $4) }
    convertBytes = { I.convertBytes($0, count: $1, mean: $2, to: $3) }
    gatherPixels = { I.gatherPixels($0, columns: $1, to: $2) }
    activate = { I.activate($0, pixels: $1, $2, to: $3) }
    winogradInput = { I.winogradInput($0, $1, tiles: $2, to: $3) }
    winogradOutput = { I.winogradOutput($0, $1, bias: $2, $3, to: $4) }
    self.bytes = bytes
  }
}

extension KernelTable: CustomStringConvertible {
  /// The instruction set's name.
  public var description: String { name }
}
