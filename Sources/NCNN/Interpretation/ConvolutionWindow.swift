// SPDX-License-Identifier: Apache-2.0

/// How one number of a convolution's result comes about.
public struct ConvolutionWindow: Hashable, Sendable {
  /// A weight and the number under it.
  public struct Term: Hashable, Sendable {
    /// Where the number is in the input; outside the blob, the border is read.
    public var channel, row, column: Int
    /// The number and its weight; of a layer that computes in int8, as int8 numbers.
    public var value, weight: Float
  }

  /// All products, by channel, row and column.
  public var terms: [Term]
  /// What the sum starts with; in int8, what is added to it once it is divided.
  public var bias: Float
  /// The bias and all products, added one by one; in int8, the products alone.
  public var sum: Float
  /// What the layer's activation makes of the sum; in int8 of the divided sum with its bias, and where the layer hands
  /// on int8, times its output scale and rounded.
  public var result: Float
  /// The layer's scales, if it computes in int8; `weightScales` has that of the channel alone. The sum is divided by the
  /// input's scale times the weights'.
  public var scales: Int8Scales?
}

extension Network {
  /// How a convolution's number at a cell comes about, by the interpreter's arithmetic, from the blob that
  /// the layer of this index reads, C × H × W.
  ///
  /// Where the layer computes in int8 but the blob is not int8, its numbers are rounded to int8 first.
  ///
  /// - Throws: `InferenceError` where the layer is no convolution with its weights loaded, or where the cell or the
  ///   input do not fit it.
  public func window(
    of layer: Int, at cell: (channel: Int, row: Int, column: Int), input: Tensor
  ) throws(InferenceError) -> ConvolutionWindow {
    guard layers.indices.contains(layer), let convolution = layers[layer].convolution,
      !layers[layer].weights.isEmpty, input.shape.count == 3
    else {
      throw InferenceError(
        .unsupported, found: "layer \(layer)", expected: "a convolution with its weights")
    }
    let shape = try convolution.outputShape([input.shape])
    guard (0..<shape[0]).contains(cell.channel), (0..<shape[1]).contains(cell.row),
      (0..<shape[2]).contains(cell.column)
    else {
      throw InferenceError(.shape, found: "the cell \(cell)", expected: "one of shape \(shape)")
    }
    guard var scales = layers[layer].quantization else {
      return convolution.window(at: cell, input: input, weights: layers[layer].numbers)
    }
    let isInt8 = try int8Blobs().contains(layers[layer].inputs[0])
    let integers = isInt8 ? input : input.quantized(scale: scales.inputScale)
    var window = convolution.window(at: cell, input: integers, weights: layers[layer].numbers)
    // Exact, unlike a sum of floats.
    let sum = window.terms.reduce(Int32(0)) { $0 + Int32($1.value) * Int32($1.weight) }
    window.sum = Float(sum)
    window.result = scales.result(
      of: sum, channel: cell.channel, bias: window.bias, activation: convolution.activation)
    scales = Int8Scales(
      weightScales: [scales.weightScales[cell.channel]], inputScale: scales.inputScale,
      outputScale: scales.outputScale)
    window.scales = scales
    return window
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
    let borderValue = int8ScaleTerm == 0 ? borderValue : borderValue.rounded(.towardZero)
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
