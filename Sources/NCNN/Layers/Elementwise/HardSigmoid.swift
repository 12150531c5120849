// SPDX-License-Identifier: Apache-2.0

/// clamp(alpha · x + beta, 0, 1)
struct HardSigmoid: ActivationKind, Hashable {
  let activation: Activation

  init(_ reader: ParameterReader) throws(ModelError) {
    activation = .hardSigmoid(
      alpha: try reader.real(0, "alpha", default: 0.2),
      beta: try reader.real(1, "beta", default: 0.5))
  }
}
