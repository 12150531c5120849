// SPDX-License-Identifier: Apache-2.0

/// A vector as a diagonal of a matrix of zeros, or a diagonal of a matrix as a vector.
struct Diag: SingleOutputKind, Hashable {
  /// Columns to the right of the main diagonal.
  let offset: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    offset = try reader.integer(0, "diagonal", default: 0, in: -(1 << 20)...(1 << 20))
  }

  var traits: LayerTraits { LayerTraits(fourAxes: nil) }

  private var down: Int { max(0, -offset) }
  private var across: Int { max(0, offset) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    if input.count == 1 { return [input[0] + down + across, input[0] + down + across] }
    guard input.count == 2, input[0] > down, input[1] > across else {
      throw .shape(
        "diagonal \(offset) of shape \(input)", expected: "one or two axes, and a diagonal within")
    }
    return [min(input[0] - down, input[1] - across)]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let isVector = input.shape.count == 1
    let columns = isVector ? shape[1] : input.columns
    var result = Tensor(shape)
    for index in 0..<(isVector ? input.columns : shape[0]) {
      let place = (down + index) * columns + across + index
      result.values[isVector ? place : index] = input.values[isVector ? index : place]
    }
    return result
  }
}
