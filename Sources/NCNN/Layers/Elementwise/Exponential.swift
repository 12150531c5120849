import LibC

/// The base, e where there is none, to the power of scale · x + shift.
struct Exponential: ElementwiseKind, Hashable {
  let base: Float?
  let scale, shift: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    let base = try reader.real(0, "base", default: -1)
    self.base = base == -1 ? nil : base
    scale = try reader.real(1, "scale", default: 1)
    shift = try reader.real(2, "shift", default: 0)
  }

  func value(_ x: Float) -> Float {
    let exponent = scale * x + shift
    return base.map { pow($0, exponent) } ?? exp(exponent)
  }
}
