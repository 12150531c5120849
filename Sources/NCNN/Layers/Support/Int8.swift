// SPDX-License-Identifier: Apache-2.0

/// x · scale as an int8 number: rounded half away from zero and clamped to −127 ... 127; NaN gives
/// −127.
package func int8(_ x: Float, scale: Float) -> Float {
  let scaled = x * scale
  return scaled > -127 ? min(scaled, 127).rounded() : -127
}

extension Tensor {
  /// The elements as int8 numbers.
  func quantized(scale: Float) -> Tensor { mapped { int8($0, scale: scale) } }

  /// The elements, which are int8 numbers.
  var integers: [Int32] { values.map(Int32.init) }
}

extension Int8Scales {
  /// An output channel's result: activation(sum / (input scale · weight scale) + bias), as int8
  /// where the layer hands on int8. The bias is added without another rounding, as upstream does on
  /// processors that can.
  func result(of sum: Int32, channel: Int, bias: Float, activation: Activation) -> Float {
    let value = bias.addingProduct(Float(sum), 1 / Float(divisor(ofChannel: channel)))
    let result = activation.apply(value)
    return outputScale.map { int8(result, scale: $0) } ?? result
  }
}

extension Layer {
  /// The arrays of weights as the layer's arithmetic takes them: fp32, but for a layer that
  /// computes in int8 the weights as int8 numbers.
  package var numbers: [[Float]] {
    var arrays = weights.map { $0.floats }
    guard let quantization else { return arrays }
    if case .int8 = weights[0].storage { return arrays }
    let count = arrays[0].count / quantization.weightScales.count
    arrays[0] = arrays[0].indices.map { index in
      int8(arrays[0][index], scale: quantization.weightScales[index / count])
    }
    return arrays
  }
}
