/// Parameters of Scale. Weights: scale, then bias where there is one, each of `channels`; none
/// where a second blob provides the scales.
struct Scale: Hashable, Sendable {
  /// Channels of the input; nil where a second blob, of one axis, provides the scales.
  var channels: Int?
  /// Whether a bias is added.
  var hasBias: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    if reader.parameters[0] == .integer(ParamFormat.placeholder) {
      // The bias would have -233 weights.
      try reader.requireUnused(1, "bias_term beside the scales of a blob")
    } else {
      channels = try reader.size(0, "scale_data_size")
    }
    hasBias = try reader.flag(1, "bias_term")
  }

  var weightRequests: [WeightRequest] {
    guard let channels else { return [] }
    let scale = WeightRequest("scales", count: channels)
    return hasBias ? [scale, WeightRequest("biases", count: channels)] : [scale]
  }
}

extension Scale: SingleOutputKind {
  var traits: LayerTraits {
    LayerTraits(inputs: channels == nil ? 2...2 : 1...1, weights: weightRequests)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    let scales = channels == nil ? [.input(1)] : weights.map(Lowering.Operand.numbers)
    return .arithmetic(.input(0), Array(zip([.multiply, .add], scales)))
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    if let channels { return try perChannelShape(inputs[0], channels: channels) }
    guard inputs[1] == [inputs[0][0]] else {
      throw InferenceError(
        .shape, found: "scales of shape \(inputs[1])",
        expected: "\(inputs[0][0]), one for each channel")
    }
    return inputs[0]
  }

  /// x · scale + bias
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let scales = channels == nil ? inputs[1].values : weights[0]
    return scaled(inputs[0], by: scales, plus: hasBias ? weights[1] : nil)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    channels == nil ? .sameElementAndSecondInput : .sameElement
  }
}
