# SPDX-License-Identifier: Apache-2.0
"""A network of ncnn files in PyTorch, which can learn while it rounds as ncnn's int8 does.

Letters: N pictures, C channels, H rows, W columns.
"""

import torch
import torch.nn.functional as F
from torch import nn

from ncnn_files import GROUPS, PAD, STRIDE

LARGEST = 127
# Parameters of Pooling, ShuffleChannel and Slice.
POOLING_KERNEL, POOLING_STRIDE, SHUFFLE_GROUPS, SLICES = 1, 2, 0, -23300
REST = -233
# What follows the heads' convolutions.
REORDERING = "Reshape", "Permute"


class Int8Network(nn.Module):
    """Layers that have no scales compute in fp32. Gradients pass through roundings unchanged."""

    def __init__(self, layers):
        super().__init__()
        self.layers = layers
        self.weights, self.biases, self.steps = nn.ParameterDict(), nn.ParameterDict(), nn.ParameterDict()
        for layer in layers:
            if layer.weights is None:
                continue
            self.weights[layer.name] = nn.Parameter(torch.tensor(layer.weights))
            self.biases[layer.name] = nn.Parameter(torch.tensor(layer.biases))
            if layer.input_scale is not None:
                # A picture's numbers end at 1 in any case. Half of a byte's steps would be ties.
                is_learnt = layers[0].kind != "Input" or layer.inputs[0] not in layers[0].outputs
                self.steps.setdefault(self.step_name(layer), nn.Parameter(
                    torch.tensor([1 / layer.input_scale]), requires_grad=is_learnt))
        self.register_buffer("zero", torch.zeros(1))
        self.heads = [layer.inputs[0] for layer in layers if layer.kind == "Reshape"]

    @staticmethod
    def step_name(layer):
        """Layers with the same scale read blobs that have to keep a common one."""
        return f"{layer.input_scale:.6f}".replace(".", "_")

    def forward(self, pictures):
        """The heads' raw numbers, N × C × H × W each, of N × 3 × H × W."""
        blobs = {}
        for layer in self.layers:
            if layer.kind not in REORDERING:
                inputs = [blobs[name] for name in layer.inputs]
                blobs.update(zip(layer.outputs, self.compute(layer, inputs, pictures)))
        return [blobs[head] for head in self.heads]

    def compute(self, layer, inputs, pictures):
        match layer.kind:
            case "Input":
                return [pictures]
            case "Convolution" | "ConvolutionDepthWise":
                return [self.convolve(layer, inputs[0])]
            case "Swish":
                return [F.silu(inputs[0])]
            case "Split":
                return inputs * len(layer.outputs)
            case "Concat":
                return [torch.cat(inputs, 1)]
            case "Pooling":
                return [F.max_pool2d(
                    inputs[0], layer.integer(POOLING_KERNEL), layer.integer(POOLING_STRIDE, 1))]
            case "Interp":
                return [F.interpolate(inputs[0], scale_factor=2)]
            case "ShuffleChannel":
                groups = layer.integer(SHUFFLE_GROUPS, 1)
                return [inputs[0].unflatten(1, (groups, -1)).transpose(1, 2).flatten(1, 2)]
            case "Slice":
                sizes = [int(text) for text in layer.parameters[SLICES].split(",")[1:]]
                rest = inputs[0].shape[1] - sum(size for size in sizes if size != REST)
                each = rest // max(1, sizes.count(REST))
                return inputs[0].split([each if size == REST else size for size in sizes], 1)
        raise SystemExit(f"a {layer.kind} ({layer.name}) cannot be trained here")

    def convolve(self, layer, x):
        weights, biases = self.weights[layer.name], self.biases[layer.name]
        if layer.input_scale is not None:
            x = torch._fake_quantize_learnable_per_tensor_affine(
                x, self.steps[self.step_name(layer)], self.zero, -LARGEST, LARGEST, 1.0)
            scales = torch.tensor(layer.weight_scales).reshape(-1, 1, 1, 1)
            exact = torch.clamp(weights * scales, -LARGEST, LARGEST)
            weights = (exact + (exact.round() - exact).detach()) / scales
        groups, stride, pad = layer.integer(GROUPS, 1), layer.integer(STRIDE, 1), layer.integer(PAD)
        if groups > 1 and stride > 1:
            # As in network.py: learnt far faster with a stride of 1.
            return F.conv2d(x, weights, biases, 1, pad, 1, groups)[..., ::stride, ::stride]
        return F.conv2d(x, weights, biases, stride, pad, 1, groups)

    def update_layers(self):
        """Puts what was learnt back into the layers."""
        for layer in self.layers:
            if layer.weights is None:
                continue
            layer.weights = self.weights[layer.name].detach().numpy()
            layer.biases = self.biases[layer.name].detach().numpy()
        steps = {layer.name: self.steps[self.step_name(layer)]
                 for layer in self.layers if layer.input_scale is not None}
        for layer in self.layers:
            if layer.name in steps:
                layer.input_scale = 1 / float(steps[layer.name].detach())
