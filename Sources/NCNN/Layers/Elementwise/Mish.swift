// SPDX-License-Identifier: Apache-2.0

/// x · tanh(ln(1 + eˣ)) (Misra, 2019).
struct Mish: ActivationKind, Hashable {
  var activation: Activation { .mish }
}
