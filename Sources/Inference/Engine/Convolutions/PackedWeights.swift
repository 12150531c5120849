import Kernels

/// What a convolution's packed weights depend on. They are, for each group of output channels,
/// positions × sources × channels, then a bias for each channel.
struct PackedWeights: PackingRequest {
  /// The name of the convolution's layer.
  var layer: String
  /// Output channels × sources, as the layer stores them; under Winograd's algorithm nine for each.
  var weights: [Float]
  /// One for each output channel, or none.
  var biases: [Float]
  /// Input channels times taps; under Winograd's algorithm input channels.
  var sources: Int
  /// The tile of Winograd's algorithm; nil for all others.
  var tile: WinogradTile?
  /// A factor on all weights.
  var scale: Float = 1
  /// A factor on all biases.
  var biasScale: Float = 1
  /// The output channel in each lane of each group; nil where a lane has none.
  var groups: [[Int?]]

  init(_ convolution: WeightedConvolution, sources: Int, groups: [[Int?]]) {
    layer = convolution.layer
    weights = convolution.weights
    biases = convolution.biases
    self.sources = sources
    scale = convolution.scale
    biasScale = convolution.scale
    self.groups = groups
  }

  /// Numbers for each pair of an output channel and a source, each multiplied on its own.
  private var positions: Int { tile?.positions ?? 1 }

  /// Where a group's weights and biases begin.
  struct Start {
    var weights: Int
    var biases: Int
  }

  /// Where the weights and biases of each group begin.
  var starts: [Start] {
    var end = 0
    return groups.map { lanes in
      let start = Start(weights: end, biases: end + positions * sources * lanes.count)
      end = start.biases + lanes.count
      return start
    }
  }

  /// The number of weights and biases.
  var count: Int { groups.reduce(0) { $0 + $1.count * (positions * sources + 1) } }

  /// Writes the weights and biases in the order in which the kernels read them.
  func packed() -> AlignedBuffer<Float> {
    let numbers = tile?.weights(weights) ?? weights
    let buffer = AlignedBuffer<Float>(repeating: 0, count: count)
    for (lanes, start) in zip(groups, starts) {
      var target = buffer.start + start.weights
      for position in 0..<positions {
        for source in 0..<sources {
          for (lane, channel) in lanes.enumerated() {
            guard let channel else { continue }
            target[lane] = numbers[(channel * sources + source) * positions + position] * scale
          }
          target += lanes.count
        }
      }
      guard !biases.isEmpty else { continue }
      for (lane, channel) in lanes.enumerated() {
        if let channel { target[lane] = biases[channel] * biasScale }
      }
    }
    return buffer
  }
}
