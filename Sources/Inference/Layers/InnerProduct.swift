import NCNN

extension InnerProduct: SingleOutputKind {
  /// Any shape of `inputCount` elements → `outputCount`; H × `inputCount` → H × `outputCount`.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    if input.count == 2 && input[1] == inputCount {
      return [input[0], outputCount]
    }
    guard input.reduce(1, *) == inputCount else {
      throw InferenceError(
        .shape, found: "shape \(input)",
        expected: "\(inputCount) elements, or rows of \(inputCount)")
    }
    return [outputCount]
  }

  /// output[o] = activation(bias[o] + Σ weight[o][i] · input[i]), for each row.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    var result = Tensor(shape)
    for index in result.values.indices {
      let (row, output) = index.quotientAndRemainder(dividingBy: outputCount)
      var sum = hasBias ? weights[1][output] : 0
      for i in 0..<inputCount {
        sum += weights[0][output * inputCount + i] * input.values[row * inputCount + i]
      }
      result.values[index] = activation.apply(sum)
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let count = product(output)
    let multiplyAdds = count * Int64(inputCount)
    return Cost(steps: multiplyAdds + count * activation.steps, multiplyAdds: multiplyAdds)
  }
}
