// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The base, e where there is none, to the power of scale · x + shift.
struct Exponential: ElementwiseKind, Hashable {
  let base: Float?
  let scale, shift: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    base = try reader.base()
    scale = try reader.real(1, "scale", default: 1)
    shift = try reader.real(2, "shift", default: 0)
  }

  func value(_ x: Float) -> Float {
    let exponent = scale * x + shift
    return base.map { pow($0, exponent) } ?? exp(exponent)
  }
}

extension ParameterReader {
  /// The base of a power or a logarithm; nil for e, which the file writes as −1.
  func base() throws(ModelError) -> Float? {
    let base = try real(0, "base", default: -1)
    return base == -1 ? nil : base
  }
}
