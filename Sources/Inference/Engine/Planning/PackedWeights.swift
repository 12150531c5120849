/// The weights of a convolution in the order in which its kernel reads them.
struct PackedWeights {
  /// channels × sources × positions, as the layer stores them.
  var weights: [Float]
  /// One for each channel, or none.
  var biases: [Float]
  /// Output channels.
  var channels: Int
  /// Input channels times taps.
  var sources: Int
  /// Numbers for each channel and source, each multiplied on its own: Winograd's 36 or 25, else 1.
  var positions = 1
  /// A factor on all weights.
  var scale: Float = 1
  /// A factor on all biases.
  var biasScale: Float = 1

  init(weights: [Float], biases: [Float], channels: Int, sources: Int) {
    self.weights = weights
    self.biases = biases
    self.channels = channels
    self.sources = sources
  }

  /// Appends positions × sources × the wanted channels; zero for those beyond the last.
  func append(weightsOf wanted: Range<Int>, to packed: inout [Float]) {
    var start = packed.count
    packed.append(contentsOf: repeatElement(0, count: positions * sources * wanted.count))
    let present = wanted.prefix { $0 < channels }
    for position in 0..<positions {
      for source in 0..<sources {
        for (lane, channel) in present.enumerated() {
          packed[start + lane] =
            weights[(channel * sources + source) * positions + position] * scale
        }
        start += wanted.count
      }
    }
  }

  /// The wanted channels' biases; zero for those beyond the last.
  func biases(of wanted: Range<Int>) -> [Float] {
    wanted.map { $0 < biases.count ? biases[$0] * biasScale : 0 }
  }
}
