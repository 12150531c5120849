/// The int8 kernels of one instruction set, as entry points.
public struct ByteKernelTable: Sendable {
  /// Whether sums of four products must fit in 16 bits, see `ByteInstructionSet`.
  public var addsInSixteenBits: Bool
  /// A convolution for one output block.
  public var convolveSingle: @Sendable (ByteConvolutionRun) -> Void
  /// A convolution for two output blocks; nil where that is not faster.
  public var convolvePair: (@Sendable (ByteConvolutionRun) -> Void)?
  /// One row of a depthwise convolution.
  public var depthwise: @Sendable (ByteDepthwiseRun) -> Void
  /// Turns floats into int8 numbers.
  public var quantise: @Sendable (QuantiseRun) -> Void
  /// One output row of a max pooling.
  public var pool: @Sendable (BytePoolingRun) -> Void
  /// Replaces bytes by a table's entries.
  public var lookUp: @Sendable (ByteTableRun) -> Void

  /// The kernels of an instruction set. Always inlined, as `KernelTable`'s.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: ByteInstructionSet>(_: I.Type) {
    addsInSixteenBits = I.addsInSixteenBits
    convolveSingle = { I.convolveSingle($0) }
    if I.pairsBlocks { convolvePair = { I.convolvePair($0) } }
    depthwise = { I.depthwise($0) }
    quantise = { I.quantise($0) }
    pool = { I.pool($0) }
    lookUp = { I.lookUp($0) }
  }
}
