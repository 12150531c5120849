/// The kernels of one instruction set, as entry points.
public struct KernelTable: Sendable {
  /// The instruction set's name, as `YOLOFACE_ISA` and the tool's `--isa` take it.
  public var name: String
  /// Channels in a block.
  public var lanes: Int
  /// Whether multiply-add rounds once: all kernels for which it does give the same bits.
  public var fusesMultiplyAdd: Bool
  /// A convolution for one output block.
  public var convolveSingle: @Sendable (ConvolutionRun) -> Void
  /// A convolution for two output blocks.
  public var convolvePair: @Sendable (ConvolutionRun) -> Void
  /// A 1 × 1 convolution for one output block of half as many channels as the input's blocks have;
  /// nil where that is not faster.
  public var convolveHalf: (@Sendable (ConvolutionRun) -> Void)?
  /// One row of a depthwise convolution.
  public var depthwise: @Sendable (DepthwiseRun) -> Void
  /// One row of a pooling.
  public var pool: @Sendable (PoolingRun) -> Void
  /// One row of a bilinear resize.
  public var resizeBilinear: @Sendable (BilinearRun) -> Void
  /// Pixels of two operands combined.
  public var combine: @Sendable (ElementwiseRun) -> Void
  /// Bytes as floats: bytes, count, output.
  public var convertBytes:
    @Sendable (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Float>) -> Void
  /// Pixels copied by source column: row, columns, output.
  public var gatherPixels:
    @Sendable (UnsafePointer<Float>, UnsafeBufferPointer<Int>, UnsafeMutablePointer<Float>) -> Void
  /// An activation: input, pixels, activation, output.
  public var activate:
    @Sendable (UnsafePointer<Float>, Int, VectorActivation, UnsafeMutablePointer<Float>) -> Void
  /// Winograd's input transform: shape, first row, row stride, tiles, output, position stride.
  public var winogradInput:
    @Sendable (
      WinogradTile, UnsafePointer<Float>, Int, Int, UnsafeMutablePointer<Float>, Int
    ) -> Void
  /// Winograd's output transform: shape, sums, position stride, bias, activation, first row,
  /// rows, columns.
  public var winogradOutput:
    @Sendable (
      WinogradTile, UnsafePointer<Float>, Int, UnsafePointer<Float>, VectorActivation,
      UnsafeMutablePointer<Float>, Int, Int
    ) -> Void

  /// The kernels of an instruction set.
  ///
  /// Always inlined, so that the kernels are compiled in the module that names the instruction set,
  /// which alone is compiled for it. `convolveHalf` is a convolution of half as many lanes, where
  /// that is faster.
  @inlinable @inline(__always)
  public init<I: InstructionSet>(
    _: I.Type, name: String, convolveHalf: (@Sendable (ConvolutionRun) -> Void)? = nil
  ) {
    self.name = name
    lanes = I.lanes
    fusesMultiplyAdd = I.fusesMultiplyAdd
    convolveSingle = { I.convolveSingle($0) }
    convolvePair = { I.convolvePair($0) }
    self.convolveHalf = convolveHalf
    depthwise = { I.depthwise($0) }
    pool = { I.pool($0) }
    resizeBilinear = { I.resizeBilinear($0) }
    combine = { I.combine($0) }
    convertBytes = { I.convertBytes($0, count: $1, output: $2) }
    gatherPixels = { I.gatherPixels($0, columns: $1, output: $2) }
    activate = { I.activate($0, pixels: $1, $2, output: $3) }
    winogradInput = {
      I.winogradInput($0, $1, rowStride: $2, tiles: $3, output: $4, positionStride: $5)
    }
    winogradOutput = {
      I.winogradOutput(
        $0, $1, positionStride: $2, bias: $3, activation: $4, output: $5, rows: $6, columns: $7)
    }
  }
}
