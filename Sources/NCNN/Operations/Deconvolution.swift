/// Parameters of Deconvolution and DeconvolutionDepthWise, also called transposed convolution.
///
/// Input C × H × W, output `outputChannels` × H′ × W′. Each pixel of the input adds a window to the
/// result, `stride` pixels from the next one's; then the borders are cut off. Weights are stored as
/// `outputChannels` × (`inputChannels` / `group`) × kernel rows × kernel columns.
public struct Deconvolution: Hashable, Sendable {
  /// Channels of the output.
  public var outputChannels: Int
  /// Channels of the input, implied by the number of weights.
  public var inputChannels: Int
  /// The window, in samples.
  public var kernel: Extent
  /// The distance between neighbouring samples of a window.
  public var dilation: Extent
  /// The distance between neighbouring windows.
  public var stride: Extent
  /// Pixels added at the right and at the bottom, before any are cut off.
  public var extra: Extent
  /// What is cut off.
  public var cut: Cut
  /// Whether a bias per output channel follows the weights.
  public var hasBias: Bool
  /// The number of groups of inputs and outputs; 1 for a plain deconvolution.
  public var group: Int
  /// The activation applied to the result.
  public var activation: Activation

  /// What is cut off the result of all windows.
  public enum Cut: Hashable, Sendable {
    /// A number of pixels on each side.
    case sides(left: Int, right: Int, top: Int, bottom: Int)
    /// All but this size, as much on both sides; an odd pixel comes off the right and the bottom,
    /// or off the left and the top.
    case toSize(Extent, oddPixelFirst: Bool)
  }

  /// The number of weights without the bias.
  public var weightCount: Int {
    outputChannels * (inputChannels / group) * kernel.width * kernel.height
  }

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError) {
    try reader.requireUnused(28, "dynamic_weight")
    outputChannels = try reader.size(0, "num_output")
    kernel = try Extent(reader, 1, 11, "kernel", default: 0)
    dilation = try Extent(reader, 2, 12, "dilation", default: 1)
    stride = try Extent(reader, 3, 13, "stride", default: 1)
    let extraColumns = try reader.integer(18, "output_pad_right", default: 0, in: 0...1 << 20)
    extra = Extent(
      width: extraColumns,
      height: try reader.integer(19, "output_pad_bottom", default: extraColumns, in: 0...1 << 20))
    cut = try Cut(reader)
    hasBias = try reader.flag(5, "bias_term")
    group = grouped ? try reader.size(7, "group", default: 1) : 1
    activation = try Activation(reader)
    inputChannels = try reader.inputChannels(outputs: outputChannels, kernel: kernel, group: group)
  }

  var weightRequests: [WeightRequest] {
    let shape = [outputChannels, inputChannels / group, kernel.height, kernel.width]
    let weights = WeightRequest("weights", shape: shape, isTagged: true)
    return hasBias ? [weights, WeightRequest("bias", count: outputChannels)] : [weights]
  }
}

extension Deconvolution.Cut {
  static let none = sides(left: 0, right: 0, top: 0, bottom: 0)

  /// Upstream ignores a size beside pads, and SAME without a size.
  init(_ reader: ParameterReader) throws(ModelError) {
    let width = try reader.integer(20, "output_w", default: 0, in: 0...1 << 20)
    let height = try reader.integer(21, "output_h", default: width, in: 0...1 << 20)
    let size = width > 0 && height > 0 ? Extent(width: width, height: height) : nil
    switch try Border(reader, left: 4, top: 14, right: 15, bottom: 16) {
    case .none where size != nil:
      throw reader.refusal(
        "output_w \(width) and output_h \(height) without SAME", expected: "pads of -233 or -234")
    case .explicit(let left, let right, let top, let bottom):
      self = .sides(left: left, right: right, top: top, bottom: bottom)
    case .sameUpper: self = size.map { .toSize($0, oddPixelFirst: false) } ?? .none
    case .sameLower: self = size.map { .toSize($0, oddPixelFirst: true) } ?? .none
    }
  }
}
