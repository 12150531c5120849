import Kernels
import LibC

/// How a number becomes the int8 number of its activation: `(x − centre) · factor`, rounded, is the
/// number itself, or the place of the number in a table.
struct ByteActivation {
  var centre: Double
  var factor: Double
  /// The smallest result.
  var smallest: Int8
  /// The results of 256 places, those from −128 on after those up to 127; nil where none is needed.
  var table: [Int8]?

  /// Nil where 256 places are too few: where neighbouring ones would differ by more than two.
  init?(_ activation: VectorActivation, scale: Float) {
    let scale = Double(scale)
    guard scale.isFinite, scale > 0 else { return nil }
    switch activation {
    case .none, .relu:
      (centre, factor, smallest) = (0, scale, activation == .relu ? 0 : -127)
    default:
      func result(_ x: Double) -> Double {
        max(-127, min((activation.value(at: x) * scale).rounded(), 127))
      }
      guard let range = Self.range(of: result, scale: scale) else { return nil }
      let factor = 255 / (range.upperBound - range.lowerBound)
      let centre = range.lowerBound + 128 / factor
      let entries = (-128...127).map { Int8(result(centre + Double($0) / factor)) }
      let isFine = zip(entries, entries.dropFirst()).allSatisfy { abs(Int($0) - Int($1)) <= 2 }
      guard isFine else { return nil }
      (self.factor, self.centre) = (factor, centre)
      smallest = entries.min() ?? 0
      table = Array(entries[128...] + entries[..<128])
    }
  }

  /// The numbers outside of which the result is constant.
  private static func range(
    of result: (Double) -> Double, scale: Double
  ) -> ClosedRange<Double>? {
    func edge(_ sign: Double) -> Double? {
      // Doubles the distance until nothing changes beyond it, then halves the interval.
      var far = 1 / scale
      while result(sign * far) != result(sign * far * 8)
        || result(sign * far) != result(sign * far * 64)
      {
        far *= 2
        if far * scale > 0x1p20 { return nil }
      }
      var near = 0.0
      for _ in 0..<40 {
        let middle = (near + far) / 2
        if result(sign * middle) == result(sign * far) { far = middle } else { near = middle }
      }
      return sign * far
    }
    guard let low = edge(-1), let high = edge(1), low < high else { return nil }
    return low...high
  }
}

extension VectorActivation {
  /// The activation of a number.
  fileprivate func value(at x: Double) -> Double {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * Double(slope) : x
    case .clip(let minimum, let maximum): max(Double(minimum), min(x, Double(maximum)))
    case .sigmoid: 1 / (1 + exp(-x))
    case .swish, .foldedSwish: x / (1 + exp(-x))
    case .hardSigmoid(let alpha, let beta): max(0, min(Double(alpha) * x + Double(beta), 1))
    case .hardSwish(let alpha, let beta):
      x * max(0, min(Double(alpha) * x + Double(beta), 1))
    }
  }
}

extension WeightedConvolution {
  /// Whether every sum of products of its weights and unsigned bytes is less than 2³⁰.
  var fits32Bits: Bool {
    (0..<operation.outputChannels).allSatisfy { weightSums(of: $0).magnitude < 1 << 22 }
  }

  /// How its sums become int8 numbers; nil where that takes a detour by floats. Tables are for blobs
  /// that the network has in floats: where it hands on int8 itself, the integers are its own.
  ///
  /// - Parameter scale: that of the reader, if the network does not state one for the result.
  func byteActivation(scale: Float) -> ByteActivation? {
    guard let scales = quantisation,
      let activation = ByteActivation(activation, scale: scales.outputScale ?? scale),
      activation.table == nil || scales.outputScale == nil
    else { return nil }
    // The kernels round only numbers of less than 2³¹.
    let isInRange = (0..<operation.outputChannels).allSatisfy { channel in
      let unit = Double(scales.inputScale) * Double(scales.weightScales[channel])
      let bias = operation.hasBias ? Double(biases[channel]) : 0
      let largest = Double(weightSums(of: channel).magnitude * 255) / unit + abs(bias)
      return (largest + abs(activation.centre)) * activation.factor < 0x1p30
    }
    return isInRange ? activation : nil
  }

  /// The sum of a channel's weights, and that of their magnitudes.
  func weightSums(of channel: Int) -> (total: Int, magnitude: Int) {
    let count = operation.weightCount / operation.outputChannels
    var sums = (total: 0, magnitude: 0)
    for weight in weights[channel * count..<(channel + 1) * count] {
      sums.total += Int(weight)
      sums.magnitude += Int(abs(weight))
    }
    return sums
  }
}
