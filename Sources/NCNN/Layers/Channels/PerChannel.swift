// SPDX-License-Identifier: Apache-2.0

/// The output shape of a layer with weights per channel; nil allows any number of channels.
func perChannelShape(_ shape: [Int], channels: Int?) throws(InferenceError) -> [Int] {
  guard channels == nil || channels == shape[0] else {
    throw .shape("shape \(shape)", expected: "\(channels ?? 0) along the outermost axis")
  }
  return shape
}

extension Tensor {
  /// A function applied to every element and the number of its channel, of which there are as many.
  @inline(__always)
  func mapped(channels: Int, _ transform: (_ x: Float, _ channel: Int) -> Float) -> Tensor {
    let size = values.count / channels
    return Tensor(appending: shape) { results in
      for channel in 0..<channels {
        results += values[channel * size..<(channel + 1) * size].lazy.map { transform($0, channel) }
      }
    }
  }

  /// x · scale + bias with one pair per channel.
  func scaled(by scales: [Float], plus biases: [Float]?) -> Tensor {
    var result = self
    let size = values.count / shape[0]
    result.values.withUnsafeMutableBufferPointer { values in
      for (channel, scale) in scales.prefix(shape[0]).enumerated() {
        let bias = biases?[channel] ?? 0
        // A loop without traps, which is compiled to vectors.
        for index in channel &* size..<(channel &+ 1) &* size {
          values[index] = values[index] * scale + bias
        }
      }
    }
    return result
  }
}
