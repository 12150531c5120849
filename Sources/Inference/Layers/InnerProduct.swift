import NCNN

extension InnerProduct {
  /// Any shape of `inputCount` elements → `outputCount`; H × `inputCount` → H × `outputCount`.
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    if input.count == 2 && input[1] == inputCount {
      return [input[0], outputCount]
    }
    guard input.reduce(1, *) == inputCount else {
      throw InferenceError(
        .shape, found: "shape \(input)", expected: "\(inputCount) elements, or rows of that many")
    }
    return [outputCount]
  }

  /// output[o] = activation(bias[o] + Σ weight[o][i] · input[i]), for each row.
  func apply(_ input: Tensor, weights: [[Float]], shape: [Int]) -> Tensor {
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
}
