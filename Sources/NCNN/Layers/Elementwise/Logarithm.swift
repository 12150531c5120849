// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The logarithm of scale · x + shift to a base, e where there is none.
struct Logarithm: ElementwiseKind, Hashable {
  let base: Float?
  let scale, shift: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    base = try reader.base()
    scale = try reader.real(1, "scale", default: 1)
    shift = try reader.real(2, "shift", default: 0)
  }

  func value(_ x: Float) -> Float {
    let logarithm = log(scale * x + shift)
    return base.map { logarithm / log($0) } ?? logarithm
  }
}
