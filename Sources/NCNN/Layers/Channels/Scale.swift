// SPDX-License-Identifier: Apache-2.0

/// x · scale + bias, one of each for every channel, or x · scale where a second blob, of one axis,
/// provides the scales.
struct Scale: SingleOutputKind, Hashable {
  /// nil where a second blob provides the scales.
  let channels: Int?
  let hasBias: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    if reader.parameters[0] == .integer(ParamFormat.placeholder) {
      // The bias would have -233 weights.
      try reader.requireUnused(1, "bias_term beside the scales of a blob")
      channels = nil
    } else {
      channels = try reader.size(0, "scale_data_size")
    }
    hasBias = try reader.flag(1, "bias_term")
  }

  var traits: LayerTraits {
    guard let channels else { return LayerTraits(inputs: 2...2) }
    return LayerTraits(weights: hasBias ? ["scales", "biases"] : ["scales"], count: channels)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    let scales = channels == nil ? [.input(1)] : weights.map(Lowering.Operand.numbers)
    return .arithmetic(.input(0), Array(zip([.multiply, .add], scales)))
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    if let channels { return try perChannelShape(inputs[0], channels: channels) }
    guard inputs[1] == [inputs[0][0]] else {
      throw .shape(
        "scales of shape \(inputs[1])", expected: "\(inputs[0][0]), one for each channel")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let scales = channels == nil ? inputs[1].values : weights[0]
    return inputs[0].scaled(by: scales, plus: hasBias ? weights[1] : nil)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    channels == nil ? .sameElementAndSecondInput : .sameElement
  }
}
