import Inference
import NCNN

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
        if case .input = layer.operation {
          inputs[layer.outputs[0]].map { largest($0.values) }
        } else if let scales = layer.quantisation {
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
  private static func bound(_ layer: Layer, _ scales: Quantisation) -> Double? {
    let activation: Activation
    if case .convolution(let convolution) = layer.operation {
      activation = convolution.activation
    } else if case .innerProduct(let product) = layer.operation {
      activation = product.activation
    } else {
      return nil
    }
    guard scales.outputScale == nil else { return nil }
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
    switch layer.operation {
    case .memoryData: return weights[0]
    case .convolution(let convolution):
      return factor(convolution.activation)
        * sum(
          weights, terms: convolution.weightCount / convolution.outputChannels,
          max(first, magnitude(convolution.borderValue)))
    case .deconvolution(let deconvolution):
      return factor(deconvolution.activation)
        * sum(
          weights, terms: deconvolution.weightCount / deconvolution.outputChannels, first)
    case .innerProduct(let product):
      return factor(product.activation) * sum(weights, terms: product.inputCount, first)
    case .pooling(let pooling): return pooling.windowsHoldPixels ? first : nil
    case .concat, .slice, .split, .shuffleChannel, .reshape, .permute, .flatten, .crop, .interp,
      .sigmoid, .swish, .softmax, .squeeze, .expandDims, .tile, .flip, .reorg:
      return operands.reduce(1, max)
    case .padding(let padding):
      guard case .constant(let value) = padding.content else { return weights.reduce(first, max) }
      return max(first, magnitude(value))
    case .scale(let scale):
      return scale.channels == nil
        ? first * max(1, operands[1]) : sum(weights, terms: 1, first)
    case .relu(let slope): return first * max(1, magnitude(slope))
    case .prelu: return first * max(1, weights[0])
    case .hardSwish(let alpha, let beta):
      return first * (1 + magnitude(alpha) * first + magnitude(beta))
    case .hardSigmoid(let alpha, let beta): return 1 + magnitude(alpha) * first + magnitude(beta)
    case .dropout(let scale): return first * max(1, magnitude(scale))
    case .binaryOp(let operation): return bound(operation, operands)
    case .eltwise(let eltwise):
      switch eltwise.combination {
      case .product: return operands.reduce(1) { $0 * max(1, $1) }
      case .sum(let coefficients):
        let factors = coefficients.isEmpty ? operands.map { _ in 1 } : coefficients.map(magnitude)
        return zip(operands, factors).reduce(1) { $0 + $1.0 * $1.1 }
      case .maximum: return operands.reduce(1, max)
      }
    case .clip, .mish, .gelu: return 2 * first
    case .elu(let alpha): return first * max(1, magnitude(alpha))
    case .bias: return first + weights[0]
    case .pixelShuffle: return first
    default: return nil
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
    case .mish: 2
    case .none, .relu, .clip, .sigmoid: 1
    }
  }
}

extension Layer {
  /// Whether it gives the same bits however it is computed, from the same bits.
  fileprivate var isExact: Bool {
    switch operation {
    case .input, .memoryData, .concat, .slice, .split, .shuffleChannel, .reshape, .permute,
      .flatten,
      .crop, .padding, .relu(slope: 0), .dropout(scale: 1), .squeeze, .expandDims, .tile, .flip:
      true
    default: false
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
