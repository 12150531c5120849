// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceNCNN

/// Two convolutions with nothing between them, whose common blob may have any scale in each channel: what the first
/// multiplies a channel by, the second divides by.
///
/// A blob has one int8 scale, so channels of small range lose what one of large range needs. With equal ranges none
/// does, and what the two compute together stays the same up to rounding.
struct Equalization {
  /// The index of the layer that makes the blob.
  var producer: Int
  /// The index of its only reader.
  var reader: Int

  /// All such pairs in a network that are in floating point.
  static func pairs(in network: Network) -> [Equalization] {
    let readers = network.readers
    return network.layers.indices.compactMap { producer in
      let layer = network.layers[producer]
      guard let first = layer.convolution, first.activation == .none,
        let index = readers[layer.outputs[0]], index.count == 1,
        let second = network.layers[index[0]].convolution, second.group == 1,
        first.int8ScaleTerm == 0, second.int8ScaleTerm == 0,
        second.borderValue == 0, second.inputChannels == first.outputChannels
      else { return nil }
      return Equalization(producer: producer, reader: index[0])
    }
  }

  /// Scales the channels of the common blob, and their largest magnitudes, to the same range. The weights of
  /// both layers become fp32.
  func apply(to network: inout Network, magnitudes: inout [Float]) throws(ModelError) {
    let layer = network.layers[producer]
    let reader = network.layers[self.reader]
    guard let second = reader.convolution,
      let largest = magnitudes.max(), largest > 0, largest.isFinite
    else { return }
    // A channel that hardly ever differs from 0 must not be blown up.
    let factors = magnitudes.map { largest / max($0, largest / 64) }
    magnitudes = zip(magnitudes, factors).map(*)
    try network.replaceLayer(
      producer, parameters: layer.parameters,
      weights: layer.weights.enumerated().map { position, array in
        let values = array.floats
        let size = values.count / factors.count
        let scaled = values.indices.map { values[$0] * factors[$0 / size] }
        return WeightArray(position == 0 ? .keptFloat32(scaled) : .untagged(scaled))
      })
    let values = reader.weights[0].floats
    let taps = second.kernel.width * second.kernel.height
    let scaled = values.indices.map { values[$0] / factors[$0 / taps % factors.count] }
    try network.replaceLayer(
      self.reader, parameters: reader.parameters,
      weights: [WeightArray(.keptFloat32(scaled))] + reader.weights.dropFirst())
  }
}

extension Network {
  var readers: [String: [Int]] {
    var readers: [String: [Int]] = [:]
    for (index, layer) in layers.enumerated() {
      for blob in layer.inputs { readers[blob, default: []].append(index) }
    }
    return readers
  }
}
