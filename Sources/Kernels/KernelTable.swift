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
  /// One row of a depthwise convolution.
  public var depthwise: @Sendable (DepthwiseRun) -> Void
  /// One output row of a pooling.
  public var pool: @Sendable (PoolingRun) -> Void
  /// One row of a bilinear resize.
  public var resizeBilinear: @Sendable (BilinearRun) -> Void
  /// Combines the pixels of two operands.
  public var combine: @Sendable (ElementwiseRun) -> Void
  /// Converts bytes to floats.
  public var convertBytes: @Sendable (ByteRun) -> Void
  /// Copies pixels by source column.
  public var gatherPixels: @Sendable (GatherRun) -> Void
  /// Applies an activation to pixels in memory.
  public var activate: @Sendable (ActivationRun) -> Void
  /// Winograd's input transform of neighbouring tiles.
  public var winogradInput: @Sendable (WinogradInputRun) -> Void
  /// Winograd's output transform of neighbouring tiles.
  public var winogradOutput: @Sendable (WinogradOutputRun) -> Void

  /// The kernels for int8.
  public var bytes: ByteKernelTable

  /// The kernels of an instruction set.
  ///
  /// Always inlined, so that the kernels are compiled in the module that names the instruction set,
  /// the only one compiled for it. `convolveHalf` is a convolution with half as many lanes, where
  /// that is faster.
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
    pool = { I.pool($0) }
    resizeBilinear = { I.resizeBilinear($0) }
    combine = { I.combine($0) }
    convertBytes = { I.convertBytes($0) }
    gatherPixels = { I.gatherPixels($0) }
    activate = { I.activate($0) }
    winogradInput = { I.winogradInput($0) }
    winogradOutput = { I.winogradOutput($0) }
    self.bytes = bytes
  }
}

extension KernelTable: CustomStringConvertible {
  /// The instruction set's name.
  public var description: String { name }
}
