// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// lambda · x, or lambda · alpha · (eˣ − 1) below zero.
struct SELU: ElementwiseKind, Hashable {
  let alpha, lambda: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    alpha = try reader.real(0, "alpha", default: 1.67326324)
    lambda = try reader.real(1, "lambda", default: 1.050700987)
  }

  func value(_ x: Float) -> Float { lambda * (x < 0 ? alpha * (exp(x) - 1) : x) }
}
