import NCNN

/// Computes one layer. The shapes have been checked: `shapes` are those of the results.
func evaluate(
  _ layer: Layer, _ operands: [Tensor], weights: [[Float]], shapes: [[Int]],
  inputs: [String: Tensor]
) throws(InferenceError) -> [Tensor] {
  switch layer.operation {
  case .input:
    return [inputTensor(layer.outputs[0], given: inputs)]
  case .memoryData(let memory):
    return [memory.apply(weights: weights)]
  case .convolution(let convolution):
    return [convolution.apply(operands[0], weights: weights, shape: shapes[0])]
  case .innerProduct(let product):
    return [product.apply(operands[0], weights: weights, shape: shapes[0])]
  case .pooling(let pooling):
    return [pooling.apply(operands[0], shape: shapes[0])]
  case .interp(let interp):
    return [interp.apply(operands[0], shape: shapes[0])]
  case .concat(let axis):
    return [try concat(operands, axis: axis, shape: shapes[0])]
  case .slice(let slice):
    return try slice.apply(operands[0], shapes: shapes)
  case .split:
    return split(operands[0], into: layer.outputs.count)
  case .shuffleChannel(let shuffle):
    return [shuffle.apply(operands[0])]
  case .reshape(let reshape):
    return [reshape.apply(operands[0], shape: shapes[0])]
  case .flatten:
    return [flattened(operands[0])]
  case .permute(let permute):
    return [permute.apply(operands[0], shape: shapes[0])]
  case .padding(let padding):
    return [padding.apply(operands[0], weights: weights, shape: shapes[0])]
  case .crop(let crop):
    return [try crop.apply(operands, shape: shapes[0])]
  case .batchNorm(let norm):
    return [norm.apply(operands[0], weights: weights)]
  case .scale(let scale):
    return [scale.apply(operands, weights: weights)]
  case .groupNorm(let norm):
    return [norm.apply(operands[0], weights: weights)]
  case .relu(let slope):
    return [operands[0].mapped { slope == 0 ? relu($0) : relu($0, slope: slope) }]
  case .prelu:
    return [prelu(operands[0], slopes: weights[0])]
  case .swish:
    return [operands[0].mapped(swish)]
  case .sigmoid:
    return [operands[0].mapped(sigmoid)]
  case .hardSwish(let alpha, let beta):
    return [operands[0].mapped { hardSwish($0, alpha: alpha, beta: beta) }]
  case .hardSigmoid(let alpha, let beta):
    return [operands[0].mapped { hardSigmoid($0, alpha: alpha, beta: beta) }]
  case .clip(let minimum, let maximum):
    return [operands[0].mapped { clip($0, minimum: minimum, maximum: maximum) }]
  case .elu(let alpha):
    return [operands[0].mapped { elu($0, alpha: alpha) }]
  case .gelu(let isFast):
    return [operands[0].mapped { gelu($0, isFast: isFast) }]
  case .mish:
    return [operands[0].mapped(mish)]
  case .unaryOp(let operation):
    return [operands[0].mapped(operation.apply)]
  case .bias:
    return [biased(operands[0], by: weights[0])]
  case .reduction(let reduction):
    return [try reduction.apply(operands[0], shape: shapes[0])]
  case .pixelShuffle(let shuffle):
    return [shuffle.apply(operands[0], shape: shapes[0])]
  case .softmax(let axis):
    return [try softmax(operands[0], axis: axis)]
  case .dropout(let scale):
    return [dropout(operands[0], scale: scale)]
  case .binaryOp(let operation):
    return [operation.apply(operands, shape: shapes[0])]
  case .eltwise(let eltwise):
    return [eltwise.apply(operands)]
  case .unknown:
    throw InferenceError(.unsupported, found: "an unknown kind", expected: "a known one")
  }
}

extension Tensor {
  /// Every element through a function.
  func mapped(_ transform: (Float) -> Float) -> Tensor {
    var result = self
    for index in result.values.indices { result.values[index] = transform(result.values[index]) }
    return result
  }
}
