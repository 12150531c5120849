// SPDX-License-Identifier: Apache-2.0

/// A fully connected layer: output[o] = activation(bias[o] + Σ weight[o][i] · input[i]).
///
/// The input is one vector of `inputCount`, whatever its shape, or of two axes has rows of as many.
public struct InnerProduct: QuantizableKind, Hashable, Sendable {
  /// Elements of the output.
  public var outputCount: Int
  /// Elements of the input, implied by the number of weights.
  public var inputCount: Int
  /// Whether a bias per output follows the weights.
  public var hasBias: Bool
  /// The activation applied to the result.
  public var activation: Activation
  /// ncnn's int8 scheme: 0 means floating point.
  public var int8ScaleTerm: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    outputCount = try reader.size(0, "num_output")
    hasBias = try reader.flag(1, "bias_term")
    activation = try Activation(reader)
    let weightCount = try reader.size(2, "weight_data_size")
    guard weightCount % outputCount == 0 else {
      throw reader.refusal(
        "weight_data_size \(weightCount)", expected: "a multiple of num_output \(outputCount)")
    }
    inputCount = weightCount / outputCount
    int8ScaleTerm = try reader.int8ScaleTerm(weights: weightCount, outputs: outputCount)
  }

  package var traits: LayerTraits {
    let shape = [outputCount, inputCount]
    var weights = [WeightRequest(name: "weights", shape: shape, isTagged: true)]
    if hasBias { weights.append(WeightRequest(name: "bias", shape: [outputCount])) }
    guard int8ScaleTerm != 0 else { return LayerTraits(weights: weights) }
    weights.append(WeightRequest(name: "weight scales", shape: [outputCount], areScales: true))
    weights.append(WeightRequest(name: "input scale", shape: [1], areScales: true))
    return LayerTraits(
      weights: weights, fourAxes: nil,
      int8: Int8Scheme(outputChannels: outputCount, hasBias: hasBias))
  }

  package var attributes: [LayerAttribute]? { commonAttributes(1, hasBias, activation) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    if input.count == 2 && input[1] == inputCount { return [input[0], outputCount] }
    guard input.reduce(1, *) == inputCount else {
      throw .shape("shape \(input)", expected: "\(inputCount) elements, or rows of \(inputCount)")
    }
    return [outputCount]
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    guard int8ScaleTerm == 0 else { return .plain }
    return .rows { inputs, shapes, arithmetic in
      let rows = inputs[0].values.count / inputCount
      let input = Matrix(inputs[0].values, rows: rows, columns: inputCount)
      let factors = Matrix(
        weights[0], rows: inputCount, columns: outputCount, isTransposed: true, isStored: true)
      var values = arithmetic.multiply(input, factors, hasBias ? weights[1] : nil)
      if activation != .none { values = values.map(activation.apply) }
      return [Tensor(shapes[0], values)]
    }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    multiplied(
      inputs[0].values, by: weights[0], shape, startingWith: { hasBias ? weights[1][$0] : 0 },
      result: { sum, _ in activation.apply(sum) })
  }

  func runInt8(
    _ input: Tensor, weights: [Int32], shape: [Int], result: (_ sum: Int32, _ output: Int) -> Float
  ) -> Tensor {
    multiplied(input.integers, by: weights, shape, startingWith: { _ in 0 }, result: result)
  }

  /// The results of the sums of products, each begun with a number for its output.
  func multiplied<Number: Numeric>(
    _ source: [Number], by weights: [Number], _ shape: [Int],
    startingWith start: (_ output: Int) -> Number, result: (_ sum: Number, _ output: Int) -> Float
  ) -> Tensor {
    var results = Tensor(shape)
    for index in results.values.indices {
      let (row, output) = index.quotientAndRemainder(dividingBy: outputCount)
      var sum = start(output)
      for i in 0..<inputCount {
        sum += weights[output * inputCount + i] * source[row * inputCount + i]
      }
      results.values[index] = result(sum, output)
    }
    return results
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let count = product(output)
    let multiplyAdds = count * Int64(inputCount)
    return Cost(steps: multiplyAdds + count * activation.steps, multiplyAdds: multiplyAdds)
  }
}
