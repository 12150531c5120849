/// x · clamp(alpha · x + beta, 0, 1)
struct HardSwish: ElementwiseKind, Hashable {
  let alpha: Float
  let beta: Float

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .function(.hardSwish(alpha: alpha, beta: beta))
  }

  var steps: Int64 { 1 }

  func value(_ x: Float) -> Float { x * HardSigmoid(alpha: alpha, beta: beta).value(x) }
}

extension HardSwish {
  init(_ reader: ParameterReader) throws(ModelError) {
    alpha = try reader.real(0, "alpha", default: 0.2)
    beta = try reader.real(1, "beta", default: 0.5)
  }
}
