// SPDX-License-Identifier: Apache-2.0

/// Sums over windows of rows and columns of all channels, or of those of a group.
///
///     output[o][y][x] = activation(bias[o] + Σ weight[o][i][ky][kx] · input[i][y·s + ky·d][x·s + kx·d])
///
/// C × H × W → `outputChannels` × H′ × W′. Weights are stored as
/// `outputChannels` × (`inputChannels` / `group`) × kernel rows × kernel columns.
public struct Convolution: QuantizableKind, BlobWeightsKind, Hashable {
  static let hasInputsFirst = false

  /// Channels of the output.
  public package(set) var outputChannels: Int
  /// Channels of the input, implied by the number of weights.
  public package(set) var inputChannels: Int
  /// The window, in samples.
  public package(set) var kernel: Extent
  /// The distance between neighbouring samples of a window.
  package var dilation: Extent
  /// The distance between neighbouring windows.
  package var stride: Extent
  package var border: Border
  /// The value of the border's pixels; in int8, truncated to an integer.
  public let borderValue: Float
  package var hasBias: Bool
  /// The number of groups of inputs and outputs; 1 for a plain convolution.
  public package(set) var group: Int
  /// The activation applied to the result.
  public let activation: Activation
  /// ncnn's int8 scheme: 0 means floating point.
  public private(set) var int8ScaleTerm = 0
  private let isGrouped: Bool

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError) {
    outputChannels = try reader.size(0, "num_output")
    kernel = try Extent(reader, 1, 11, "kernel", default: 0)
    dilation = try Extent(reader, 2, 12, "dilation", default: 1)
    stride = try Extent(reader, 3, 13, "stride", default: 1)
    border = try Border(reader, left: 4, top: 14, right: 15, bottom: 16)
    borderValue = try reader.real(18, "pad_value", default: 0)
    hasBias = try reader.flag(5, "bias_term")
    isGrouped = grouped
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
    int8ScaleTerm = try reader.int8ScaleTerm(weights: weightCount, outputs: outputChannels)
    guard int8ScaleTerm == 0 || abs(borderValue) < 128 else {
      throw reader.refusal(
        "pad_value \(borderValue) in int8", expected: "a number that is truncated to −127 ... 127")
    }
  }

  /// The number of weights without the bias.
  public var weightCount: Int { outputChannels * (inputChannels / group) * kernel.area }

  /// The rows and columns that the dilated kernel spans.
  package var window: Extent { kernel.dilated(by: dilation) }

  package var traits: LayerTraits {
    let shape = [outputChannels, inputChannels / group, kernel.height, kernel.width]
    var traits = LayerTraits(
      weights: [WeightRequest(name: "weights", shape: shape, isTagged: true)], fourAxes: nil)
    if hasBias { traits.weights.append(WeightRequest(name: "bias", shape: [outputChannels])) }
    guard int8ScaleTerm != 0 else { return traits }
    // A depthwise layer has one scale per group or, with an even term, one for all.
    let scales = !isGrouped ? outputChannels : int8ScaleTerm % 100 == 1 ? group : 1
    traits.weights += [
      WeightRequest(name: "weight scales", shape: [scales], areScales: true),
      WeightRequest(name: "input scale", shape: [1], areScales: true),
    ]
    let handsOnInt8 = int8ScaleTerm > 100
    if handsOnInt8 {
      traits.weights.append(WeightRequest(name: "output scale", shape: [1], areScales: true))
    }
    traits.int8 = Int8Scheme(
      outputChannels: outputChannels, hasBias: hasBias, handsOnInt8: handsOnInt8)
    return traits
  }

  package var attributes: [LayerAttribute]? {
    var attributes = windowAttributes(kernel, stride, dilation)
    if let words = border.words { attributes.append(("border", words)) }
    if borderValue != 0 { attributes.append(("border's value", "\(borderValue)")) }
    attributes += commonAttributes(group, hasBias, activation)
    if int8ScaleTerm != 0 { attributes.append(("int8 scales", "term \(int8ScaleTerm)")) }
    return attributes
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .convolution(self) }

  /// A blob of one axis counts as C × 1 × 1 and gives one axis again, one of two axes as 1 × H × W.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    // Upstream mistakes a single axis for a row of pixels.
    guard input.count > 1 || int8ScaleTerm == 0 else {
      throw .shape("shape \(input) under an int8 convolution", expected: "three axes")
    }
    let channels = input.count == 2 ? 1 : input[0]
    guard channels == inputChannels else {
      throw .shape(
        "\(channels) channels in shape \(input)",
        expected: "\(inputChannels), as the weights imply")
    }
    if input.count == 1 {
      guard kernel == .one else {
        throw .shape(
          "one axis under a kernel of \(kernel.width) × \(kernel.height)", expected: "three axes")
      }
      return [outputChannels]
    }
    let size = try border.checkedSizes(of: input, window: window, stride: stride)
    let windows = try window.windows(over: size, of: input, stride: stride)
    let count = elementCount([channels, size.rows, size.columns])
    guard let count, count < 1 << 29 else {
      throw InferenceError(
        .limit, found: "shape \(input), with its border \(size.rows) × \(size.columns)",
        expected: "fewer than 2²⁹ elements: give a smaller input")
    }
    return [outputChannels] + windows
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let source =
      input.shape.count == 1
      ? Tensor([input.shape[0], 1, 1], input.values)
      : border.added(to: input, value: borderValue, window: window, stride: stride)
    return convolve(
      source.values, rows: source.rows, columns: source.columns, weights: weights[0], shape: shape,
      startingWith: { hasBias ? weights[1][$0] : 0 }, result: { sum, _ in activation.apply(sum) })
  }

  func runInt8(
    _ input: Tensor, weights: [Int32], shape: [Int], result: (_ sum: Int32, _ channel: Int) -> Float
  ) -> Tensor {
    let source = border.added(
      to: input, value: borderValue.rounded(.towardZero), window: window, stride: stride)
    return convolve(
      source.integers, rows: source.rows, columns: source.columns, weights: weights, shape: shape,
      startingWith: { _ in 0 }, result: result)
  }

  /// The results of the sums over all windows of a bordered input, begun with a number per channel.
  func convolve<Number: Numeric>(
    _ source: [Number], rows: Int, columns: Int, weights: [Number], shape: [Int],
    startingWith start: (_ channel: Int) -> Number, result: (_ sum: Number, _ channel: Int) -> Float
  ) -> Tensor {
    let (outputRows, outputColumns) = shape.count == 1 ? (1, 1) : (shape[1], shape[2])
    let inputsPerGroup = inputChannels / group
    var results = Tensor(shape)
    var row = [Number](repeating: 0, count: outputColumns)
    for output in 0..<outputChannels {
      let firstInput = output / (outputChannels / group) * inputsPerGroup
      for y in 0..<outputRows {
        for x in row.indices { row[x] = start(output) }
        for i in 0..<inputsPerGroup {
          for tap in 0..<kernel.area {
            let (ky, kx) = tap.quotientAndRemainder(dividingBy: kernel.width)
            let sourceRow = y * stride.height + ky * dilation.height
            let from = ((firstInput + i) * rows + sourceRow) * columns + kx * dilation.width
            let weight = weights[(output * inputsPerGroup + i) * kernel.area + tap]
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
    // The input is copied with its border, if any.
    let size = border.sizes(of: inputs[0], window: window, stride: stride)
    let bordered = product([inputChannels, size.rows, size.columns])
    let copied = inputs[0].count == 1 || bordered == product(inputs[0]) ? 0 : bordered
    return Cost(
      steps: multiplyAdds + copied + count * activation.steps, multiplyAdds: multiplyAdds,
      scratchElements: copied)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    border.reading(inputs[0], window: window, stride: stride)
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
  fileprivate func inputChannels(outputs: Int, kernel: Extent, group: Int) throws(ModelError) -> Int
  {
    guard outputs % group == 0 else {
      throw refusal(
        "num_output \(outputs) and group \(group)", expected: "a group that divides the channels")
    }
    let count = try size(6, "weight_data_size")
    guard let perInput = checkedProduct(kernel.width, kernel.height, outputs),
      count % perInput == 0, let inputs = checkedProduct(count / perInput, group)
    else {
      throw refusal(
        "weight_data_size \(count)",
        expected: "a multiple of kernel \(kernel.width) × \(kernel.height)"
          + " × num_output \(outputs)")
    }
    return inputs
  }
}
