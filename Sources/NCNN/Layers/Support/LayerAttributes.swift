// SPDX-License-Identifier: Apache-2.0
extension Layer {
  /// What the parameters say, for people to read, such as `kernel` and `3 × 3`. What a parameter's
  /// default says is left out, and parameters without words are given as in the file.
  public var attributes: [LayerAttribute] {
    operation.kind.attributes ?? parameters.pairs.map { ("parameter \($0.key)", $0.value.text) }
  }

  /// The name and the shape of each array of weights, outermost axis first.
  public var weightShapes: [(name: String, shape: [Int])] {
    weightRequests.map { ($0.name, $0.shape) }
  }
}

extension Extent {
  /// Rows × columns.
  var text: String { "\(height) × \(width)" }
}

/// What a window's parameters say.
func windowAttributes(_ kernel: Extent, _ stride: Extent, _ dilation: Extent) -> [LayerAttribute] {
  var attributes: [LayerAttribute] = [("kernel", kernel.text)]
  if stride != .one { attributes.append(("stride", stride.text)) }
  if dilation != .one { attributes.append(("dilation", dilation.text)) }
  return attributes
}

/// What the parameters say that convolutions and fully connected layers have in common.
func commonAttributes(_ groups: Int, _ hasBias: Bool, _ activation: Activation) -> [LayerAttribute]
{
  var attributes: [LayerAttribute] = groups == 1 ? [] : [("groups", "\(groups)")]
  attributes.append(("bias", hasBias ? "one for each output channel" : "none"))
  if let words = activation.words { attributes.append(("activation", words)) }
  return attributes
}
