// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// (scale · x + shift) to an exponent.
struct Power: ElementwiseKind, Hashable {
  let exponent, scale, shift: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    exponent = try reader.real(0, "power", default: 1)
    scale = try reader.real(1, "scale", default: 1)
    shift = try reader.real(2, "shift", default: 0)
  }

  func value(_ x: Float) -> Float { pow(scale * x + shift, exponent) }
}
