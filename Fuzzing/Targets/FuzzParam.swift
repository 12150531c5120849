// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceNCNN

/// Interprets bytes as a `.param` file. What is accepted is written, read again, and described:
/// shapes and receptive fields, for the declared inputs and for small ones.
public func fuzzParam(_ bytes: [UInt8]) {
  guard let network = try? Network(param: bytes, source: "fuzz.param") else { return }
  guard let again = try? Network(param: Array(network.paramText().utf8), source: "again.param")
  else { preconditionFailure("what was written cannot be read") }
  precondition(
    again.layers.map(\.withoutLine) == network.layers.map(\.withoutLine),
    "what was written is read differently")
  for shape in [[], [3, 32, 32], [12]] {
    let inputs = shape.isEmpty ? [] : network.inputs
    let inference = ShapeInference(
      partial: network, inputs: Dictionary(inputs.map { ($0, shape) }) { first, _ in first })
    let fields = ReceptiveFieldInference(of: network, shapes: inference.shapes)
    for output in network.outputs { _ = fields[output] }
  }
}

extension Layer {
  fileprivate var withoutLine: Layer {
    var layer = self
    layer.line = 0
    return layer
  }
}
