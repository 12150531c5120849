/// x, or x · slope below zero, with one slope or one per channel.
struct PReLU: SingleOutputKind, Hashable {
  let slopeCount: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    slopeCount = try reader.size(0, "num_slope")
  }

  var traits: LayerTraits { LayerTraits(weights: [WeightRequest("slopes", count: slopeCount)]) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .arithmetic(.input(0), [(.leak, .numbers(weights[0]))])
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try perChannelShape(inputs[0], channels: slopeCount == 1 ? nil : slopeCount)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let slopes = weights[0]
    let size = inputs[0].values.count / shape[0]
    var result = inputs[0]
    for index in result.values.indices where result.values[index] < 0 {
      result.values[index] *= slopes.count == 1 ? slopes[0] : slopes[index / size]
    }
    return result
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
