// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// x, or alpha · (eˣ − 1) below zero.
struct ELU: ElementwiseKind, Hashable {
  let alpha: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    alpha = try reader.real(0, "alpha", default: 0.1)
  }

  func value(_ x: Float) -> Float { x < 0 ? alpha * (exp(x) - 1) : x }
}
