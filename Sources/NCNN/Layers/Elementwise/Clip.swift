// SPDX-License-Identifier: Apache-2.0

/// x clamped to bounds; NaN stays.
struct Clip: ActivationKind, Hashable {
  let activation: Activation

  init(_ reader: ParameterReader) throws(ModelError) {
    activation = .clip(
      minimum: try reader.real(0, "min", default: -.greatestFiniteMagnitude),
      maximum: try reader.real(1, "max", default: .greatestFiniteMagnitude))
  }
}
