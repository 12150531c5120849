// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
// The parameters of most kinds are nobody else's business.
@_spi(Tool) @testable import YOLOFaceNCNN

/// Bounds of the values of a network's blobs: sums of the magnitudes of all terms. Two ways of
/// computing a blob may differ by rounding, which is a small fraction of the bound, whatever
/// cancels out.
///
/// There are no bounds after layers that amplify small differences: quotients, powers, angles and
/// normalisation, and int8 layers whose input is not computed alike to the bit.
struct ValueBounds {
  private var bounds: [String: Double] = [:]
  /// The blobs that any way of computing gives alike to the bit.
  private var exact: Set<String> = []

  init(_ network: Network, inputs: [String: Tensor]) {
    for index in network.executionOrder {
      let layer = network.layers[index]
      let operands = layer.inputs.compactMap { bounds[$0] }
      guard operands.count == layer.inputs.count else { continue }
      let isExact = exact.isSuperset(of: layer.inputs)
      if isExact && layer.isExact { exact.formUnion(layer.outputs) }
      let bound =
        if layer.isInput {
          layer.outputs.compactMap { inputs[$0].map { largest($0.values) } }.max()
        } else if let scales = layer.quantization {
          isExact ? Self.bound(layer, scales) : nil
        } else {
          Self.bound(layer, operands)
        }
      // Nor are there any where sums come close to overflow.
      guard let bound, bound < 1e6 else { continue }
      for blob in layer.outputs { bounds[blob] = bound }
    }
  }

  subscript(blob: String) -> Double? { bounds[blob] }

  /// The bound of an int8 layer whose input is exact; none for a result in int8, where the smallest
  /// difference can become a whole step.
  private static func bound(_ layer: Layer, _ scales: Int8Scales) -> Double? {
    let activation = layer.convolution?.activation ?? layer.innerProduct?.activation
    guard let activation, scales.outputScale == nil else { return nil }
    let products = Double(layer.weights[0].count / scales.weightScales.count) * 127 * 128
    let scale = Double(scales.inputScale) * Double(scales.weightScales.min() ?? 1)
    let hasBias = layer.weights.count == 4
    return factor(activation)
      * (1 + products / scale + (hasBias ? largest(layer.weights[1].floats) : 0))
  }

  /// - Parameter operands: the bounds of the layer's inputs.
  private static func bound(_ layer: Layer, _ operands: [Double]) -> Double? {
    let weights = layer.weights.map { largest($0.floats) }
    let first = max(1, operands.first ?? 0)
    let operation = layer.operation
    if let convolution = layer.convolution {
      return factor(convolution.activation)
        * sum(
          weights, terms: convolution.weightCount / convolution.outputChannels,
          max(first, magnitude(convolution.borderValue)))
    }
    if let deconvolution = operation.as(Deconvolution.self)?.convolution {
      return factor(deconvolution.activation)
        * sum(weights, terms: deconvolution.weightCount / deconvolution.outputChannels, first)
    }
    if let product = layer.innerProduct {
      return factor(product.activation) * sum(weights, terms: product.inputCount, first)
    }
    if let pooling = operation.as(Pooling.self) { return pooling.windowsHoldPixels ? first : nil }
    if let padding = operation.as(Padding.self) {
      guard case .constant(let value) = padding.content else { return weights.reduce(first, max) }
      return max(first, magnitude(value))
    }
    if let scale = operation.as(Scale.self) {
      return scale.channels == nil ? first * max(1, operands[1]) : sum(weights, terms: 1, first)
    }
    if let relu = operation.as(ReLU.self) { return first * max(1, magnitude(relu.slope)) }
    if case .hardSwish(let alpha, let beta)? = operation.as(HardSwish.self)?.activation {
      return first * (1 + magnitude(alpha) * first + magnitude(beta))
    }
    if case .hardSigmoid(let alpha, let beta)? = operation.as(HardSigmoid.self)?.activation {
      return 1 + magnitude(alpha) * first + magnitude(beta)
    }
    if let dropout = operation.as(Dropout.self) { return first * max(1, magnitude(dropout.scale)) }
    if let binary = operation.as(BinaryOp.self) { return bound(binary, operands) }
    if let eltwise = operation.as(Eltwise.self) { return bound(eltwise, operands) }
    if let elu = operation.as(ELU.self) { return first * max(1, magnitude(elu.alpha)) }
    switch layer.kind {
    case "MemoryData": return weights[0]
    case "Concat", "Slice", "Split", "ShuffleChannel", "Reshape", "Permute", "Flatten", "Crop",
      "Interp", "Sigmoid", "Swish", "Softmax", "Squeeze", "ExpandDims", "Tile", "Flip", "Reorg":
      return operands.reduce(1, max)
    case "PReLU": return first * max(1, weights[0])
    case "Clip", "Mish", "GELU": return 2 * first
    case "Bias": return first + weights[0]
    case "PixelShuffle": return first
    default: return nil
    }
  }

  private static func bound(_ eltwise: Eltwise, _ operands: [Double]) -> Double {
    switch eltwise.combination {
    case .product: return operands.reduce(1) { $0 * max(1, $1) }
    case .sum:
      let coefficients = eltwise.coefficients
      let factors = coefficients.isEmpty ? operands.map { _ in 1 } : coefficients.map(magnitude)
      return zip(operands, factors).reduce(1) { $0 + $1.0 * $1.1 }
    case .maximum: return operands.reduce(1, max)
    }
  }

  private static func bound(_ operation: BinaryOp, _ operands: [Double]) -> Double? {
    let second = operation.scalar.map(magnitude) ?? operands[1]
    switch operation.arithmetic {
    case .add, .subtract, .subtractReversed: return 1 + operands[0] + second
    case .multiply: return max(1, operands[0]) * max(1, second)
    case .maximum, .minimum: return max(1, operands[0], second)
    default: return nil
    }
  }

  /// The bound of a sum of products with the weights, and the bias.
  private static func sum(_ weights: [Double], terms: Int, _ operand: Double) -> Double {
    1 + weights[0] * Double(terms) * operand + weights.dropFirst().reduce(0, +)
  }

  /// The factor by which an activation can enlarge a difference.
  private static func factor(_ activation: Activation) -> Double {
    switch activation {
    case .leakyReLU(let slope): max(1, magnitude(slope))
    case .hardSwish(let alpha, let beta): 2 + magnitude(alpha) + magnitude(beta)
    case .mish, .swish: 2
    case .hardSigmoid(let alpha, _): max(1, magnitude(alpha))
    case .none, .relu, .clip, .sigmoid: 1
    }
  }
}

extension Layer {
  /// Whether it gives the same bits however it is computed, from the same bits.
  fileprivate var isExact: Bool {
    switch kind {
    case "Input", "MemoryData", "Concat", "Slice", "Split", "ShuffleChannel", "Reshape", "Permute",
      "Flatten", "Crop", "Padding", "Squeeze", "ExpandDims", "Tile", "Flip":
      true
    default:
      operation.as(ReLU.self)?.slope == 0 || operation.as(Dropout.self)?.scale == 1
    }
  }
}

extension Pooling {
  /// Whether no window can be entirely in the border.
  fileprivate var windowsHoldPixels: Bool {
    guard case .sliding(let kernel, let stride, _, _) = windows else { return true }
    return pads == .none && stride.width <= kernel.width && stride.height <= kernel.height
  }
}

private func magnitude(_ value: Float) -> Double { Double(value.magnitude) }

/// The largest magnitude; infinite if any is NaN.
private func largest(_ values: [Float]) -> Double {
  values.reduce(0) { $1.isNaN ? .infinity : max($0, magnitude($1)) }
}
