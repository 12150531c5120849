/// Parameters of Convolution and ConvolutionDepthWise.
///
/// Input C × H × W, output `outputChannels` × H′ × W′. Weights are stored as
/// `outputChannels` × (`inputChannels` / `group`) × kernel rows × kernel columns.
public struct Convolution: Hashable, Sendable {
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
  /// The border added to the input first.
  public var border: Border
  /// The value of the border's pixels; in int8, truncated to an integer.
  public var borderValue: Float
  /// Whether a bias per output channel follows the weights.
  public var hasBias: Bool
  /// The number of groups of inputs and outputs; 1 for a plain convolution.
  public var group: Int
  /// The activation applied to the result.
  public var activation: Activation
  /// ncnn's int8 scheme: 0 means floating point.
  public var int8ScaleTerm: Int
  /// The number of scales that follow int8 weights.
  var weightScaleCount: Int

  /// The number of weights without the bias.
  public var weightCount: Int {
    outputChannels * (inputChannels / group) * kernel.width * kernel.height
  }

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError) {
    try reader.requireUnused(19, "dynamic_weight")
    outputChannels = try reader.size(0, "num_output")
    kernel = try Extent(reader, 1, 11, "kernel", default: 0)
    dilation = try Extent(reader, 2, 12, "dilation", default: 1)
    stride = try Extent(reader, 3, 13, "stride", default: 1)
    border = try Border(reader, left: 4, top: 14, right: 15, bottom: 16)
    borderValue = try reader.real(18, "pad_value", default: 0)
    hasBias = try reader.flag(5, "bias_term")
    group = grouped ? try reader.size(7, "group", default: 1) : 1
    activation = try Activation(reader)

    guard checkedProduct(dilation.width, kernel.width) != nil,
      checkedProduct(dilation.height, kernel.height) != nil
    else {
      throw reader.refusal(
        "kernel \(kernel.width) × \(kernel.height), dilated by \(dilation.width) × \(dilation.height)",
        expected: "a window whose sides fit an Int")
    }
    inputChannels = try reader.inputChannels(outputs: outputChannels, kernel: kernel, group: group)
    let weightCount = outputChannels * (inputChannels / group) * kernel.width * kernel.height
    int8ScaleTerm = try reader.int8ScaleTerm(weights: weightCount, outputs: outputChannels)
    guard int8ScaleTerm == 0 || abs(borderValue) < 128 else {
      throw reader.refusal(
        "pad_value \(borderValue) in int8", expected: "a number that is truncated to −127 ... 127")
    }
    // A depthwise layer has one scale per group or, with an even term, one for all.
    weightScaleCount = !grouped ? outputChannels : int8ScaleTerm % 100 == 1 ? group : 1
  }

  var weightRequests: [WeightRequest] {
    let shape = [outputChannels, inputChannels / group, kernel.height, kernel.width]
    var requests = [WeightRequest("weights", shape: shape, isTagged: true)]
    if hasBias { requests.append(WeightRequest("bias", count: outputChannels)) }
    if int8ScaleTerm != 0 {
      requests.append(WeightRequest("weight scales", count: weightScaleCount, areScales: true))
      requests.append(WeightRequest("input scale", count: 1, areScales: true))
      if int8ScaleTerm > 100 {
        requests.append(WeightRequest("output scale", count: 1, areScales: true))
      }
    }
    return requests
  }
}

extension Convolution {
  /// Reads the parameters of Convolution1D and ConvolutionDepthWise1D: windows of one row.
  init(alongRows reader: ParameterReader, grouped: Bool) throws(ModelError) {
    try reader.requireUnused(8, "int8_scale_term")
    try self.init(reader.alongRows(ones: [11, 12, 13], border: [14, 16]), grouped: grouped)
  }
}

extension Deconvolution {
  /// Reads the parameters of Deconvolution1D and DeconvolutionDepthWise1D: windows of one row.
  init(alongRows reader: ParameterReader, grouped: Bool) throws(ModelError) {
    try self.init(
      reader.alongRows(ones: [11, 12, 13, 21], zeros: [19], border: [14, 16]), grouped: grouped)
  }
}

extension Pooling {
  /// Reads the parameters of Pooling1D: windows of one row.
  init(alongRows reader: ParameterReader) throws(ModelError) {
    try self.init(reader.alongRows(ones: [11, 12, 18], border: [13, 15]))
  }
}

extension ParameterReader {
  /// The parameters with what would be read of rows: ones, and no border unless it is SAME.
  fileprivate func alongRows(ones: [Int], zeros: [Int] = [], border: [Int]) -> ParameterReader {
    var all = parameters
    for key in ones { all[key] = .integer(1) }
    for key in zeros { all[key] = .integer(0) }
    let isSame = if case .integer(..<0)? = parameters[4] { true } else { false }
    for key in border { all[key] = isSame ? nil : .integer(0) }
    return ParameterReader(parameters: all, kind: kind, file: file, line: line)
  }

  /// The input channels that the number of a convolution's weights (key 6) implies.
  func inputChannels(outputs: Int, kernel: Extent, group: Int) throws(ModelError) -> Int {
    guard outputs % group == 0 else {
      throw refusal(
        "num_output \(outputs) and group \(group)", expected: "a group that divides the channels")
    }
    let count = try size(6, "weight_data_size")
    let perInput = checkedProduct(kernel.width, kernel.height, outputs)
    guard let perInput, count % perInput == 0,
      let inputs = checkedProduct(count / perInput, group)
    else {
      throw refusal(
        "weight_data_size \(count)",
        expected: "a multiple of kernel \(kernel.width) × \(kernel.height)"
          + " × num_output \(outputs)")
    }
    return inputs
  }
}
