# SPDX-License-Identifier: Apache-2.0
"""Converts an ncnn network (.param and .bin) to an ONNX model with one input size.

The nodes are those a PyTorch export has (Swish as x * Sigmoid(x), ShuffleChannel as Reshape, Transpose,
Reshape), because ONNX Runtime's and OpenVINO's fusions look for that form.

Formats: https://github.com/Tencent/ncnn/wiki/param-and-model-file-structure and
https://github.com/Tencent/ncnn/wiki/operators. Blobs are C × H × W in ncnn, 1 × C × H × W in ONNX.

Needs numpy and onnx.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Old enough for every runtime, new enough for Split with sizes as an input (13).
OPSET = 17
PARAM_MAGIC = "7767517"
FLOAT32_TAG = 0
FLOAT16_TAG = 0x01306B47
# The key of an array parameter is ARRAY_KEY - key.
ARRAY_KEY = -23300
# "Not given" for a dimension of Reshape, "an equal share of the rest" for a slice, "padded like
# TensorFlow" (with PADDED_LOW) for a convolution.
ABSENT = -233
PADDED_LOW = -234
# A convolution's activation.
RELU = 1


class ModelError(Exception):
    """The files are not a network that can be converted; the message says where and why."""


@dataclass(frozen=True)
class Layer:
    """One line of a .param file."""

    kind: str
    name: str
    inputs: list
    outputs: list
    parameters: dict

    def get(self, key, default=0):
        """The parameter `key`, or ncnn's default where the line does not give it."""
        return self.parameters.get(key, default)

    def refuse(self, reason):
        raise ModelError(f"{self.kind} {self.name}: {reason}")

    def require(self, key, *accepted):
        """Refuses a layer whose parameter `key` is set to something that is not converted.

        The first of `accepted` is ncnn's default.
        """
        if self.get(key, accepted[0]) not in accepted:
            self.refuse(f"parameter {key}={self.get(key)} is not supported")


def read_param(path):
    """The layers of a text .param file, in the file's order."""
    lines = [line.split() for line in Path(path).read_text().splitlines() if line.strip()]
    if not lines or lines[0] != [PARAM_MAGIC]:
        raise ModelError(f"{path}: the first line is not {PARAM_MAGIC}")
    try:
        layers = [read_layer(words) for words in lines[2:]]
        declared = int(lines[1][0])
    except (ValueError, IndexError) as error:
        raise ModelError(f"{path}: {error}") from error
    if declared != len(layers):
        raise ModelError(f"{path}: {declared} layers declared, {len(layers)} found")
    return layers


def read_layer(words):
    """kind, name, input count, output count, input names, output names, key=value …"""
    kind, name, input_count, output_count = words[0], words[1], int(words[2]), int(words[3])
    first_output = 4 + input_count
    first_parameter = first_output + output_count
    if len(words) < first_parameter:
        raise ValueError(f"{kind} {name}: fewer blob names than declared")
    parameters = dict(read_parameter(word) for word in words[first_parameter:])
    return Layer(kind, name, words[4:first_output], words[first_output:first_parameter], parameters)


def read_parameter(word):
    """A key and its number, or its list of numbers, which the file writes with the count first."""
    key, text = word.split("=")
    key = int(key)
    if key > ARRAY_KEY:
        return key, read_number(text)
    numbers = [read_number(part) for part in text.split(",")]
    if numbers[0] != len(numbers) - 1:
        raise ValueError(f"{word}: {numbers[0]} values declared, {len(numbers) - 1} found")
    return ARRAY_KEY - key, numbers[1:]


def read_number(text):
    return float(text) if "." in text or "e" in text.lower() else int(text)


