# SPDX-License-Identifier: Apache-2.0
"""The optimiser: Muon for convolutions that mix channels, AdamW for everything else.

A matrix's step is its mean gradient made orthogonal, so that all directions move alike and not only those
with the largest gradients (Jordan, 2024, https://kellerjordan.github.io/posts/muon/).
"""

import torch

from network import ConvolutionUnit

WEIGHT_DECAY = 0.005
MUON_MOMENTUM = 0.95
ADAM_DECAYS = 0.9, 0.99
# The mean size of an orthogonal step's elements becomes that of AdamW's, so that both take the same rate
# (https://arxiv.org/abs/2502.16982).
ADAM_SIZE = 0.2


def make_optimisers(network, hint=None):
    """Together they learn all weights, those of a hint by AdamW. Norms and biases do not decay."""
    mixing = [
        unit.convolution.weight for unit in network.modules()
        if isinstance(unit, ConvolutionUnit) and unit.convolution.groups == 1]
    taken = {id(weight) for weight in mixing}
    others = [weight for weight in network.parameters() if id(weight) not in taken]
    others += hint.parameters() if hint else []
    rest = [weight for weight in others if weight.ndim > 1]
    plain = [weight for weight in others if weight.ndim <= 1]
    adam = torch.optim.AdamW(
        [{"params": rest, "weight_decay": WEIGHT_DECAY}, {"params": plain, "weight_decay": 0}],
        betas=ADAM_DECAYS, fused=True)
    return [Muon(mixing), adam]


class Muon(torch.optim.Optimizer):
    """For weights of outputs × inputs × rows × columns, seen as matrices with a row for each output."""

    def __init__(self, weights):
        super().__init__(weights, {"lr": 0.0})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            rate = group["lr"]
            for weight in group["params"]:
                state = self.state[weight]
                if not state:
                    state["mean"] = torch.zeros_like(weight)
                mean = state["mean"]
                mean.lerp_(weight.grad, 1 - MUON_MOMENTUM)
                ahead = weight.grad.lerp(mean, MUON_MOMENTUM)
                step = orthogonal(ahead.flatten(1))
                weight.mul_(1 - rate * WEIGHT_DECAY)
                weight.add_(
                    step.view_as(weight), alpha=-rate * ADAM_SIZE * max(step.shape) ** 0.5)


def orthogonal(matrix):
    """Nearly the nearest matrix with orthonormal rows or columns, m × n: five Newton-Schulz steps, which
    bring all singular values to between about 0.7 and 1.2."""
    x = matrix / (matrix.norm() + 1e-7)
    is_tall = x.shape[0] > x.shape[1]
    if is_tall:
        x = x.T
    for _ in range(5):
        square = x @ x.T
        x = 3.4445 * x + (-4.7750 * square + 2.0315 * square @ square) @ x
    return x.T if is_tall else x
