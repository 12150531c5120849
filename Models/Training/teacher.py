# SPDX-License-Identifier: Apache-2.0
"""A network with the weights of ncnn files of the same architecture, to learn from."""

import numpy as np
import torch

import ncnn_files
from export import Graph, graph_of
from network import ConvolutionUnit, YOLOFace


class Loader(Graph):
    """Fills the convolutions of a network from the layers of a file, in its order."""

    def __init__(self, stem):
        super().__init__()
        self.files = iter([layer for layer in ncnn_files.read(stem) if layer.weights is not None])

    def convolution(self, unit, name, x):
        layer = next(self.files)
        target = unit.convolution if isinstance(unit, ConvolutionUnit) else unit
        weights = torch.tensor(layer.weights)
        if weights.shape != target.weight.shape:
            raise SystemExit(
                f"{layer.name}: found {tuple(weights.shape)}, expected {tuple(target.weight.shape)}")
        target.weight.data.copy_(weights)
        if isinstance(unit, ConvolutionUnit):
            norm = unit.norm
            norm.weight.data.fill_(1)
            norm.running_mean.fill_(0)
            norm.running_var.fill_(1 - norm.eps)
            norm.bias.data.copy_(torch.tensor(layer.biases))
        else:
            target.bias.data.copy_(torch.tensor(layer.biases))
        return super().convolution(unit, name, x)


def load_teacher(stem):
    network = YOLOFace()
    graph_of(network, Loader(stem))
    return network.eval().requires_grad_(False)