class WeightReader:
    """Reads arrays from a .bin file in the order in which the layers need them."""

    def __init__(self, path):
        self.path = path
        self.bytes = Path(path).read_bytes()
        self.offset = 0

    def take(self, size):
        if size < 0 or len(self.bytes) - self.offset < size:
            raise ModelError(f"{self.path}: {size} bytes expected at offset {self.offset}, "
                             f"{len(self.bytes) - self.offset} left")
        self.offset += size
        return self.bytes[self.offset - size:self.offset]

    def float32(self, count):
        """Values without a tag, as biases are stored."""
        return np.frombuffer(self.take(4 * count), "<f4").astype(np.float32)

    def tagged(self, count):
        """Values behind a tag that says how they are stored; float16 is padded to four bytes."""
        (tag,) = struct.unpack("<I", self.take(4))
        if tag == FLOAT32_TAG:
            return self.float32(count)
        if tag == FLOAT16_TAG:
            stored = self.take((2 * count + 3) // 4 * 4)
            return np.frombuffer(stored, "<f2", count).astype(np.float32)
        raise ModelError(f"{self.path}: weight tag {tag:#010x} at offset {self.offset - 4} "
                         "is not supported")

    def finish(self):
        if self.offset != len(self.bytes):
            raise ModelError(f"{self.path}: {len(self.bytes) - self.offset} bytes left over")


class Converter:
    """Collects ONNX nodes and constants while walking the layers.

    `shapes` holds each blob's shape without the batch dimension; `aliases` the ONNX name of each blob,
    which differs from the blob's own name after a Split, since copying needs no node.
    """

    def __init__(self, weights):
        self.weights = weights
        self.nodes = []
        self.constants = []
        self.shapes = {}
        self.aliases = {}

    def constant(self, name, values):
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def integers(self, name, values):
        return self.constant(name, np.array(values, np.int64))

    def node(self, operation, inputs, outputs, **attributes):
        name = f"{operation}:{outputs[0]}"
        self.nodes.append(helper.make_node(operation, inputs, outputs, name, **attributes))

    def convert(self, layer):
        """Appends the nodes that compute `layer` and records the shapes of its outputs."""
        function = CONVERSIONS.get(layer.kind)
        if function is None:
            layer.refuse("this kind of layer is not supported")
        for blob in layer.inputs:
            if blob not in self.shapes:
                layer.refuse(f"no earlier layer produces blob {blob}")
        inputs = [self.aliases[blob] for blob in layer.inputs]
        self.aliases.update((blob, blob) for blob in layer.outputs)
        shapes = function(self, layer, inputs, [self.shapes[blob] for blob in layer.inputs])
        self.shapes.update(zip(layer.outputs, shapes))


# Each conversion takes the converter, the layer, its inputs' ONNX names and their shapes, and returns the
# shapes of its outputs. Names that it makes up contain a space, which no name in a .param file can.


def copies(converter, layer, inputs, shapes):
    converter.aliases.update((blob, inputs[0]) for blob in layer.outputs)
    return shapes * len(layer.outputs)


def convolution(converter, layer, inputs, shapes):
    layer.require(8, 0)
    layer.require(9, 0, RELU)
    layer.require(18, 0)
    layer.require(19, 0)
    channels = layer.get(0)
    groups = layer.get(7, 1) if layer.kind == "ConvolutionDepthWise" else 1
    kernel = layer.get(11, layer.get(1)), layer.get(1)
    stride = layer.get(13, layer.get(3, 1)), layer.get(3, 1)
    dilation = layer.get(12, layer.get(2, 1)), layer.get(2, 1)
    left = layer.get(4)
    top, right = layer.get(14, left), layer.get(15, left)
    pads = [top, left, layer.get(16, top), right]
    if ABSENT in pads or PADDED_LOW in pads:
        layer.refuse("automatic padding is not supported")

    weight_shape = (channels, shapes[0][0] // groups, *kernel)
    if np.prod(weight_shape) != layer.get(6):
        layer.refuse(f"{layer.get(6)} weights for a kernel of {weight_shape}")
    weights = converter.weights.tagged(layer.get(6)).reshape(weight_shape)
    inputs = [inputs[0], converter.constant(f"{layer.name} weight", weights)]
    if layer.get(5):
        bias = converter.weights.float32(channels)
        inputs.append(converter.constant(f"{layer.name} bias", bias))
    sums = [f"{layer.outputs[0]} sums"] if layer.get(9) == RELU else layer.outputs
    converter.node("Conv", inputs, sums, kernel_shape=kernel, strides=stride,
                   dilations=dilation, pads=pads, group=groups)
    if layer.get(9) == RELU:
        converter.node("Relu", sums, layer.outputs)
    extents = [dilation[axis] * (kernel[axis] - 1) + 1 for axis in (0, 1)]
    return [(channels, *windows(shapes[0], extents, stride, pads))]


def windows(shape, extents, strides, pads):
    """How often a window fits into the padded rows and columns of `shape`."""
    return tuple((shape[1 + axis] + pads[axis] + pads[2 + axis] - extents[axis]) // strides[axis] + 1
                 for axis in (0, 1))


def maximum_pooling(converter, layer, inputs, shapes):
    for key in (0, 4, 7):
        layer.require(key, 0)
    layer.require(5, 0, 1)
    kernel = layer.get(11, layer.get(1)), layer.get(1)
    stride = layer.get(12, layer.get(2, 1)), layer.get(2, 1)
    left = layer.get(3)
    top, right = layer.get(13, left), layer.get(14, left)
    pads = [top, left, layer.get(15, top), right]
    if layer.get(5) == 0:
        # ncnn pads until the last window is full; ONNX's ceil_mode drops windows ncnn keeps.
        for axis in (0, 1):
            tail = (shapes[0][1 + axis] + pads[axis] + pads[2 + axis] - kernel[axis]) % stride[axis]
            pads[2 + axis] += stride[axis] - tail if tail else 0
    converter.node("MaxPool", inputs, layer.outputs, kernel_shape=kernel, strides=stride, pads=pads)
    return [(shapes[0][0], *windows(shapes[0], kernel, stride, pads))]


def relu(converter, layer, inputs, shapes):
    layer.require(0, 0)
    converter.node("Relu", inputs, layer.outputs)
    return shapes


def sigmoid(converter, layer, inputs, shapes):
    converter.node("Sigmoid", inputs, layer.outputs)
    return shapes


def swish(converter, layer, inputs, shapes):
    gate = f"{layer.outputs[0]} sigmoid"
    converter.node("Sigmoid", inputs, [gate])
    converter.node("Mul", [inputs[0], gate], layer.outputs)
    return shapes


def concat(converter, layer, inputs, shapes):
    axis = layer.get(0) % len(shapes[0])
    for shape in shapes[1:]:
        if shape[:axis] + shape[axis + 1:] != shapes[0][:axis] + shapes[0][axis + 1:]:
            layer.refuse(f"shapes {shapes} do not fit; is the input a multiple of the last stride?")
    converter.node("Concat", inputs, layer.outputs, axis=axis + 1)
    total = sum(shape[axis] for shape in shapes)
    return [shapes[0][:axis] + (total,) + shapes[0][axis + 1:]]


def softmax(converter, layer, inputs, shapes):
    axis = layer.get(0) % len(shapes[0])
    converter.node("Softmax", inputs, layer.outputs, axis=axis + 1)
    return shapes


def add(converter, layer, inputs, shapes):
    layer.require(0, 0)
    if len(inputs) != 2 or shapes[0] != shapes[1]:
        layer.refuse(f"shapes {shapes}: two of the same shape are expected")
    converter.node("Add", inputs, layer.outputs)
    return shapes[:1]


def crop(converter, layer, inputs, shapes):
    """To the shape of a second input, from the first corner; or a range along some axes."""
    if len(inputs) == 2:
        starts, ends = [0] * len(shapes[0]), list(shapes[1])
    else:
        starts, ends = [0] * len(shapes[0]), list(shapes[0])
        for start, end, axis in zip(layer.get(9, []), layer.get(10, []), layer.get(11, [])):
            axis %= len(shapes[0])
            starts[axis], ends[axis] = start, min(end, shapes[0][axis])
    if any(not 0 <= start < end <= side for start, end, side in zip(starts, ends, shapes[0])):
        layer.refuse(f"{starts} to {ends} is not inside {shapes[0]}")
    places = [converter.integers(f"{layer.name} {name}", values)
              for name, values in (("starts", starts), ("ends", ends),
                                   ("axes", range(1, len(starts) + 1)))]
    converter.node("Slice", [inputs[0], *places], layer.outputs)
    return [tuple(end - start for start, end in zip(starts, ends))]


def slices(converter, layer, inputs, shapes):
    if 2 in layer.parameters:
        layer.refuse("slicing at indices is not supported")
    axis = layer.get(1) % len(shapes[0])
    sizes, left = [], shapes[0][axis]
    for index, size in enumerate(layer.get(0, [])):
        sizes.append(left // (len(layer.outputs) - index) if size == ABSENT else size)
        left -= sizes[-1]
    if len(sizes) != len(layer.outputs) or left != 0 or min(sizes) < 1:
        layer.refuse(f"slices of {sizes} for a side of {shapes[0][axis]}")
    lengths = converter.integers(f"{layer.name} sizes", sizes)
    converter.node("Split", [inputs[0], lengths], layer.outputs, axis=axis + 1)
    return [shapes[0][:axis] + (size,) + shapes[0][axis + 1:] for size in sizes]


def shuffle_channel(converter, layer, inputs, shapes):
    channels, height, width = shapes[0]
    groups = layer.get(0, 1)
    if groups < 1 or channels % groups:
        layer.refuse(f"{channels} channels in {groups} groups")
    if layer.get(1):
        groups = channels // groups
    parts = (1, groups, channels // groups, height, width)
    split = converter.integers(f"{layer.name} split shape", parts)
    joined = converter.integers(f"{layer.name} joined shape", (1, channels, height, width))
    output = layer.outputs[0]
    converter.node("Reshape", [inputs[0], split], [f"{output} split"])
    converter.node("Transpose", [f"{output} split"], [f"{output} shuffled"], perm=[0, 2, 1, 3, 4])
    converter.node("Reshape", [f"{output} shuffled", joined], layer.outputs)
    return shapes


def nearest_resize(converter, layer, inputs, shapes):
    layer.require(0, 0, 1)
    layer.require(5, 0)
    layer.require(6, 0)
    channels, height, width = shapes[0]
    scales = layer.get(1, 1.0), layer.get(2, 1.0)
    if layer.get(0) != 1:
        layer.refuse("only nearest-neighbour resizing is supported")
    if layer.get(3) or layer.get(4):
        layer.refuse("a fixed output size is not supported")
    factors = converter.constant(f"{layer.name} scales", np.array((1, 1, *scales), np.float32))
    converter.node("Resize", [inputs[0], "", factors], layer.outputs, mode="nearest",
                   coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    return [(channels, int(height * scales[0]), int(width * scales[1]))]


def reshape(converter, layer, inputs, shapes):
    layer.require(3, 0)
    layer.require(11, ABSENT)
    # ncnn names the sides from the innermost: w, h, c. 0 keeps the input's side.
    kept = (*reversed(shapes[0]), 1, 1)
    sides = [layer.get(key, ABSENT) for key in (0, 1, 2)]
    sides = [kept[key] if side == 0 else side for key, side in enumerate(sides) if side != ABSENT]
    count = int(np.prod(shapes[0]))
    known = int(np.prod([side for side in sides if side != -1]))
    shape = tuple(count // known if side == -1 else side for side in reversed(sides))
    if np.prod(shape) != count:
        layer.refuse(f"{shapes[0]} cannot become {shape}")
    target = converter.integers(f"{layer.name} shape", (1, *shape))
    converter.node("Reshape", [inputs[0], target], layer.outputs)
    return [shape]


# By number of sides, then order type: which input side becomes each output side (C, H, W order).
PERMUTATIONS = {
    2: [(0, 1), (1, 0)],
    3: [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)],
}


def permute(converter, layer, inputs, shapes):
    orders = PERMUTATIONS.get(len(shapes[0]), [])
    if not 0 <= layer.get(0) < len(orders):
        layer.refuse(f"order {layer.get(0)} of {len(shapes[0])} sides is not supported")
    order = orders[layer.get(0)]
    converter.node("Transpose", inputs, layer.outputs, perm=[0, *(1 + side for side in order)])
    return [tuple(shapes[0][side] for side in order)]


CONVERSIONS = {
    "Split": copies,
    "Convolution": convolution,
    "ConvolutionDepthWise": convolution,
    "Pooling": maximum_pooling,
    "ReLU": relu,
    "Sigmoid": sigmoid,
    "Swish": swish,
    "Concat": concat,
    "Slice": slices,
    "Softmax": softmax,
    "BinaryOp": add,
    "Crop": crop,
    "ShuffleChannel": shuffle_channel,
    "Interp": nearest_resize,
    "Reshape": reshape,
    "Permute": permute,
}


def input_name(layers):
    """The only input blob of a network of `layers`."""
    names = [blob for layer in layers if layer.kind == "Input" for blob in layer.outputs]
    if len(names) != 1:
        raise ModelError(f"one input expected, found {names}")
    return names[0]


def output_names(layers):
    """The blobs that no layer reads."""
    read = {blob for layer in layers for blob in layer.inputs}
    return [blob for layer in layers for blob in layer.outputs if blob not in read]


def ncnn_to_onnx(param, binary, input_shape):
    """The network as a serialised ONNX model whose input is 1 × `input_shape` (C, H, W)."""
    layers = read_param(param)
    source, results = input_name(layers), output_names(layers)
    converter = Converter(WeightReader(binary))
    converter.shapes[source] = tuple(input_shape)
    converter.aliases[source] = source
    for layer in layers:
        if layer.kind != "Input":
            converter.convert(layer)
    converter.weights.finish()
    for blob in results:
        if converter.aliases[blob] != blob:
            converter.node("Identity", [converter.aliases[blob]], [blob])

    graph = helper.make_graph(
        converter.nodes, Path(param).stem,
        [tensor(source, converter.shapes)], [tensor(blob, converter.shapes) for blob in results],
        converter.constants)
    opset = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opset,
                              ir_version=helper.find_min_ir_version_for(opset))
    onnx.checker.check_model(model, full_check=True)
    return model.SerializeToString()


def tensor(blob, shapes):
    return helper.make_tensor_value_info(blob, TensorProto.FLOAT, [1, *shapes[blob]])
