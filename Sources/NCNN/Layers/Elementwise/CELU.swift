// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// x, or alpha · (e^(x / alpha) − 1) below zero.
struct CELU: ElementwiseKind, Hashable {
  let alpha: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    alpha = try reader.real(0, "alpha", default: 1)
  }

  func value(_ x: Float) -> Float { x < 0 ? alpha * (exp(x / alpha) - 1) : x }
}
