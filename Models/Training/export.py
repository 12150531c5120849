# SPDX-License-Identifier: Apache-2.0
"""Writes a checkpoint's moving average as ncnn .param and .bin and runs both to compare.

    python export.py --checkpoint FILE --output STEM

Weights are fp16, biases fp32, batch norm is folded into the convolutions. Formats:
https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure
"""

import argparse
import os
import struct

import numpy as np
import torch

from evaluate import NCNNModel
from heads import STRIDES
from network import ConvolutionUnit
from checkpoint import load
from ncnn_files import FP16_TAG, replacing, write_files

# fp16 keeps 11 bits of a weight; over the network's depth raw outputs move by less than this.
TOLERANCE = 0.05


class Graph:
    """Layers in the order in which they are added; Split layers are put in at the end."""

    def __init__(self):
        self.layers, self.weights = [], []

    def add(self, kind, name, inputs, outputs, parameters=""):
        self.layers.append((kind, name, inputs, outputs, parameters))
        return outputs[-1]

    def convolution(self, unit, name, x):
        if isinstance(unit, ConvolutionUnit):
            layer, (weight, bias) = unit.convolution, unit.folded()
        else:
            layer, weight, bias = unit, unit.weight, unit.bias
        parameters = [f"0={layer.out_channels}", f"1={layer.kernel_size[0]}"]
        if layer.stride[0] != 1:
            parameters.append(f"3={layer.stride[0]}")
        if layer.padding[0]:
            parameters.append(f"4={layer.padding[0]}")
        parameters += ["5=1", f"6={weight.numel()}"]
        if layer.groups > 1:
            parameters.append(f"7={layer.groups}")
        half = weight.detach().numpy().astype("<f2").tobytes()
        # ncnn reads fp16 weights in units of four bytes.
        self.weights += [
            struct.pack("<I", FP16_TAG), half, bytes(-len(half) % 4),
            bias.detach().numpy().astype("<f4").tobytes()]
        kind = "ConvolutionDepthWise" if layer.groups > 1 else "Convolution"
        x = self.add(kind, name, [x], [name], " ".join(parameters))
        if isinstance(unit, ConvolutionUnit) and unit.activation:
            x = self.add("Swish", name + "_silu", [x], [x + "_s"])
        return x

    def concat(self, name, *inputs):
        return self.add("Concat", name, list(inputs), [name])

    def shuffle_unit(self, unit, name, x):
        if unit.stride == 2:
            left = self.convolution(unit.left_depthwise, name + "_l1", x)
            left, right = self.convolution(unit.left_pointwise, name + "_l2", left), x
        else:
            left, right = name + "_keep", name + "_in"
            channels = unit.expand.convolution.in_channels
            self.add("Slice", name + "_slice", [x], [left, right], f"-23300=2,{channels},-233")
        right = self.convolution(unit.expand, name + "_r1", right)
        right = self.convolution(unit.depthwise, name + "_r2", right)
        right = self.convolution(unit.project, name + "_r3", right)
        return self.add(
            "ShuffleChannel", name, [self.concat(name + "_cat", left, right)], [name], "0=2")

    def cross_stage(self, unit, name, x):
        deep = self.convolution(unit.enter, name + "_c1", x)
        deep = self.convolution(unit.narrow, name + "_b1", deep)
        deep = self.convolution(unit.spread, name + "_b2", deep)
        bypass = self.convolution(unit.bypass, name + "_c2", x)
        return self.convolution(unit.join, name + "_c3", self.concat(name + "_cat", deep, bypass))

    def upsample(self, name, x):
        return self.add("Interp", name, [x], [name], "0=1 1=2.000000e+00 2=2.000000e+00")

    def with_splits(self):
        """The layers, a Split after every blob that several layers read."""
        readers, taken = {}, {}
        for layer in self.layers:
            for blob in layer[2]:
                readers[blob] = readers.get(blob, 0) + 1
        for kind, name, inputs, outputs, parameters in self.layers:
            renamed = []
            for blob in inputs:
                if readers[blob] > 1:
                    copy = taken.get(blob, 0)
                    taken[blob] = copy + 1
                    blob = f"{blob}_split_{copy}"
                renamed.append(blob)
            yield kind, name, renamed, outputs, parameters
            for blob in outputs:
                if readers.get(blob, 0) > 1:
                    copies = [f"{blob}_split_{i}" for i in range(readers[blob])]
                    yield "Split", blob + "_split", [blob], copies, ""

    def write(self, stem):
        write_files(stem, list(self.with_splits()), b"".join(self.weights))


def graph_of(network, graph=None):
    """The network's layers, each at the place where ncnn runs it."""
    graph = graph or Graph()
    x = graph.add("Input", "data", [], ["data"])
    stem = network.stem
    x = graph.convolution(stem.first, "stem_c1", x)
    branch = graph.convolution(stem.narrow, "stem_a", x)
    branch = graph.convolution(stem.branch, "stem_b", branch)
    pool = graph.add("Pooling", "stem_pool", [x], ["stem_pool"], "1=2 2=2")
    x = graph.convolution(stem.join, "stem_o", graph.concat("stem_cat", branch, pool))
    features = []
    for number, stage in enumerate(network.stages, 1):
        for position, unit in enumerate(stage):
            x = graph.shuffle_unit(unit, f"s{number}_{position}", x)
        features.append(x)
    top32 = graph.convolution(network.top32, "t1", features[2])
    x = graph.concat("p1_in", graph.upsample("up1", top32), features[1])
    top16 = graph.convolution(network.top16, "t2", graph.cross_stage(network.merge16, "p1", x))
    x = graph.concat("p2_in", graph.upsample("up2", top16), features[0])
    x8 = graph.cross_stage(network.merge8, "p2", x)
    x = graph.concat("p3_in", graph.convolution(network.down16, "d1", x8), top16)
    x16 = graph.cross_stage(network.out16, "p3", x)
    x = graph.concat("p4_in", graph.convolution(network.down32, "d2", x16), top32)
    x32 = graph.cross_stage(network.out32, "p4", x)
    for head, x, stride in zip(network.heads, (x8, x16, x32), STRIDES):
        x = graph.convolution(head, f"stride_{stride}", x)
        x = graph.add("Reshape", f"reshape_{stride}", [x], [f"reshape_{stride}"], "0=-1 1=16 2=3")
        graph.add("Permute", f"out_{stride}", [x], [f"out_{stride}"], "0=1")
    return graph


def worst_difference(network, stem):
    """The largest difference of PyTorch's outputs in fp32 and ncnn's from the written files."""
    picture = np.random.default_rng(0).random((3, 96, 64), np.float32)
    with torch.no_grad():
        expected = network(torch.from_numpy(picture)[None])
    found = NCNNModel(stem).run(picture)
    return max(
        float(np.abs(ours[0].reshape(3, -1, 16).numpy() - theirs).max())
        for ours, theirs in zip(expected, found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--output", required=True, help="path of the two files without .param, .bin")
    options = parser.parse_args()
    if not os.path.exists(options.checkpoint):
        raise SystemExit(f"{options.checkpoint}: there is no such checkpoint")
    step, _, average = load(options.checkpoint)
    average.eval()
    with replacing(options.output) as stem:
        graph_of(average).write(stem)
        difference = worst_difference(average, stem)
        if not difference < TOLERANCE:
            raise SystemExit(f"ncnn computes something else: {difference} is above {TOLERANCE}")
    print(f"step {step}: {options.output}.param and .bin, outputs within {difference:.5f}")
