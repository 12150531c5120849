extension Layer {
  /// What the parameters say, for people to read, such as `kernel` and `3 × 3`. What a parameter's
  /// default says is left out, and parameters without words are given as in the file.
  public var attributes: [(name: String, value: String)] {
    switch operation {
    case .input: []
    case .convolution(let layer), .convolution1D(let layer): layer.attributes
    case .deconvolution(let layer), .deconvolution1D(let layer):
      window(layer.kernel, layer.stride, layer.dilation)
        + common(layer.group, layer.hasBias, layer.activation)
    case .innerProduct(let layer): common(1, layer.hasBias, layer.activation)
    case .pooling(let layer), .pooling1D(let layer): layer.attributes
    case .interp(let layer): layer.attributes
    case .concat(let axis), .softmax(let axis), .cumulativeSum(let axis), .glu(let axis):
      [("axis", "\(axis)")]
    case .shuffleChannel(let layer): [("groups", "\(layer.group)")]
    case .relu(let slope) where slope != 0: [("slope below zero", "\(slope)")]
    case .memoryData, .slice, .split, .reshape, .permute, .flatten, .padding, .crop, .batchNorm,
      .scale, .groupNorm, .relu, .prelu, .swish, .sigmoid, .hardSwish, .hardSigmoid, .clip, .elu,
      .gelu, .mish, .unaryOp, .bias, .reduction, .pixelShuffle, .dropout, .binaryOp, .eltwise,
      .elementwise, .matMul, .gemm, .einsum, .multiHeadAttention, .dotProductAttention, .recurrence,
      .squeeze,
      .expandDims, .tile, .flip, .copyTo, .diag, .unfold, .fold, .reorg, .layerNorm, .localNorm,
      .normalize,
      .meanVarianceNorm, .priorBox, .detectionOutput, .yoloDetectionOutput, .unknown:
      parameters.pairs.map { ("parameter \($0.key)", $0.value.text) }
    }
  }

  /// The name and the shape of each array of weights, outermost axis first.
  public var weightShapes: [(name: String, shape: [Int])] {
    weightRequests.map { ($0.name, $0.shape) }
  }
}

private typealias Attributes = [(name: String, value: String)]

extension Convolution {
  fileprivate var attributes: Attributes {
    var attributes = window(kernel, stride, dilation)
    switch border {
    case .explicit(let left, let right, let top, let bottom):
      let sides = [left, right, top, bottom]
      if sides.contains(where: { $0 != left }) {
        attributes.append(("border", "left \(left), right \(right), top \(top), bottom \(bottom)"))
      } else if left > 0 {
        attributes.append(("border", "\(left) on each side"))
      }
    case .sameUpper: attributes.append(("border", "to the input's size, more at the end"))
    case .sameLower: attributes.append(("border", "to the input's size, more at the start"))
    }
    if borderValue != 0 { attributes.append(("border's value", "\(borderValue)")) }
    attributes += common(group, hasBias, activation)
    if int8ScaleTerm != 0 { attributes.append(("int8 scales", "term \(int8ScaleTerm)")) }
    return attributes
  }
}

extension Pooling {
  fileprivate var attributes: Attributes {
    let kind = method == .maximum ? "maximum" : "average"
    switch windows {
    case .global: return [("takes", "the \(kind) of each channel")]
    case .adaptive: return [("takes", "the \(kind) of windows that divide the input")]
    case .sliding(let kernel, let stride, _, _):
      return [("takes", "the \(kind)")] + window(kernel, stride, .one)
    }
  }
}

extension Interp {
  fileprivate var attributes: Attributes {
    let kind =
      switch method {
      case .nearest: "nearest"
      case .bilinear: "bilinear"
      case .bicubic: "bicubic"
      }
    switch target {
    case .scaled(let height, let width):
      return [("method", kind), ("scale", "\(height) in rows, \(width) in columns")]
    case .size(let size): return [("method", kind), ("size", size.text)]
    case .expression: return [("method", kind), ("size", "computed from those of its inputs")]
    case .reference: return [("method", kind), ("size", "that of the second input")]
    }
  }
}

extension Extent {
  /// Rows × columns.
  fileprivate var text: String { "\(height) × \(width)" }
}

private func window(_ kernel: Extent, _ stride: Extent, _ dilation: Extent) -> Attributes {
  var attributes: Attributes = [("kernel", kernel.text)]
  if stride != .one { attributes.append(("stride", stride.text)) }
  if dilation != .one { attributes.append(("dilation", dilation.text)) }
  return attributes
}

private func common(_ groups: Int, _ hasBias: Bool, _ activation: Activation) -> Attributes {
  var attributes: Attributes = []
  if groups != 1 { attributes.append(("groups", "\(groups)")) }
  attributes.append(("bias", hasBias ? "one for each output channel" : "none"))
  if let words = activation.words { attributes.append(("activation", words)) }
  return attributes
}

extension Activation {
  fileprivate var words: String? {
    switch self {
    case .none: nil
    case .relu: "ReLU"
    case .leakyReLU(let slope): "leaky ReLU, slope \(slope)"
    case .clip(let minimum, let maximum): "clip to \(minimum) … \(maximum)"
    case .sigmoid: "sigmoid"
    case .mish: "Mish"
    case .hardSwish(let alpha, let beta): "HardSwish, alpha \(alpha), beta \(beta)"
    }
  }
}
