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

extension Convolution: SingleOutputKind {
  package var attributes: [LayerAttribute]? {
    var attributes = windowAttributes(kernel, stride, dilation)
    switch border {
    case .explicit(let left, let right, let top, let bottom):
      let sides = [left, right, top, bottom]
      if sides.contains(where: { $0 != left }) {
        attributes.append(("border", "left \(left), right \(right), top \(top), bottom \(bottom)"))
      } else if left > 0 {
        attributes.append(("border", "\(left) on each side"))
      }
    case .sameUpper: attributes.append(("border", "to the input's size, more at the end"))
    case .sameLower: attributes.append(("border", "to the input's size, more at the start"))
    }
    if borderValue != 0 { attributes.append(("border's value", "\(borderValue)")) }
    attributes += commonAttributes(group, hasBias, activation)
    if int8ScaleTerm != 0 { attributes.append(("int8 scales", "term \(int8ScaleTerm)")) }
    return attributes
  }

  package var traits: LayerTraits {
    LayerTraits(weights: weightRequests, fourAxes: .none, int8: int8Scheme)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .convolution(self) }

  package func inInt8(readsInt8: Bool) -> Operation? {
    guard int8ScaleTerm != 0 else { return nil }
    return Operation(QuantisedConvolution(convolution: self, readsInt8: readsInt8))
  }

  private var int8Scheme: Int8Scheme? {
    guard int8ScaleTerm != 0 else { return nil }
    return Int8Scheme(
      outputChannels: outputChannels, hasBias: hasBias, handsOnInt8: int8ScaleTerm > 100)
  }

  /// C × H × W → `outputChannels` × H′ × W′; a blob of one axis counts as C × 1 × 1 and gives one
  /// axis again, one of two axes as 1 × H × W.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let channels = input.count == 1 ? input[0] : input.count == 2 ? 1 : input[0]
    guard channels == inputChannels else {
      throw InferenceError(
        .shape, found: "\(channels) channels in shape \(input)",
        expected: "\(inputChannels), as the weights imply")
    }
    if input.count == 1 {
      guard kernel == .one else {
        throw InferenceError(
          .shape, found: "one axis under a kernel of \(kernel.width) × \(kernel.height)",
          expected: "three axes")
      }
      return [outputChannels]
    }
    let (inputRows, inputColumns) = (input[input.count - 2], input[input.count - 1])
    try border.requireOneSense(
      rows: inputRows, columns: inputColumns, window: window, stride: stride)
    let bordered = border.sizes(
      rows: inputRows, columns: inputColumns, window: window, stride: stride)
    let rows = bordered.rows - window.height
    let columns = bordered.columns - window.width
    guard rows >= 0, columns >= 0 else {
      throw InferenceError(
        .shape, found: "shape \(input), with its border \(bordered.rows) × \(bordered.columns)",
        expected: "at least the window of \(window.height) × \(window.width)")
    }
    let count = elementCount([channels, bordered.rows, bordered.columns])
    guard let count, count < 1 << 29 else {
      throw InferenceError(
        .limit, found: "shape \(input), with its border \(bordered.rows) × \(bordered.columns)",
        expected: "fewer than 2²⁹ elements: give a smaller input")
    }
    return [outputChannels, rows / stride.height + 1, columns / stride.width + 1]
  }

  /// The rows and columns that the dilated kernel spans.
  package var window: Extent {
    Extent(
      width: dilation.width * (kernel.width - 1) + 1,
      height: dilation.height * (kernel.height - 1) + 1)
  }

  /// output[o][y][x] = activation(bias[o] + Σ weight[o][i][ky][kx] · input[i][y·s + ky·d][x·s + kx·d])
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let source =
      input.shape.count == 1
      ? Tensor([input.shape[0], 1, 1], input.values)
      : bordered(input, border, value: borderValue, window: window, stride: stride)
    return convolve(
      source.values, rows: source.rows, columns: source.columns, weights: weights[0], shape: shape,
      startingWith: { hasBias ? weights[1][$0] : 0 },
      result: { sum, _ in activation.apply(sum) })
  }

  /// The results of the sums over all windows of a bordered input, each begun with a number for its
  /// output channel.
  func convolve<Number: Numeric>(
    _ source: [Number], rows: Int, columns: Int, weights: [Number], shape: [Int],
    startingWith start: (_ channel: Int) -> Number,
    result: (_ sum: Number, _ channel: Int) -> Float
  ) -> Tensor {
    let outputRows = shape.count == 1 ? 1 : shape[1]
    let outputColumns = shape.count == 1 ? 1 : shape[2]
    let inputsPerGroup = inputChannels / group
    let outputsPerGroup = outputChannels / group
    let taps = kernel.width * kernel.height
    var results = Tensor(shape)
    var row = [Number](repeating: 0, count: outputColumns)
    for output in 0..<outputChannels {
      let firstInput = output / outputsPerGroup * inputsPerGroup
      for y in 0..<outputRows {
        for x in row.indices { row[x] = start(output) }
        for i in 0..<inputsPerGroup {
          for tap in 0..<taps {
            let (ky, kx) = tap.quotientAndRemainder(dividingBy: kernel.width)
            let sourceRow = y * stride.height + ky * dilation.height
            let from = ((firstInput + i) * rows + sourceRow) * columns + kx * dilation.width
            let weight = weights[(output * inputsPerGroup + i) * taps + tap]
            addProducts(source, from: from, every: stride.width, times: weight, to: &row)
          }
        }
        let first = (output * outputRows + y) * outputColumns
        for x in row.indices { results.values[first + x] = result(row[x], output) }
      }
    }
    return results
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let count = product(output)
    let multiplyAdds = count * Int64(weightCount / outputChannels)
    let copied = borderedElements(inputs[0])
    return Cost(
      steps: multiplyAdds + copied + count * activation.steps, multiplyAdds: multiplyAdds,
      scratchElements: copied)
  }

  /// Elements of the bordered copy of the input; 0 where there is no border.
  private func borderedElements(_ input: [Int]) -> Int64 {
    guard input.count > 1 else { return 0 }
    let (rows, columns) = (input[input.count - 2], input[input.count - 1])
    let size = border.sizes(rows: rows, columns: columns, window: window, stride: stride)
    return size == (rows, columns) ? 0 : product([inputChannels, size.rows, size.columns])
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    .windows(inputs[0], border, window: window, stride: stride)
  }
}

/// sums[x] += source[start + x · step] · factor
private func addProducts<Number: Numeric>(
  _ source: [Number], from start: Int, every step: Int, times factor: Number,
  to sums: inout [Number]
) {
  if step == 1 {
    let window = source[start..<start + sums.count]
    for (x, value) in zip(sums.indices, window) { sums[x] += value * factor }
  } else {
    for x in sums.indices { sums[x] += source[start + x * step] * factor }
  }
}

extension ParameterReader {
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
