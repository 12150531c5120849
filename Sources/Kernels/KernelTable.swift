/// The kernels of one instruction set, as entry points.
public struct KernelTable: Sendable {
  /// The instruction set's name, as `YOLOFACE_ISA` and the tool's `--isa` take it.
  public var name: String
  /// Channels in a block.
  public var lanes: Int
  /// A convolution for one output block.
  public var convolveSingle: @Sendable (ConvolutionRun) -> Void
  /// A convolution for two output blocks.
  public var convolvePair: @Sendable (ConvolutionRun) -> Void
  /// A 1 × 1 convolution for one output block of half as many channels as the input's blocks have;
  /// nil where that is not faster.
  public var convolveHalf: (@Sendable (ConvolutionRun) -> Void)?
  /// One row of a depthwise convolution.
  public var depthwise: @Sendable (DepthwiseRun) -> Void
  /// One row of maximum pooling: rows, inputColumns, kernelColumns, stride, padLeft, output,
  /// outputColumns.
  public var maximumPooling:
    @Sendable (
      UnsafeBufferPointer<UnsafePointer<Float>>, Int, Int, Int, Int, UnsafeMutablePointer<Float>,
      Int
    ) -> Void
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
  /// A sum: first, second, pixels, output.
  public var add:
    @Sendable (
      UnsafePointer<Float>, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>
    ) -> Void

  /// Makes a table from its entry points.
  public init(
    name: String, lanes: Int,
    convolveSingle: @escaping @Sendable (ConvolutionRun) -> Void,
    convolvePair: @escaping @Sendable (ConvolutionRun) -> Void,
    convolveHalf: (@Sendable (ConvolutionRun) -> Void)? = nil,
    depthwise: @escaping @Sendable (DepthwiseRun) -> Void,
    maximumPooling:
      @escaping @Sendable (
        UnsafeBufferPointer<UnsafePointer<Float>>, Int, Int, Int, Int,
        UnsafeMutablePointer<Float>, Int
      ) -> Void,
    convertBytes:
      @escaping @Sendable (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<Float>) -> Void,
    gatherPixels:
      @escaping @Sendable (
        UnsafePointer<Float>, UnsafeBufferPointer<Int>, UnsafeMutablePointer<Float>
      ) -> Void,
    activate:
      @escaping @Sendable (
        UnsafePointer<Float>, Int, VectorActivation, UnsafeMutablePointer<Float>
      ) -> Void,
    winogradInput:
      @escaping @Sendable (
        WinogradTile, UnsafePointer<Float>, Int, Int, UnsafeMutablePointer<Float>, Int
      ) -> Void,
    winogradOutput:
      @escaping @Sendable (
        WinogradTile, UnsafePointer<Float>, Int, UnsafePointer<Float>, VectorActivation,
        UnsafeMutablePointer<Float>, Int, Int
      ) -> Void,
    add:
      @escaping @Sendable (
        UnsafePointer<Float>, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>
      ) -> Void
  ) {
    self.name = name
    self.lanes = lanes
    self.convolveSingle = convolveSingle
    self.convolvePair = convolvePair
    self.convolveHalf = convolveHalf
    self.depthwise = depthwise
    self.maximumPooling = maximumPooling
    self.convertBytes = convertBytes
    self.gatherPixels = gatherPixels
    self.activate = activate
    self.winogradInput = winogradInput
    self.winogradOutput = winogradOutput
    self.add = add
  }
}
