// SPDX-License-Identifier: Apache-2.0

/// x · clamp(alpha · x + beta, 0, 1)
struct HardSwish: ActivationKind, Hashable {
  let activation: Activation

  init(_ reader: ParameterReader) throws(ModelError) {
    activation = .hardSwish(
      alpha: try reader.real(0, "alpha", default: 0.2),
      beta: try reader.real(1, "beta", default: 0.5))
  }
}
