# SPDX-License-Identifier: Apache-2.0
"""What a head reads in crowds learns to say what a teacher's head reads (FitNets, 2015,
https://arxiv.org/abs/1412.6550).

Only at the stride of small faces, and gently: at five times the gain, or at larger strides too, the network
loses its own large faces.
"""

import torch
from torch import nn

from network import READ

GAIN = 0.1


class Hint(nn.Module):
    """A matrix between what the two read. It is not saved: each session learns its own in a few hundred steps."""

    def __init__(self):
        super().__init__()
        self.matrix = nn.Conv2d(READ, READ, 1)
        nn.init.dirac_(self.matrix.weight)
        nn.init.zeros_(self.matrix.bias)

    def loss(self, read, wanted, crowds):
        """The mean squared error in the pictures of crowds, as a share of what the teacher's values vary by.

        `read` and `wanted` are N × 64 × H × W, what the first head and the teacher's read; `crowds` says which
        of the N pictures are of crowds.
        """
        wanted = wanted.float()
        errors = (self.matrix(read.float()) - wanted).pow(2).mean((1, 2, 3))
        weights = crowds.float()
        return GAIN * (errors * weights).sum() / (weights.sum().clamp(min=1) * wanted.var())
