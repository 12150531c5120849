/// x clamped to bounds; NaN stays.
struct Clip: ElementwiseKind, Hashable {
  let minimum: Float
  let maximum: Float

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .function(.clip(minimum: minimum, maximum: maximum))
  }

  var steps: Int64 { 1 }

  func value(_ x: Float) -> Float { min(max(x, minimum), maximum) }
}

extension Clip {
  init(_ reader: ParameterReader) throws(ModelError) {
    minimum = try reader.real(0, "min", default: -.greatestFiniteMagnitude)
    maximum = try reader.real(1, "max", default: .greatestFiniteMagnitude)
  }
}
