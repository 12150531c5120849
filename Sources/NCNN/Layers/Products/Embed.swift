// SPDX-License-Identifier: Apache-2.0

/// Rows of a table, one for each index: W indices become W × `width`.
///
/// As in ncnn, an index is an integer in the bits of an element, and is clamped to the rows that there are. Weights:
/// the table, in int8 with one scale for all if the layer has any, and a bias for each column.
struct Embed: SingleOutputKind, Hashable {
  /// The numbers of a row.
  let width: Int
  let rows: Int
  let hasBias: Bool
  let isInt8: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    width = try reader.size(0, "num_output")
    rows = try reader.size(1, "input_dim")
    hasBias = try reader.flag(2, "bias_term")
    isInt8 = try reader.integer(18, "int8_scale_term", default: 0) > 0
    let count = try reader.size(3, "weight_data_size")
    guard checkedProduct(width, rows) == count else {
      throw reader.refusal(
        "weight_data_size \(count)", expected: "num_output \(width) × input_dim \(rows)")
    }
  }

  var traits: LayerTraits {
    var weights = [WeightRequest(name: "table", shape: [rows, width], isTagged: true)]
    if hasBias { weights.append(WeightRequest(name: "bias", shape: [width])) }
    if isInt8 { weights.append(WeightRequest(name: "scale", shape: [1], areScales: true)) }
    return LayerTraits(weights: weights, fourAxes: nil)
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count == 1 else {
      throw .shape("shape \(inputs[0])", expected: "one axis, of indices")
    }
    return [inputs[0][0], width]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let scale = isInt8 ? weights[weights.count - 1][0] : 1
    let factor = scale > 0 ? 1 / scale : 0
    return Tensor(shape) { _, word, column in
      let index = Int(Int32(bitPattern: inputs[0].values[word].bitPattern))
      let value = weights[0][min(max(index, 0), rows - 1) * width + column] * factor
      return hasBias ? value + weights[1][column] : value
    }
  }
}
