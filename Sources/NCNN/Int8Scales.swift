// SPDX-License-Identifier: Apache-2.0

/// The scales of a layer that computes in int8.
///
/// A number x is held as x · scale, rounded half away from zero and clamped to −127 ... 127. See
/// ncnn's page "quantized int8 inference".
///
/// Where the weights of a channel, or the input, are all zero, ncnn's tools give the scale 127 / 0, which is
/// infinite, or 0 in its stead: the products count for nothing.
public struct Int8Scales: Hashable, Sendable {
  /// The scale of each output channel's weights.
  public let weightScales: [Float]
  /// The input's scale.
  public let inputScale: Float
  /// The result's scale where the layer hands it on in int8; nil where it hands on floats.
  public let outputScale: Float?

  /// The scales that are written: the product of two, and what a sum is divided by, is then a normal
  /// number.
  static let possibleScales: ClosedRange<Float> = 0x1p-60...0x1p60

  /// Whether a scale is read: 0, or so large that a product of two is no smaller than a normal number.
  static func isReadable(_ scale: Float) -> Bool {
    scale == 0 || scale >= possibleScales.lowerBound
  }

  /// The most products of a sum, so that it fits 32 bits, even of weights of −128.
  @_spi(Tool) public static let maximumProducts = 1 << 17

  /// Makes scales from their parts.
  public init(weightScales: [Float], inputScale: Float, outputScale: Float?) {
    self.weightScales = weightScales
    self.inputScale = inputScale
    self.outputScale = outputScale
  }

  /// The scales among a layer's arrays, which are in the order of the file; nil where the layer
  /// does not compute in int8 or the arrays are not loaded.
  package init?(of scheme: Int8Scheme?, in arrays: [[Float]]) {
    guard let scheme else { return nil }
    let first = scheme.hasBias ? 2 : 1
    guard arrays.count == first + (scheme.handsOnInt8 ? 3 : 2) else { return nil }
    // Channels of a group share a scale.
    let channels = scheme.outputChannels / arrays[first].count
    weightScales = arrays[first].flatMap { Array(repeating: $0, count: channels) }
    inputScale = arrays[first + 1][0]
    outputScale = scheme.handsOnInt8 ? arrays[first + 2][0] : nil
  }

  /// What the sums of an output channel's products are divided by; infinite where they count for nothing.
  package func divisor(ofChannel channel: Int) -> Double {
    let divisor = Double(inputScale) * Double(weightScales[channel])
    return divisor > 0 ? divisor : .infinity
  }

  /// A scale, clamped to those that are written; 1 where it is zero, subnormal, infinite or NaN.
  @_spi(Tool) public static func possibleScale(_ scale: Float) -> Float {
    scale.isNormal ? min(max(scale, possibleScales.lowerBound), possibleScales.upperBound) : 1
  }
}

extension Layer {
  /// Whether the layer multiplies in int8: its weights are int8, or are quantised when it is run.
  public var computesInInt8: Bool { operation.traits.int8 != nil }

  /// The scales, if the layer computes in int8 and its weights are loaded.
  public var quantization: Int8Scales? {
    // The first array are the weights themselves.
    Int8Scales(of: operation.traits.int8, in: [[]] + weights.dropFirst().map { $0.floats })
  }

  /// The weights and biases without the scales of int8, by which int8 weights are divided.
  @_spi(Tool) public var unscaledWeights: [WeightArray] {
    guard let quantization, let first = weights.first else { return weights }
    let biases = operation.traits.int8?.hasBias == true ? [weights[1]] : []
    guard case .int8(let integers) = first.storage else { return [first] + biases }
    let count = integers.count / quantization.weightScales.count
    let values = integers.enumerated().map { index, integer -> Float in
      let scale = quantization.weightScales[index / count]
      return scale == 0 ? 0 : Float(integer) / scale
    }
    return [WeightArray(.untagged(values))] + biases
  }
}

extension ParameterReader {
  /// ncnn's int8 scheme of a layer with this many weights; 0 means floating point.
  ///
  /// In the first files for int8 the parameter is the scale of all weights, and the program had that of the input:
  /// their layers compute in floating point.
  func int8ScaleTerm(weights: Int, outputs: Int) throws(ModelError) -> Int {
    let terms = [0, 1, 2, 101, 102]
    if case .real(let scale)? = parameters[8], !terms.contains(where: { Float($0) == scale }) {
      return 0
    }
    let term = try integer(8, "int8_scale_term", default: 0, in: 0...102)
    guard terms.contains(term) else {
      throw refusal("int8_scale_term \(term)", expected: "0, 1, 2, 101 or 102")
    }
    guard term == 0 || weights / outputs <= Int8Scales.maximumProducts else {
      throw failure(
        .limit, "\(kind) with sums of \(weights / outputs) int8 products",
        "at most \(Int8Scales.maximumProducts), which fit 32 bits")
    }
    return term
  }
}
