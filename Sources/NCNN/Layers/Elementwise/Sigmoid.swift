// SPDX-License-Identifier: Apache-2.0

/// 1 / (1 + e⁻ˣ)
struct Sigmoid: ActivationKind, Hashable {
  var activation: Activation { .sigmoid }
}
