// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

/// Makes int8 forms of a network, of chosen layers, the numbers of each set of blobs clipped at a chosen threshold.
public struct Quantizer: Sendable {
  /// The network in floating point.
  public let network: Network
  /// The indices of the layers that can be int8.
  public let layers: [Int]
  /// The indices of those that stay in floating point.
  public var floatLayers: Set<Int> = []
  /// By set: the magnitude that becomes 127, at first that with the least error of rounding; 1 for a set of zeros.
  public var thresholds: [Float]

  private let sets: BlobSets
  private let rounded: [Int: RoundedWeights]
  private let onlyReaders: [String: Int]

  /// Rounds the weights of a network that was calibrated in both passes, and can run on inputs of these shapes.
  public init(_ calibration: Calibration, inputs: [String: [Int]]) throws {
    let network = calibration.network
    let shapes = ShapeInference(partial: network, inputs: inputs).shapes
    self.network = network
    // Upstream gives up on a convolution of a vector in int8.
    layers = calibration.layers.filter { index in
      let layer = network.layers[index]
      return !layer.isConvolution || shapes[layer.inputs[0]]?.count != 1
    }
    guard !layers.isEmpty else { throw QuantizationError.noLayers(model: network.source) }
    sets = calibration.sets
    thresholds = calibration.histograms.map { $0?.leastErrorThreshold() ?? 1 }
    let origins = ChannelOrigins(network, shapes: shapes)
    rounded = Dictionary(
      uniqueKeysWithValues: layers.map { index in
        let layer = network.layers[index]
        return (index, RoundedWeights(layer, groups: origins.groups(layer.inputs[0])))
      })
    onlyReaders = network.readers.filter { $0.value.count == 1 }.mapValues { $0[0] }
  }

  /// The set that a layer reads, an index into `thresholds`.
  public func set(readBy layer: Int) -> Int { sets[network.layers[layer].inputs[0]] ?? 0 }

  /// How many scales of a layer's weights are lower than its largest weights alone would allow.
  public func loweredScales(of layer: Int) -> Int { rounded[layer]?.loweredRows ?? 0 }

  /// The network with int8 layers. A convolution whose result only another int8 convolution reads hands it on in int8.
  public func quantized() throws(ModelError) -> Network {
    var result = network
    for index in layers where !floatLayers.contains(index) {
      guard let rounded = rounded[index] else { continue }
      let layer = network.layers[index]
      let reader = onlyReaders[layer.outputs[0]].flatMap { reader in
        layers.contains(reader) && !floatLayers.contains(reader)
          && network.layers[reader].isConvolution && layer.isConvolution ? reader : nil
      }
      var parameters = layer.parameters
      parameters[8] = .integer(reader == nil ? 1 : 101)
      let scales = [rounded.scales, [scale(index)]] + (reader.map { [[scale($0)]] } ?? [])
      try result.replaceLayer(
        index, parameters: parameters,
        weights: [WeightArray(.int8(rounded.values))] + layer.weights.dropFirst()
          + scales.map { WeightArray(.untagged($0)) })
    }
    return result
  }

  /// The network with one int8 layer, which shows what that layer costs.
  public func quantized(onlyLayer layer: Int) throws(ModelError) -> Network {
    var alone = self
    alone.floatLayers = Set(layers).subtracting([layer])
    return try alone.quantized()
  }

  /// The scale of a layer's input.
  public func scale(_ layer: Int) -> Float {
    Int8Scales.possibleScale(127 / thresholds[set(readBy: layer)])
  }
}

extension Layer {
  var isConvolution: Bool { convolution != nil }
}

extension RoundedWeights {
  /// Rounds the weights of a layer that can be quantised.
  init(_ layer: Layer, groups: [[Int]]) {
    let weights = layer.weights[0].floats
    if let convolution = layer.convolution {
      let isDepthwise = layer.kind == "ConvolutionDepthWise"
      let inputs = convolution.inputChannels / convolution.group
      self.init(
        weights, rows: isDepthwise ? convolution.group : convolution.outputChannels,
        inputs: inputs, taps: convolution.kernel.width * convolution.kernel.height,
        groups: convolution.group == 1 ? groups : quartets(inputs))
    } else if let product = layer.innerProduct {
      self.init(
        weights, rows: product.outputCount, inputs: product.inputCount,
        groups: quartets(product.inputCount))
    } else {
      preconditionFailure("\(layer.kind) has no int8 form")
    }
  }
}

func quartets(_ count: Int) -> [[Int]] {
  stride(from: 0, to: count, by: 4).map { Array($0..<min($0 + 4, count)) }
}
