/// x + bias; fewer axes than three are one channel, as upstream has it.
struct Bias: SingleOutputKind, Hashable {
  let channels: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.size(0, "bias_data_size")
  }

  var traits: LayerTraits { LayerTraits(weights: [WeightRequest("biases", count: channels)]) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .arithmetic(.input(0), [(.add, .numbers(weights[0]))])
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    inputs[0].count < 3 ? inputs[0] : try perChannelShape(inputs[0], channels: channels)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let size = shape.count < 3 ? shape.reduce(1, *) : shape.dropFirst().reduce(1, *)
    var result = inputs[0]
    for index in result.values.indices { result.values[index] += weights[0][index / size] }
    return result
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
