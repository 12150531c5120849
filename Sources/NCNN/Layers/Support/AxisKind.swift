// SPDX-License-Identifier: Apache-2.0

/// A kind whose only parameter is the axis that it works along; it keeps the shape unless it says
/// otherwise.
protocol AxisKind: SingleOutputKind {
  var axis: Int { get }
  init(axis: Int)
}

extension AxisKind {
  init(_ reader: ParameterReader) throws(ModelError) {
    self.init(axis: try reader.integer(0, "axis", default: 0, in: axisRange))
  }

  package var attributes: [LayerAttribute]? { [("axis", "\(axis)")] }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    _ = try resolvedAxis(axis, of: inputs[0])
    return inputs[0]
  }
}
