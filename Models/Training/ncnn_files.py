# SPDX-License-Identifier: Apache-2.0
"""ncnn's .param and .bin of convolutional networks, in floating point and in int8, as Python objects.

Formats: https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure. Of the layers with weights,
Convolution and ConvolutionDepthWise are known, with a bias and square kernels.
"""

import contextlib
import dataclasses
import os
import struct

import numpy as np

PARAM_MAGIC = 7767517
FP16_TAG = 0x01306B47
INT8_TAG = 0x000D4B38
# Parameters of convolutions.
OUTPUTS, KERNEL, STRIDE, PAD, WEIGHT_COUNT, GROUPS, INT8_TERM = 0, 1, 3, 4, 6, 7, 8
# From this term on a layer hands on int8, and has a scale for its result.
HANDS_ON_INT8 = 101


@dataclasses.dataclass
class Layer:
    kind: str
    name: str
    inputs: list
    outputs: list
    parameters: dict
    """Texts by number."""
    weights: np.ndarray | None = None
    """fp32, outputs × inputs / groups × kernel × kernel."""
    biases: np.ndarray | None = None
    weight_scales: np.ndarray | None = None
    """What each output's weights are multiplied by to be int8; none where they are fp16."""
    input_scale: float | None = None

    def integer(self, number, default=0):
        return int(self.parameters.get(number, default))


def half_away(values):
    """Rounded to the nearest integer, halves away from zero."""
    return np.sign(values) * np.floor(np.abs(values) + np.float32(0.5))


def read(stem):
    """The layers of STEM.param and STEM.bin, in the file's order."""
    layers = []
    with open(stem + ".param") as file:
        for line in file.read().splitlines()[2:]:
            kind, name, inputs, outputs, *rest = line.split()
            blobs, end = int(inputs), int(inputs) + int(outputs)
            parameters = dict(text.split("=", 1) for text in rest[end:])
            layers.append(Layer(
                kind, name, rest[:blobs], rest[blobs:end],
                {int(number): value for number, value in parameters.items()}))
    with open(stem + ".bin", "rb") as file:
        data = file.read()
    position = 0

    def take(count, dtype):
        nonlocal position
        values = np.frombuffer(data, dtype, count, position)
        position += (values.nbytes + 3) // 4 * 4
        return values.astype(np.float32)

    for layer in layers:
        if layer.kind not in ("Convolution", "ConvolutionDepthWise"):
            continue
        count, outputs, kernel = (layer.integer(n) for n in (WEIGHT_COUNT, OUTPUTS, KERNEL))
        (tag,) = struct.unpack_from("<I", data, position)
        position += 4
        weights = take(count, {INT8_TAG: "<i1", FP16_TAG: "<f2"}.get(tag, "<f4"))
        layer.biases = take(outputs, "<f4")
        if tag == INT8_TAG:
            layer.weight_scales = take(outputs, "<f4")
            layer.input_scale = float(take(1, "<f4")[0])
            if layer.integer(INT8_TERM) >= HANDS_ON_INT8:
                take(1, "<f4")
            weights = (weights.reshape(outputs, -1) / layer.weight_scales[:, None]).ravel()
        layer.weights = weights.reshape(outputs, -1, kernel, kernel)
    if position != len(data):
        raise SystemExit(f"{stem}.bin has {len(data)} bytes, and its layers {position}")
    return layers


@contextlib.contextmanager
def replacing(stem):
    """The stem of two new files, which take the place of `stem`'s if nothing is raised."""
    paths = [(stem + ".new" + suffix, stem + suffix) for suffix in (".param", ".bin")]
    try:
        yield stem + ".new"
        for new, path in paths:
            os.replace(new, path)
    finally:
        for new, _ in paths:
            if os.path.exists(new):
                os.remove(new)


def write(layers, stem):
    """Writes layers; where a layer hands on int8, its one reader's scale is that of its result."""
    readers = {blob: layer for layer in layers for blob in layer.inputs}
    data = b""
    for layer in layers:
        if layer.weights is None:
            continue
        if layer.weight_scales is None:
            data += struct.pack("<I", FP16_TAG) + layer.weights.astype("<f2").tobytes()
        else:
            scaled = layer.weights.reshape(len(layer.biases), -1) * layer.weight_scales[:, None]
            rounded = half_away(np.clip(scaled, -127, 127))
            data += struct.pack("<I", INT8_TAG) + rounded.astype("<i1").tobytes()
        data += bytes(-len(data) % 4) + layer.biases.astype("<f4").tobytes()
        if layer.weight_scales is not None:
            scales = [*layer.weight_scales, layer.input_scale]
            if layer.integer(INT8_TERM) >= HANDS_ON_INT8:
                scales.append(readers[layer.outputs[0]].input_scale)
            data += np.array(scales, "<f4").tobytes()
    write_files(stem, [
        (layer.kind, layer.name, layer.inputs, layer.outputs,
         " ".join(f"{number}={value}" for number, value in layer.parameters.items()))
        for layer in layers], data)
    return len(data)


def write_files(stem, layers, data):
    """Writes both files. Layers are kind, name, inputs, outputs and parameters; the last is a text."""
    with open(stem + ".param", "w") as file:
        file.write(f"{PARAM_MAGIC}\n{len(layers)} {sum(len(layer[3]) for layer in layers)}\n")
        for kind, name, inputs, outputs, parameters in layers:
            rest = " ".join([*inputs, *outputs] + ([parameters] if parameters else []))
            file.write(f"{kind:<24} {name:<24} {len(inputs)} {len(outputs)} {rest}\n")
    with open(stem + ".bin", "wb") as file:
        file.write(data)
