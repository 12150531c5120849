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
  /// Numbers for each weight that belong to products of their own: Winograd's 36 or 25, else 1.
  var positions = 1
  /// A factor on all weights.
  var scale: Float = 1

  init(weights: [Float], biases: [Float], channels: Int, sources: Int) {
    self.weights = weights
    self.biases = biases
    self.channels = channels
    self.sources = sources
  }

  /// positions × sources × the wanted channels; zero for those beyond the last.
  func weights(of wanted: Range<Int>) -> [Float] {
    var packed = [Float](repeating: 0, count: positions * sources * wanted.count)
    for (lane, channel) in wanted.enumerated() where channel < channels {
      var stored = channel * sources * positions
      for source in 0..<sources {
        for position in 0..<positions {
          packed[(position * sources + source) * wanted.count + lane] = weights[stored] * scale
          stored += 1
        }
      }
    }
    return packed
  }

  /// The wanted channels' biases; zero for those beyond the last.
  func biases(of wanted: Range<Int>) -> [Float] {
    wanted.map { $0 < biases.count ? biases[$0] : 0 }
  }
}
