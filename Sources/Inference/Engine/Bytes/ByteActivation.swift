// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceLibC
import YOLOFaceNCNN

/// How a number becomes the int8 number of its activation: `(x − center) · factor`, rounded, is the
/// number itself, or its place on a curve.
struct ByteActivation: Equatable {
  var center: Double
  var factor: Double
  /// The smallest result.
  var smallest: Int8
  /// The results at −32768 ... 32767, less the smallest; nil where none is needed.
  var curve: ByteCurve?

  /// Nil where a curve would be off by half a step or more, as it is near corners.
  init?(_ activation: VectorActivation, scale: Float) {
    let scale = Double(scale)
    guard scale.isFinite, scale > 0 else { return nil }
    switch activation {
    case .none, .relu:
      (center, factor, smallest) = (0, scale, activation == .relu ? 0 : -127)
    default:
      func result(_ x: Double) -> Double {
        max(-127, min(activation.value(at: x) * scale, 127))
      }
      guard let range = Self.range(of: result, scale: scale) else { return nil }
      let (center, factor) = (range.middle, 65536 / range.width)
      guard let fitted = ByteCurve.fitted(to: { result(center + $0 / factor) }) else { return nil }
      (self.center, self.factor) = (center, factor)
      (curve, smallest) = (fitted.curve, fitted.smallest)
    }
  }

  /// The numbers outside of which the result is constant, up to an eighth.
  private static func range(
    of result: (Double) -> Double, scale: Double
  ) -> (middle: Double, width: Double)? {
    func level(_ x: Double) -> Double { (result(x) * 8).rounded() }
    func edge(_ sign: Double) -> Double? {
      // Doubles the distance until nothing changes beyond it, then halves the interval.
      var far = 1 / scale
      while (1...24).contains(where: { level(sign * far) != level(sign * far * Double(1 << $0)) }) {
        far *= 2
        if far * scale > 0x1p20 { return nil }
      }
      var near = 0.0
      for _ in 0..<40 {
        let middle = (near + far) / 2
        if level(sign * middle) == level(sign * far) { far = middle } else { near = middle }
      }
      return sign * far
    }
    guard let low = edge(-1), let high = edge(1), low < high else { return nil }
    return ((low + high) / 2, high - low)
  }
}

/// The activations that become int8 numbers, each fitted once.
final class ByteCurves {
  private var activations: [Key: ByteActivation?] = [:]

  private struct Key: Hashable {
    var activation: VectorActivation
    var scale: Float
  }

  /// How an activation gives int8 numbers of a scale; nil where no curve is good enough.
  func activation(_ activation: VectorActivation, scale: Float) -> ByteActivation? {
    let key = Key(activation: activation, scale: scale)
    if let found = activations[key] { return found }
    let found = ByteActivation(activation, scale: scale)
    activations[key] = .some(found)
    return found
  }
}

extension ByteCurve {
  /// The curve of a function of places from −127 to 127, and its smallest result; nil where the error
  /// reaches one half. The curve gives what a result exceeds the smallest by.
  ///
  /// Each line passes through two points of the function, at Chebyshev's nodes, which keep the
  /// largest error small.
  fileprivate static func fitted(
    to function: (Double) -> Double
  ) -> (curve: ByteCurve, smallest: Int8)? {
    let length = 65536 / lineCount
    let node = Double(length) / 8.0.squareRoot()
    var lines: [(value: Int, slope: Int16)] = []
    var smallest = 127
    for line in 0..<lineCount {
      let middle = Int(Int16(truncatingIfNeeded: line * length)) + length / 2
      func result(_ distance: Double) -> Double { function(Double(middle) + distance) }
      let rise = (result(node) - result(-node)) * 2.0.squareRoot()
      let value = Int(((result(node) + result(-node)) * 128 + 128.5).rounded())
      guard let slope = Int16(exactly: (rise * 256).rounded()) else { return nil }
      for distance in stride(from: -length / 2, to: length / 2, by: 31) + [length / 2 - 1] {
        let sum = value + (distance * lineCount * Int(slope)) >> 16
        guard abs(Double(sum - 128) / 256 - result(Double(distance))) < 0.5 else { return nil }
        smallest = min(smallest, sum >> 8)
      }
      lines.append((value, slope))
    }
    let curve = ByteCurve(
      values: lines.map { UInt16($0.value - 256 * smallest) }, slopes: lines.map { $0.slope })
    return (curve, Int8(smallest))
  }

  /// The curve with a constant added.
  func raised(by constant: Int) -> ByteCurve {
    var curve = self
    curve.values = values.map { $0 + UInt16(256 * constant) }
    return curve
  }
}

extension VectorActivation {
  /// The activation of a number.
  fileprivate func value(at x: Double) -> Double {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * Double(slope) : x
    case .clip(let minimum, let maximum): min(max(x, Double(minimum)), Double(maximum))
    case .sigmoid: 1 / (1 + exp(-x))
    case .swish, .foldedSwish: x / (1 + exp(-x))
    case .hardSigmoid(let alpha, let beta): max(0, min(Double(alpha) * x + Double(beta), 1))
    case .hardSwish(let alpha, let beta):
      x * max(0, min(Double(alpha) * x + Double(beta), 1))
    case .exponential: exp(x)
    case .tanh: YOLOFaceLibC.tanh(x)
    case .mish: x * YOLOFaceLibC.tanh(log(1 + exp(x)))
    case .gelu: x / 2 * erfc(-x * 0.5.squareRoot())
    case .fastGELU: x / 2 * (1 + YOLOFaceLibC.tanh(0.79788452 * (x + 0.044715 * x * x * x)))
    }
  }
}

extension WeightedConvolution {
  /// Whether every sum of products of its weights and unsigned bytes is less than 2³⁰.
  var fits32Bits: Bool {
    weightSums.allSatisfy { $0.magnitude < 1 << 22 }
  }

  /// How its sums become int8 numbers; nil where that takes a detour by floats. Curves are for blobs
  /// that the network has in floats: where it hands on int8 itself, the integers are its own.
  ///
  /// - Parameter scale: that of the reader, if the network does not state one for the result.
  func byteActivation(scale: Float, _ curves: ByteCurves) -> ByteActivation? {
    guard let scales = quantization,
      let activation = curves.activation(activation, scale: scales.outputScale ?? scale),
      activation.curve == nil || scales.outputScale == nil
    else { return nil }
    // The kernels round only numbers of less than 2³¹.
    let isInRange = (0..<operation.outputChannels).allSatisfy { channel in
      let sum = Double(weightSums[channel].magnitude * 255)
      let bias = operation.hasBias ? Double(biases[channel]) : 0
      let largest = sum / scales.divisor(ofChannel: channel) + abs(bias)
      return (largest + abs(activation.center)) * activation.factor < 0x1p30
    }
    return isInRange ? activation : nil
  }
}
