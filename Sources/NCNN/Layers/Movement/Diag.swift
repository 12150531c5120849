/// A vector as a diagonal of a matrix of zeros, or a diagonal of a matrix as a vector.
struct Diag: SingleOutputKind, Hashable {
  init(_ reader: ParameterReader) throws(ModelError) {
    offset = try reader.integer(0, "diagonal", default: 0, in: -(1 << 20)...(1 << 20))
  }

  var traits: LayerTraits { LayerTraits(fourAxes: .none) }

  /// Of the columns right of the main diagonal.
  let offset: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let (down, across) = (max(0, -offset), max(0, offset))
    if input.count == 1 { return [input[0] + down + across, input[0] + down + across] }
    guard input.count == 2, input[0] > down, input[1] > across else {
      throw InferenceError(
        .shape, found: "diagonal \(offset) of shape \(input)",
        expected: "one or two axes, and a diagonal within")
    }
    return [min(input[0] - down, input[1] - across)]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (input, columns) = (inputs[0], inputs[0].shape.count == 1 ? shape[1] : inputs[0].columns)
    let start = max(0, -offset) * columns + max(0, offset)
    var result = Tensor(shape)
    if input.shape.count == 1 {
      for (index, value) in input.values.enumerated() {
        result.values[start + index * (columns + 1)] = value
      }
    } else {
      for index in 0..<shape[0] {
        result.values[index] = input.values[start + index * (columns + 1)]
      }
    }
    return result
  }
}
