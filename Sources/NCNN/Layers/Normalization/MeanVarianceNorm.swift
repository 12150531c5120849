// SPDX-License-Identifier: Apache-2.0

/// MVN: x − mean, perhaps divided by √variance + epsilon, with mean and variance of each channel or
/// of all.
struct MeanVarianceNorm: SingleOutputKind, Hashable {
  let dividesByDeviation, acrossChannels: Bool
  let epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    dividesByDeviation = try reader.flag(0, "normalize_variance")
    acrossChannels = try reader.flag(1, "across_channels")
    epsilon = try reader.real(2, "eps", default: 0.0001)
  }

  /// C × H × W, also of fewer axes.
  func outputShape(_ inputs: [[Int]]) -> [Int] { [1, 1, 1].dropLast(inputs[0].count) + inputs[0] }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = Tensor(shape, inputs[0].values)
    return input.normalized(runsOf: input.values.count / (acrossChannels ? 1 : shape[0])) {
      dividesByDeviation ? 1 / ($0.squareRoot() + epsilon) : 1
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}
