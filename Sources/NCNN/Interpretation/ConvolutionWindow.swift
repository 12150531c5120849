/// How one number of a convolution's result comes about.
public struct ConvolutionWindow: Hashable, Sendable {
  /// A weight and the number under it.
  public struct Term: Hashable, Sendable {
    /// Where the number is in the input; outside the blob, the border is read.
    public var channel, row, column: Int
    /// The number and its weight.
    public var value, weight: Float
  }

  /// All products, by channel, row and column.
  public var terms: [Term]
  /// What the sum starts with.
  public var bias: Float
  /// The bias and all products, added one by one.
  public var sum: Float
  /// What the layer's activation makes of the sum.
  public var result: Float
}

extension Network {
  /// How a convolution's number at a cell comes about, by the interpreter's arithmetic, from the blob that
  /// the layer of this index reads, C × H × W.
  ///
  /// - Throws: `InferenceError` where the layer is no convolution in fp32 with its weights loaded, or
  ///   where the cell or the input do not fit it.
  public func window(
    of layer: Int, at cell: (channel: Int, row: Int, column: Int), input: Tensor
  ) throws(InferenceError) -> ConvolutionWindow {
    guard layers.indices.contains(layer), let convolution = layers[layer].convolution,
      !layers[layer].computesInInt8, !layers[layer].weights.isEmpty, input.shape.count == 3
    else {
      throw InferenceError(
        .unsupported, found: "layer \(layer)", expected: "a convolution in fp32 with its weights")
    }
    let shape = try convolution.outputShape([input.shape])
    guard (0..<shape[0]).contains(cell.channel), (0..<shape[1]).contains(cell.row),
      (0..<shape[2]).contains(cell.column)
    else {
      throw InferenceError(.shape, found: "the cell \(cell)", expected: "one of shape \(shape)")
    }
    return convolution.window(at: cell, input: input, weights: layers[layer].numbers)
  }
}

extension Convolution {
  fileprivate func window(
    at cell: (channel: Int, row: Int, column: Int), input: Tensor, weights: [[Float]]
  ) -> ConvolutionWindow {
    let sides = border.sides(
      rows: input.rows, columns: input.columns, window: window, stride: stride)
    let inputsPerGroup = inputChannels / group
    let firstInput = cell.channel / (outputChannels / group) * inputsPerGroup
    let bias = hasBias ? weights[1][cell.channel] : 0
    var (terms, sum) = ([ConvolutionWindow.Term](), bias)
    for channel in 0..<inputsPerGroup {
      for tap in 0..<kernel.area {
        let (y, x) = tap.quotientAndRemainder(dividingBy: kernel.width)
        let row = cell.row * stride.height + y * dilation.height - sides.top
        let column = cell.column * stride.width + x * dilation.width - sides.left
        let isInside = (0..<input.rows).contains(row) && (0..<input.columns).contains(column)
        let place = ((firstInput + channel) * input.rows + row) * input.columns + column
        let term = ConvolutionWindow.Term(
          channel: firstInput + channel, row: row, column: column,
          value: isInside ? input.values[place] : borderValue,
          weight: weights[0][(cell.channel * inputsPerGroup + channel) * kernel.area + tap])
        sum += term.value * term.weight
        terms.append(term)
      }
    }
    return ConvolutionWindow(terms: terms, bias: bias, sum: sum, result: activation.apply(sum))
  }
}
