import NCNN

extension Convolution: SingleOutputKind {
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
  var window: Extent {
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
