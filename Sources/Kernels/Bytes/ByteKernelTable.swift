// SPDX-License-Identifier: Apache-2.0

/// How int8 kernels multiply, on which the packing of weights depends.
public struct ByteArithmetic: Equatable, Sendable {
  /// Whether products are first added in 16 bits, which must hold the sum of those of two neighbouring bytes, and for
  /// two quads at a time the sum of four.
  public var addsInSixteenBits = false
  /// What is subtracted from each value before it is multiplied. The biases make up for it.
  public var valueOffset = 0
  /// Whether a convolution's weights are numbers of 16 bits, in the order of `ByteInstructionSet.Weights`.
  public var widensWeights = false
  /// Whether two output blocks at a time are faster than one.
  public var pairsBlocks = false

  /// The bytes that a quad of a convolution's weights takes for all channels of a block.
  @_alwaysEmitIntoClient @inline(__always)
  public var weightBytes: Int { widensWeights ? 128 : 64 }

  /// Makes a description from its parts.
  @_alwaysEmitIntoClient @inline(__always)
  public init(
    addsInSixteenBits: Bool = false, valueOffset: Int = 0, widensWeights: Bool = false,
    pairsBlocks: Bool = false
  ) {
    self.addsInSixteenBits = addsInSixteenBits
    self.valueOffset = valueOffset
    self.widensWeights = widensWeights
    self.pairsBlocks = pairsBlocks
  }
}

/// The int8 kernels of one instruction set, as entry points.
public struct ByteKernelTable: Sendable {
  /// How they multiply.
  public var arithmetic: ByteArithmetic
  /// A convolution for one output block.
  public var convolveSingle: @Sendable (ByteConvolutionRun) -> Void
  /// A convolution for two output blocks; nil where that is not faster.
  public var convolvePair: (@Sendable (ByteConvolutionRun) -> Void)?
  /// One output row of a depthwise convolution.
  public var depthwise: @Sendable (ByteDepthwiseRun) -> Void
  /// Turns pixels of fp32 blocks into those of one int8 block, pixels × 16: each number times `scale`,
  /// rounded half away from zero and clamped to −127 ... 127, plus `zero`. The offsets, in bytes, are
  /// those of the first pixel of 16 / L blocks.
  public var quantize:
    @Sendable (
      _ input: (start: UnsafeRawPointer, offsets: UnsafePointer<Int>), _ scale: Float,
      _ zero: UInt8, _ pixels: Int, _ output: UnsafeMutablePointer<UInt8>
    ) -> Void
  /// One output row of a max pooling of one block, whose zero is kept: `rows` are those under the
  /// window that lie inside the blob, W × 16 each.
  public var pool:
    @Sendable (
      _ rows: UnsafeBufferPointer<UnsafePointer<UInt8>>, _ columns: WindowColumns,
      _ output: UnsafeMutablePointer<UInt8>
    ) -> Void
  /// Replaces bytes, such as a picture's, by entries of a table of 256.
  public var lookUp:
    @Sendable (
      _ bytes: UnsafePointer<UInt8>, _ count: Int, _ table: UnsafePointer<UInt8>,
      _ output: UnsafeMutablePointer<UInt8>
    ) -> Void

  /// The kernels of an instruction set. Always inlined, as `KernelTable`'s.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: ByteInstructionSet>(_: I.Type) {
    arithmetic = I.arithmetic
    convolveSingle = { I.convolveSingle($0) }
    if I.arithmetic.pairsBlocks { convolvePair = { I.convolvePair($0) } }
    depthwise = { I.depthwise($0) }
    quantize = { I.quantize($0, scale: $1, zero: $2, pixels: $3, to: $4) }
    pool = { I.pool($0, $1, to: $2) }
    lookUp = { I.lookUp($0, count: $1, in: $2, to: $3) }
  }
}
