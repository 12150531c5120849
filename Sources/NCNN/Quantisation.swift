/// The scales of a layer that computes in int8.
///
/// A number x is held as x · scale, rounded half away from zero and clamped to −127 ... 127. See
/// ncnn's page "quantized int8 inference".
public struct Quantisation: Hashable, Sendable {
  /// The scale of each output channel's weights.
  public let weightScales: [Float]
  /// The input's scale.
  public let inputScale: Float
  /// The result's scale where the layer hands it on in int8; nil where it hands on floats.
  public let outputScale: Float?
}

extension Layer {
  /// The scales, if the layer computes in int8 and its weights are loaded.
  public var quantisation: Quantisation? {
    switch operation {
    case .convolution(let convolution) where convolution.int8ScaleTerm != 0:
      quantisation(
        outputs: convolution.outputChannels, after: convolution.hasBias ? 2 : 1,
        handsOnBytes: convolution.int8ScaleTerm > 100)
    case .innerProduct(let product) where product.int8ScaleTerm != 0:
      quantisation(
        outputs: product.outputCount, after: product.hasBias ? 2 : 1, handsOnBytes: false)
    default: nil
    }
  }

  /// The scales in the arrays from `first` on. Channels of a group share a scale.
  private func quantisation(
    outputs: Int, after first: Int, handsOnBytes: Bool
  ) -> Quantisation? {
    guard weights.count == first + (handsOnBytes ? 3 : 2) else { return nil }
    let scales = weights[first].floats
    let channels = outputs / scales.count
    return Quantisation(
      weightScales: scales.flatMap { Array(repeating: $0, count: channels) },
      inputScale: weights[first + 1].floats[0],
      outputScale: handsOnBytes ? weights[first + 2].floats[0] : nil)
  }
}
