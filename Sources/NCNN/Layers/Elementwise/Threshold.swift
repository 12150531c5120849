// SPDX-License-Identifier: Apache-2.0

/// 1 above a threshold, 0 up to it.
struct Threshold: ElementwiseKind, Hashable {
  let threshold: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    threshold = try reader.real(0, "threshold", default: 0)
  }

  func value(_ x: Float) -> Float { x > threshold ? 1 : 0 }
}
