// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// ln(1 + eˣ), written so that no exponential overflows; also called BNLL.
struct Softplus: ElementwiseKind, Hashable {
  func value(_ x: Float) -> Float { max(x, 0) + log(1 + exp(-abs(x))) }
}
