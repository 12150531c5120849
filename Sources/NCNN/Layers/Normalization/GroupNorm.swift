// SPDX-License-Identifier: Apache-2.0

/// (x − mean) / √(variance + epsilon) · gamma + beta, with mean and variance of each group of
/// channels (Wu and He, 2018); also InstanceNorm, where each channel is a group (Ulyanov et al.,
/// 2016).
///
/// Weights, where affine: gamma, beta, each of `channels`.
struct GroupNorm: SingleOutputKind, Hashable {
  /// The number of groups; 0 where each channel of any input is one.
  let group: Int
  /// 0 for any number.
  let channels: Int
  let epsilon: Float
  let isAffine: Bool
  /// Whether blobs of fewer than three axes are refused: InstanceNorm treats them as one channel.
  let needsThreeAxes: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.size(0, "group", default: 1)
    channels = try reader.size(1, "channels")
    epsilon = try reader.real(2, "eps", default: 0.001)
    isAffine = try reader.flag(3, "affine", default: true)
    needsThreeAxes = false
    guard channels % group == 0 else {
      throw reader.refusal(
        "channels \(channels) and group \(group)", expected: "a group that divides the channels")
    }
  }

  init(instances reader: ParameterReader) throws(ModelError) {
    isAffine = try reader.flag(2, "affine", default: true)
    channels = try reader.integer(
      0, "channels", default: 0, in: (isAffine ? 1 : 0)...Limits.integerParameter)
    group = channels
    epsilon = try reader.real(1, "eps", default: 0.001)
    needsThreeAxes = true
  }

  var traits: LayerTraits {
    LayerTraits(weights: isAffine ? ["gamma", "beta"] : [], count: channels)
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count >= 3 || !needsThreeAxes else {
      throw .shape("shape \(inputs[0])", expected: "three axes")
    }
    return try perChannelShape(inputs[0], channels: channels == 0 ? nil : channels)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let size = inputs[0].values.count / (group == 0 ? shape[0] : group)
    let result = inputs[0].normalized(runsOf: size) { 1 / ($0 + epsilon).squareRoot() }
    return isAffine ? result.scaled(by: weights[0], plus: weights[1]) : result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}
