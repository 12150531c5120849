// SPDX-License-Identifier: Apache-2.0

/// x moved towards zero by bias, or 0 within lambda of it.
struct Shrink: ElementwiseKind, Hashable {
  let bias, lambda: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    bias = try reader.real(0, "bias", default: 0)
    lambda = try reader.real(1, "lambd", default: 0.5)
  }

  func value(_ x: Float) -> Float { x < -lambda ? x + bias : x > lambda ? x - bias : 0 }
}
