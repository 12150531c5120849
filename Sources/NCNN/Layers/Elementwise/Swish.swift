// SPDX-License-Identifier: Apache-2.0

/// x · σ(x), also called SiLU (Ramachandran et al., 2017).
struct Swish: ActivationKind, Hashable {
  var activation: Activation { .swish }
}
