# SPDX-License-Identifier: Apache-2.0
"""The network of yolov5n-0.5-face: a ShuffleNet-style backbone, a feature pyramid, three heads.

Letters: N pictures, C channels, H rows, W columns.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from heads import CLASS, OBJECTNESS, STRIDES, VALUES

# Channels of what each head reads.
READ = 64


class ConvolutionUnit(nn.Module):
    """Convolution, batch norm and, unless told otherwise, SiLU."""

    def __init__(self, inputs, outputs, kernel=1, stride=1, groups=1, activation=True):
        super().__init__()
        self.convolution = nn.Conv2d(
            inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.03)
        self.activation = activation

    def folded(self):
        """Weights and biases of the convolution with the norm in it, by its running mean and variance."""
        norm = self.norm
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        return self.convolution.weight * scale.view(-1, 1, 1, 1), norm.bias - norm.running_mean * scale

    def convolve(self, x, weight, bias=None):
        layer = self.convolution
        if layer.groups == 1 or layer.stride == (1, 1):
            return F.conv2d(x, weight, bias, layer.stride, layer.padding, groups=layer.groups)
        # Processors learn a depthwise convolution of stride 2 far slower than one of stride 1, of
        # whose values every other is kept.
        every = F.conv2d(x, weight, bias, padding=layer.padding, groups=layer.groups)
        return every[..., :: layer.stride[0], :: layer.stride[1]]

    def forward(self, x):
        if self.training:
            x = self.norm(self.convolve(x, self.convolution.weight))
        else:
            x = self.convolve(x, *self.folded())
        return F.silu(x) if self.activation else x


class Stem(nn.Module):
    """3 × H × W to 16 × H/4 × W/4: a convolution, then a branch and max pooling side by side."""

    def __init__(self):
        super().__init__()
        self.first = ConvolutionUnit(3, 16, 3, 2)
        self.narrow = ConvolutionUnit(16, 8)
        self.branch = ConvolutionUnit(8, 16, 3, 2)
        self.join = ConvolutionUnit(32, 16)

    def forward(self, x):
        x = self.first(x)
        return self.join(torch.cat([self.branch(self.narrow(x)), F.max_pool2d(x, 2, 2)], 1))


class ShuffleUnit(nn.Module):
    """A unit of ShuffleNet V2 (https://arxiv.org/abs/1807.11164): stride 2 halves the picture."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        half = outputs // 2
        self.stride = stride
        if stride == 2:
            self.left_depthwise = ConvolutionUnit(inputs, inputs, 3, 2, inputs, False)
            self.left_pointwise = ConvolutionUnit(inputs, half)
        self.expand = ConvolutionUnit(inputs if stride == 2 else half, half)
        self.depthwise = ConvolutionUnit(half, half, 3, stride, half, False)
        self.project = ConvolutionUnit(half, half)

    def forward(self, x):
        if self.stride == 2:
            left, right = self.left_pointwise(self.left_depthwise(x)), x
        else:
            left, right = x.chunk(2, 1)
        x = torch.cat([left, self.project(self.depthwise(self.expand(right)))], 1)
        n, c, h, w = x.shape
        return x.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


class CrossStage(nn.Module):
    """YOLOv5's C3 without its shortcut: one half of the channels goes through a 3 × 3."""

    def __init__(self, inputs, outputs):
        super().__init__()
        half = outputs // 2
        self.enter = ConvolutionUnit(inputs, half)
        self.narrow = ConvolutionUnit(half, half)
        self.spread = ConvolutionUnit(half, half, 3)
        self.bypass = ConvolutionUnit(inputs, half)
        self.join = ConvolutionUnit(outputs, outputs)

    def forward(self, x):
        deep = self.spread(self.narrow(self.enter(x)))
        return self.join(torch.cat([deep, self.bypass(x)], 1))


class YOLOFace(nn.Module):
    """N × 3 × H × W, RGB / 255, to three outputs of N × 3 anchors × H/s × W/s × 16 raw values; `with_read`
    adds what the first head reads, N × 64 × H/8 × W/8."""

    def __init__(self):
        super().__init__()

        def stage(inputs, outputs, units):
            rest = [ShuffleUnit(outputs, outputs, 1) for _ in range(units - 1)]
            return nn.Sequential(ShuffleUnit(inputs, outputs, 2), *rest)

        self.stem = Stem()
        self.stages = nn.ModuleList([stage(16, 64, 4), stage(64, 128, 8), stage(128, 256, 4)])
        self.top32 = ConvolutionUnit(256, 64)
        self.merge16 = CrossStage(192, 64)
        self.top16 = ConvolutionUnit(64, 64)
        self.merge8 = CrossStage(128, 64)
        self.down16 = ConvolutionUnit(64, 64, 3, 2)
        self.out16 = CrossStage(128, 64)
        self.down32 = ConvolutionUnit(64, 64, 3, 2)
        self.out32 = CrossStage(128, 64)
        self.heads = nn.ModuleList([nn.Conv2d(READ, 3 * VALUES, 1) for _ in STRIDES])
        for head, stride in zip(self.heads, STRIDES):
            bias = head.bias.data.view(3, VALUES)
            # Eight faces in a picture of 640 × 640 to begin with, all of them of the one class.
            bias[:, OBJECTNESS] += math.log(8 / (640 / stride) ** 2)
            bias[:, CLASS] += 2

    def forward(self, x, with_read=False):
        x8 = self.stages[0](self.stem(x))
        x16 = self.stages[1](x8)
        top32 = self.top32(self.stages[2](x16))
        x16 = self.merge16(torch.cat([F.interpolate(top32, scale_factor=2), x16], 1))
        top16 = self.top16(x16)
        x8 = self.merge8(torch.cat([F.interpolate(top16, scale_factor=2), x8], 1))
        x16 = self.out16(torch.cat([self.down16(x8), top16], 1))
        x32 = self.out32(torch.cat([self.down32(x16), top32], 1))
        outputs = [self.split(head(x)) for head, x in zip(self.heads, (x8, x16, x32))]
        return (outputs, x8) if with_read else outputs

    @staticmethod
    def split(x):
        n, _, h, w = x.shape
        return x.view(n, 3, VALUES, h, w).permute(0, 1, 3, 4, 2)
