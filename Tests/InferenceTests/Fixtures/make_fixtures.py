#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the layer fixtures: one JSON file per layer kind, beside this script.

  pip install ncnn numpy
  python make_fixtures.py

Each case is a network of one layer, its seeded inputs and the outputs of upstream ncnn in plain
fp32 (no fp16 or bf16 storage, no Winograd). Shapes are outermost first ([c, h, w], [h, w] or [w]),
values row-major and printed so that they read back as the same Float. A case's numbers depend on
its own kind and name alone, so that adding one leaves the others as they were.
"""
import base64
import itertools
import json
import pathlib
import struct
import sys
import tempfile
import zlib

import ncnn
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.append(str(FOLDER.parents[2] / "Scripts"))
from orderly import replace  # noqa: E402
FILES = {}


def run(param, weights, inputs, wanted, packs=True):
    """The blobs `wanted` of the network, computed by ncnn."""
    net = ncnn.Net()
    net.opt.num_threads = 1
    net.opt.use_fp16_packed = net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_storage = False
    net.opt.use_winograd_convolution = False
    net.opt.use_packing_layout = packs
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "param").write_text(param)
        (folder / "bin").write_bytes(weights)
        assert net.load_param(str(folder / "param")) == 0, f"refused:\n{param}"
        assert net.load_model(str(folder / "bin")) == 0, f"refused the weights of:\n{param}"
    extractor = net.create_extractor()
    for name, array in inputs.items():
        # A clone has the channel stride that ncnn expects; a view of NumPy's memory does not.
        assert extractor.input(name, ncnn.Mat(array).clone()) == 0
    outputs = {}
    for name in wanted:
        code, blob = extractor.extract(name)
        assert code == 0, f"{code} for:\n{param}"
        outputs[name] = np.array(blob)
        # −FLT_MAX and NaN come from windows without a pixel: there is nothing to compare.
        assert (np.abs(outputs[name]) < 1e6).all(), f"bad numbers for:\n{param}"
    return outputs


def blob_json(array):
    values = ",".join("%.9g" % value for value in array.ravel())
    return f'{{"shape": {list(array.shape)}, "values": [{values}]}}'


def blobs_json(blobs):
    return "{" + ", ".join(f'"{name}": {blob_json(array)}' for name, array in blobs.items()) + "}"


def generator(kind, name):
    return np.random.default_rng(zlib.crc32(f"{kind} {name}".encode()))


def names(stem, count):
    return [stem] if count == 1 else [f"{stem}{index}" for index in range(count)]


def case(kind, name, parameters="", *shapes, outputs=1, weights=b"", low=-1.0, high=1.0):
    """Adds a case with uniform inputs of the given shapes."""
    random = generator(kind, name)
    inputs = {
        blob: random.uniform(low, high, shape).astype(np.float32)
        for blob, shape in zip(names("in", len(shapes)), shapes)
    }
    wanted = names("out", outputs)
    layers = [f"Input {blob} 0 1 {blob}" for blob in inputs]
    if kind == "Input":
        layers, wanted = [f"Input in 0 1 in {parameters}".rstrip()], ["in"]
    else:
        blobs = " ".join([*inputs, *wanted])
        layers.append(f"{kind} layer {len(inputs)} {outputs} {blobs} {parameters}".rstrip())
    record(kind, name, layers, weights, inputs, wanted)


def record(kind, name, layers, weights, inputs, wanted, packs=True, rows=None):
    """Adds a case with the blobs `wanted` of a network to the file `kind`, padded with zeros to a number of `rows`.

    Without `packs`, upstream's blobs are not interleaved: where they are, its depthwise layers
    multiply by an approximate reciprocal, and several others misread int8.
    """
    blobs = {blob for layer in layers for blob in layer_outputs(layer)}
    param = "\n".join(["7767517", f"{len(layers)} {len(blobs)}", *layers, ""])
    results = run(param, weights, inputs, wanted, packs)
    if rows:
        results = {blob: np.pad(array, ((0, rows - len(array)), (0, 0))) for blob, array in results.items()}
    FILES.setdefault(kind, []).append(
        f'{{"name": {json.dumps(name)}, "param": {json.dumps(param)},'
        f' "bin": "{base64.b64encode(weights).decode()}",\n'
        f'  "inputs": {blobs_json(inputs)},\n  "outputs": {blobs_json(results)}}}'
    )


def layer_outputs(line):
    words = line.split()
    first = 4 + int(words[2])
    return words[first : first + int(words[3])]


# Storage of weights.


def raw(array):
    return np.asarray(array, np.float32).tobytes()


def tagged(array):
    return struct.pack("<I", 0) + raw(array)


def kept(array):
    return struct.pack("<I", 0x0002C056) + raw(array)


def half(array):
    data = np.asarray(array, np.float16).tobytes()
    return struct.pack("<I", 0x01306B47) + data + bytes(-len(data) % 4)


def table(array):
    """Each weight as the nearest of 256 values."""
    values = np.linspace(array.min(), array.max(), 256, dtype=np.float32)
    indices = np.abs(array.reshape(-1, 1) - values).argmin(axis=1).astype(np.uint8).tobytes()
    return struct.pack("<I", 1) + raw(values) + indices + bytes(-len(indices) % 4)


def int8(array):
    data = np.asarray(array, np.int8).tobytes()
    return struct.pack("<I", 0x000D4B38) + data + bytes(-len(data) % 4)


def spread(kind, name, count, low=-1.0, high=1.0):
    """Weights that are independent of the inputs of the same case."""
    return generator(kind, f"{name} weights").uniform(low, high, count).astype(np.float32)


def text(values):
    return ",".join(str(value) for value in values)


# Layers with windows.

ACTIVATIONS = [
    ("relu", "9=1"),
    ("leaky relu", "9=2 -23310=1,0.1"),
    ("clip", "9=3 -23310=2,-0.3,0.4"),
    ("sigmoid", "9=4"),
    ("mish", "9=5"),
    ("hard swish", "9=6 -23310=2,0.2,0.5"),
]


def convolution(name, shape, count, kernel=(3, 3), stride=(1, 1), dilation=(1, 1), pads="", group=1,
                bias=True, extra="", store=tagged, kind="Convolution"):
    size = count * (shape[0] // group) * kernel[0] * kernel[1]
    # Divided by the root of the sum's length, so that the results stay near 1.
    weights = spread(kind, name, size) / np.sqrt(size / count)
    data = store(weights) + (raw(spread(kind, f"{name} bias", count)) if bias else b"")
    parameters = (
        f"0={count} 1={kernel[0]} 11={kernel[1]} 2={dilation[0]} 12={dilation[1]}"
        f" 3={stride[0]} 13={stride[1]} {pads} 5={int(bias)} 6={size}"
    )
    if kind == "ConvolutionDepthWise":
        parameters += f" 7={group}"
    case(kind, name, f"{parameters} {extra}", shape, weights=data)


def convolutions():
    ones, same, lower = "4=1", "4=-233", "4=-234"
    for shape, count in [((1, 3, 7), 3), ((3, 5, 9), 5), ((12, 3, 5), 8), ((15, 3, 4), 5),
                         ((5, 2, 3), 16)]:
        label = f"{shape} to {count}"
        convolution(f"1x1 {label}", shape, count, (1, 1))
        convolution(f"3x3 padded {label}", shape, count, pads=ones)
        convolution(f"3x3 stride 2 padded {label}", shape, count, stride=(2, 2), pads=ones)
    convolution("3x3 of one pixel", (20, 1, 1), 8, pads=ones)
    convolution("1x1 stride 2", (5, 5, 7), 3, (1, 1), (2, 2))
    convolution("1x1 padded", (3, 3, 7), 5, (1, 1), pads=ones)
    # The stride leaves pixels out: SAME then adds no border.
    convolution("1x1 stride 3 same upper", (4, 8, 11), 5, (1, 1), (3, 3), pads=same)
    convolution("1x1 stride 3 same lower", (4, 8, 11), 5, (1, 1), (3, 3), pads=lower)
    convolution("2x2 stride 4 same lower", (3, 8, 7), 5, (2, 2), (4, 4), pads=lower)
    convolution("5x5", (3, 5, 9), 4, (5, 5))
    convolution("5x5 stride 3", (3, 9, 8), 5, (5, 5), (3, 3), pads="4=2")
    convolution("3x2 stride 2x1", (3, 5, 9), 5, (3, 2), (2, 1))
    convolution("2x3 stride 1x3", (3, 7, 5), 4, (2, 3), (1, 3))
    convolution("dilation 2", (3, 7, 9), 4, dilation=(2, 2), pads="4=2")
    convolution("dilation 2x1 stride 1x2", (5, 6, 8), 3, (3, 3), (1, 2), (2, 1), ones)
    convolution("pads 2 0 1 3", (3, 5, 6), 4, pads="4=2 15=0 14=1 16=3")
    convolution("pads of columns stand for rows", (2, 4, 5), 3, pads="4=1 15=2")
    convolution("pad value", (3, 3, 7), 4, pads="4=1 15=2 14=1 16=0", extra="18=0.5")
    convolution("pad value with same", (3, 3, 7), 4, pads=same, extra="18=0.5")
    for border, label in [(same, "same upper"), (lower, "same lower")]:
        convolution(f"{label} 3x3", (3, 5, 9), 5, pads=border)
        convolution(f"{label} 3x3 stride 2 even", (3, 4, 6), 5, stride=(2, 2), pads=border)
        convolution(f"{label} 3x3 stride 2 odd", (3, 5, 7), 5, stride=(2, 2), pads=border)
        convolution(f"{label} 2x2", (3, 5, 6), 4, (2, 2), pads=border)
        convolution(f"{label} 5x4 stride 3x2", (3, 7, 8), 4, (5, 4), (3, 2), pads=border)
        convolution(f"{label} dilation 2", (5, 6, 5), 4, dilation=(2, 2), pads=border)
    convolution("no bias", (3, 3, 7), 5, bias=False)
    for label, activation in ACTIVATIONS:
        convolution(f"activation {label}", (5, 3, 4), 6, (1, 1), extra=activation)
        convolution(f"activation {label} 3x3", (3, 3, 4), 3, pads=ones, extra=activation)
    convolution("weights fp16", (3, 5, 7), 5, store=half)
    convolution("weights fp16 odd count", (1, 3, 5), 3, store=half)
    convolution("weights from a table", (3, 5, 7), 5, store=table)
    convolution("weights from a table, odd count", (3, 5, 7), 3, (1, 1), store=table)
    convolution("weights fp32 kept", (3, 5, 7), 5, store=kept)


def depthwise_convolutions():
    def depthwise(name, shape, count, group, **options):
        convolution(name, shape, count, group=group, kind="ConvolutionDepthWise", **options)

    for channels in (1, 3, 5, 12, 16, 20):
        depthwise(f"{channels} channels", (channels, 3, 3), channels, channels, pads="4=1")
        depthwise(f"{channels} channels stride 2", (channels, 3, 4), channels, channels,
                  stride=(2, 2), pads="4=1")
    depthwise("5x5", (3, 5, 9), 3, 3, kernel=(5, 5), pads="4=2")
    depthwise("3x2 stride 2x3", (5, 5, 9), 5, 5, kernel=(3, 2), stride=(2, 3))
    depthwise("dilation 2", (12, 5, 3), 12, 12, dilation=(2, 2), pads="4=2")
    depthwise("pads 2 0 1 3", (5, 4, 5), 5, 5, pads="4=2 15=0 14=1 16=3")
    depthwise("pad value", (3, 3, 5), 3, 3, pads="4=1", extra="18=-0.5")
    depthwise("same upper", (5, 4, 6), 5, 5, stride=(2, 2), pads="4=-233")
    depthwise("same lower", (5, 4, 6), 5, 5, stride=(2, 2), pads="4=-234")
    depthwise("no bias", (12, 3, 4), 12, 12, bias=False)
    depthwise("weights fp16", (5, 3, 5), 5, 5, store=half)
    for label, activation in ACTIVATIONS:
        depthwise(f"activation {label}", (5, 3, 4), 5, 5, extra=activation)
    depthwise("twice the outputs", (3, 4, 5), 6, 3, pads="4=1")
    depthwise("2 groups 4 to 6", (4, 3, 7), 6, 2, pads="4=1")
    depthwise("2 groups 12 to 20", (12, 3, 5), 20, 2, kernel=(1, 1))
    depthwise("4 groups 4 to 12", (4, 5, 5), 12, 4, stride=(2, 2))
    depthwise("4 groups 20 to 8", (20, 3, 4), 8, 4, kernel=(2, 2))
    depthwise("1 group", (3, 3, 5), 4, 1)


def deconvolutions():
    def deconvolution(name, shape, count, kernel=(3, 3), stride=(2, 2), dilation=(1, 1), extra="",
                      group=None, bias=True, store=tagged):
        kind = "DeconvolutionDepthWise" if group else "Deconvolution"
        size = count * (shape[0] // (group or 1)) * kernel[0] * kernel[1]
        weights = spread(kind, name, size) / np.sqrt(size / count)
        data = store(weights) + (raw(spread(kind, f"{name} bias", count)) if bias else b"")
        parameters = (
            f"0={count} 1={kernel[0]} 11={kernel[1]} 2={dilation[0]} 12={dilation[1]}"
            f" 3={stride[0]} 13={stride[1]} 5={int(bias)} 6={size} {extra}"
        )
        case(kind, name, parameters + (f" 7={group}" if group else ""), shape, weights=data)

    for group, channels, count in [(None, 3, 5), (None, 8, 16), (1, 3, 4), (5, 5, 5), (8, 8, 8),
                                   (2, 4, 6), (3, 6, 3), (2, 16, 16)]:
        label = f"{channels} to {count}" + (f" in {group} groups" if group else "")
        for kernel, stride, extra in [((2, 2), (2, 2), ""), ((4, 4), (2, 2), "4=1"),
                                      ((3, 2), (1, 3), "4=0 14=1")]:
            deconvolution(f"{kernel} stride {stride} {extra} {label}", (channels, 3, 4), count, kernel,
                          stride, extra=extra, group=group)
    for group, (name, options) in itertools.product((None, 4), {
        "dilation 2x3": {"dilation": (2, 3)},
        "stride beyond the window": {"kernel": (2, 1), "stride": (3, 3)},
        "pads 2 0 1 3": {"extra": "4=2 15=0 14=1 16=3"},
        "more at the end": {"extra": "18=2 19=1"},
        "more at the end, and pads": {"extra": "4=1 18=1"},
        "to a size, upper": {"extra": "4=-233 20=8 21=5"},
        "to a size, lower": {"extra": "4=-234 20=6 21=6"},
        "to its own size": {"extra": "4=-233 20=9 21=7"},
        "to a square": {"extra": "4=-234 20=6"},
        "same without a size": {"extra": "4=-233"},
        "a size beside pads": {"extra": "4=1 20=3 21=3"},
        "no bias": {"bias": False},
        "weights fp16": {"store": half},
        "weights from a table": {"store": table},
        **{f"activation {label}": {"extra": value} for label, value in ACTIVATIONS},
    }.items()):
        deconvolution(name, (4, 3, 4), 4, group=group, **options)
    deconvolution("of a pixel", (5, 1, 1), 3)


def poolings():
    methods = [("maximum", "0=0"), ("average", "0=1"), ("average with border", "0=1 6=1")]
    explicit = [
        ((3, 3, 7), "1=2 2=2"), ((1, 5, 9), "1=3 2=2"), ((2, 4, 6), "1=3 2=2"),
        ((2, 4, 6), "1=3 2=2 3=1"), ((1, 5, 7), "1=3 2=1 3=1"),
        ((1, 5, 8), "1=3 11=2 2=2 12=1 3=1 14=0 13=0 15=1"), ((12, 4, 4), "1=2 2=2 3=1"),
        ((1, 6, 9), "1=5 2=3 3=2"), ((1, 7, 8), "1=3 2=3 3=1 14=0 13=1 15=0"),
    ]
    same = [
        ((3, 3, 7), "1=2 2=2"), ((1, 5, 9), "1=3 2=2"), ((2, 4, 6), "1=3 2=2"),
        ((1, 5, 8), "1=3 11=2 2=2 12=1"), ((12, 3, 4), "1=2 2=1"), ((1, 7, 8), "1=5 2=3"),
        ((2, 3, 4), "1=5 2=1"),
    ]
    modes = [("full", explicit), ("valid", explicit), ("same upper", same), ("same lower", same)]
    for (mode, (border, windows)), (method, number) in itertools.product(enumerate(modes), methods):
        for shape, window in windows:
            case("Pooling", f"{method} {border} {shape} {window}", f"{number} {window} 5={mode}",
                 shape)
    # Averages exclude this much of the border that SAME adds, or even of the blob.
    pads = [((12, 16, 5), "1=5 2=1 3=1"), ((1, 6, 5), "1=5 2=1 3=2"), ((2, 7, 8), "1=3 2=2 3=1 13=0"),
            ((1, 7, 8), "1=5 2=3 3=2 14=1 13=0 15=3")]
    for (border, mode), (method, number), (shape, window) in itertools.product(
            [("same upper", 2), ("same lower", 3)], methods, pads):
        case("Pooling", f"{method} {border} {shape} {window}", f"{number} {window} 5={mode}", shape)
    for method, number in methods[:2]:
        for shape in [(3, 5, 9), (12, 3, 7), (1, 1, 1)]:
            case("Pooling", f"{method} global {shape}", f"{number} 4=1", shape)
        case("Pooling", f"{method} global before adaptive", f"{number} 4=1 7=1 8=2", (3, 3, 5))
        for size in ["8=2", "8=3 18=2", "8=1", "8=-233 18=2", "8=4 18=-233", "8=-233", "8=11 18=7"]:
            case("Pooling", f"{method} adaptive {size}", f"{number} 7=1 {size}", (1, 5, 9))
        case("Pooling", f"{method} adaptive 12 channels", f"{number} 7=1 8=3", (12, 4, 5))


def interps():
    scales = [(2.0, 2.0), (3.0, 3.0), (0.5, 0.5), (1.5, 0.7), (0.4, 2.3), (1.7, 1.3), (1.1, 1.9),
              (1.0, 1.0), (1.1, 1.1), (2.0, 1.0)]
    sizes = [(6, 14), (3, 7), (7, 3), (1, 1), (2, 1), (1, 9), (9, 5), (10, 13)]
    methods = [("nearest", "0=1"), ("bilinear", "0=2"), ("bilinear corners", "0=2 6=1"),
               ("bicubic", "0=3"), ("bicubic corners", "0=3 6=1")]
    for method, number in methods:
        for height, width in scales:
            case("Interp", f"{method} scale {height} {width}", f"{number} 1={height} 2={width}",
                 (2, 3, 7))
        for height, width in sizes:
            case("Interp", f"{method} size {height} {width}", f"{number} 3={height} 4={width}",
                 (2, 3, 7))
        case("Interp", f"{method} size before scale", f"{number} 1=2.0 2=2.0 3=5 4=4", (2, 3, 7))
        case("Interp", f"{method} one size alone", f"{number} 1=2.0 2=2.0 3=5", (2, 3, 5))
        case("Interp", f"{method} 12 channels", f"{number} 1=2.0 2=2.0", (12, 3, 4))
        case("Interp", f"{method} one pixel", f"{number} 3=3 4=4", (3, 1, 1))
        case("Interp", f"{method} one row", f"{number} 1=2.0 2=2.0", (3, 1, 5))
        case("Interp", f"{method} one column", f"{number} 3=7 4=2", (3, 4, 1))
        case("Interp", f"{method} of rows, scale", f"{number} 1=2.0 2=1.5", (3, 5))
        case("Interp", f"{method} of rows, no height", f"{number} 1=0.01 2=1.6", (3, 5))
        case("Interp", f"{method} of rows, size", f"{number} 3=2 4=8", (3, 5))
        case("Interp", f"{method} of a row", f"{number} 3=2 4=3", (5,))
        case("Interp", f"{method} of a row, scale", f"{number} 1=2.0 2=3.0", (5,))


# Layers that move data.


def movements():
    for axis, shapes in [
        (0, [(3, 3, 7), (5, 3, 7)]), (0, [(4, 3, 7), (8, 3, 7)]), (1, [(3, 2, 5), (3, 4, 5)]),
        (2, [(3, 5, 2), (3, 5, 7), (3, 5, 1)]), (-1, [(3, 2, 5), (3, 2, 4)]),
        (-2, [(12, 2, 5), (12, 1, 5)]), (-3, [(1, 2, 5), (3, 2, 5), (12, 2, 5)]),
        (0, [(2, 5), (3, 5)]), (1, [(3, 5), (3, 7)]), (-1, [(4, 3), (4, 2)]),
        (-2, [(1, 5), (8, 5)]), (0, [(3,), (5,), (1,)]), (-1, [(3,), (5,)]), (0, [(3, 2, 2)]),
    ]:
        case("Concat", f"axis {axis} of {shapes}", f"0={axis}", *shapes)

    for sizes in [(-233, -233), (-233, -233, -233), (-233,) * 4, (2, -233, -233), (2, 3, 2), (7,),
                  (-233, 2, -233), (1, -233)]:
        for axis, shape in [(0, (7,)), (0, (7, 3)), (1, (3, 7)), (-1, (3, 7)), (0, (7, 2, 3)),
                            (1, (3, 7, 2)), (2, (2, 3, 7)), (-3, (7, 2, 2))]:
            case("Slice", f"sizes {sizes} axis {axis} of {shape}",
                 f"-23300={len(sizes)},{text(sizes)} 1={axis}", shape, outputs=len(sizes))
    case("Slice", "halves of 16 channels", "-23300=2,-233,-233", (16, 3, 3), outputs=2)
    for sizes in [(2, 2), (-233, 2), (3,)]:
        for axis, shape in [(0, (7,)), (-1, (3, 7)), (0, (7, 2, 3)), (0, (20, 3, 3)), (1, (3, 7, 2))]:
            case("Slice", f"sizes {sizes} axis {axis} of {shape}, with a rest",
                 f"-23300={len(sizes)},{text(sizes)} 1={axis}", shape, outputs=len(sizes))
    for positions in [(3,), (1, 3), (1, -2), (-3, -1)]:
        for axis, shape in [(0, (7,)), (0, (7, 3)), (-1, (3, 7)), (0, (7, 2, 3)), (-2, (3, 7, 2)),
                            (2, (2, 3, 7))]:
            case("Slice", f"positions {positions} axis {axis} of {shape}",
                 f"-23302={len(positions)},{text(positions)} 1={axis}", shape,
                 outputs=len(positions) + 1)

    for shape in [(3, 3, 7), (5, 9), (7,)]:
        case("Split", f"2 of {shape}", "", shape, outputs=2)
        case("Split", f"3 of {shape}", "", shape, outputs=3)
        case("Flatten", f"{shape}", "", shape)
    case("Flatten", "12 channels", "", (12, 3, 5))

    for group, channels in [(2, 4), (2, 12), (2, 6), (3, 6), (3, 12), (3, 15), (5, 20), (1, 3),
                            (4, 4)]:
        for reverse in (0, 1):
            case("ShuffleChannel", f"{group} groups of {channels}{' reversed' * reverse}",
                 f"0={group} 1={reverse}", (channels, 2, 2))

    for factor, mode, shape in [(2, 0, (12, 2, 3)), (2, 1, (12, 2, 3)), (3, 0, (9, 2, 2)),
                                (3, 1, (18, 1, 2)), (2, 0, (4, 3, 5)), (1, 0, (3, 2, 2)),
                                (4, 1, (16, 1, 1))]:
        case("PixelShuffle", f"{factor} of {shape}{' interleaved' * mode}", f"0={factor} 1={mode}",
             shape)

    reshapes = {
        (24,): ["0=-1", "0=24", "0=0", "0=6 1=-1", "0=-1 1=8", "0=0 1=-1", "0=-1 1=0", "0=6 1=4",
                "0=2 1=3 2=4", "0=2 1=-1 2=4", "0=-1 1=3 2=2", "0=4 1=3 2=-1", "0=0 1=-1 2=1",
                "0=-1 1=0 2=0", "0=0 1=0 2=-1", "0=-1 1=-233 2=-233"],
        (4, 6): ["0=-1", "0=24", "0=0", "0=6 1=-1", "0=-1 1=8", "0=0 1=-1", "0=-1 1=0", "0=0 1=0",
                 "0=3 1=8", "0=2 1=3 2=4",
                 "0=2 1=-1 2=4", "0=-1 1=3 2=2", "0=0 1=-1 2=1", "0=0 1=2 2=-1",
                 "0=3 1=0 2=-1", "0=0 1=0 2=0"],
        (2, 3, 4): ["0=-1", "0=24", "0=0", "0=6 1=4", "0=6 1=-1", "0=-1 1=8", "0=0 1=-1",
                    "0=-1 1=0", "0=-1 1=2", "0=2 1=3 2=4", "0=2 1=-1 2=4", "0=-1 1=3 2=2",
                    "0=0 1=-1 2=1",
                    "0=-1 1=0 2=0", "0=0 1=0 2=-1", "0=0 1=0 2=0", "0=3 1=4 2=0", "0=1 1=-1 2=0"],
        (12, 3, 5): ["0=-1", "0=-1 1=12", "0=0 1=-1 2=4"],
    }
    for shape, forms in reshapes.items():
        for form in forms:
            case("Reshape", f"{form} of {shape}", form, shape)

    for order in range(6):
        case("Permute", f"{order} of channels, rows, columns", f"0={order}", (3, 5, 7))
        case("Permute", f"{order} of 12 channels", f"0={order}", (12, 2, 4))
    for order in range(2):
        case("Permute", f"{order} of rows, columns", f"0={order}", (3, 7))
    case("Permute", "0 of a row", "0=0", (5,))


def borders():
    for number, label in [(0, "constant"), (1, "replicate"), (2, "reflect")]:
        for shape in [(2, 3, 4), (3, 4), (5,)]:
            for sides in ["0=1 1=2 2=1 3=2", "0=2", "1=1", "2=2", "3=1", "0=0 1=0 2=0 3=0"]:
                case("Padding", f"{label} {sides} of {shape}", f"{sides} 4={number} 5=1.5", shape)
        case("Padding", f"{label} 12 channels", f"0=1 1=1 2=2 3=1 4={number} 5=1.5", (12, 2, 3))
        for depth in ["7=1 8=2", "7=2", "8=1", "0=1 1=1 2=1 3=1 7=1 8=1"]:
            case("Padding", f"{label} {depth}", f"{depth} 4={number} 5=-0.5", (3, 3, 2))
    case("Padding", "value by default 0", "0=1 2=1", (2, 2, 3))
    for count, depth in [(3, ""), (12, ""), (6, "7=1 8=2")]:
        channels = count - 3 if depth else count
        name = f"per channel, {count} {depth}".strip()
        case("Padding", name, f"0=1 1=1 2=2 3=0 6={count} {depth}", (channels, 2, 3),
             weights=raw(spread("Padding", name, count)))
    for number, label in [(1, "replicate"), (2, "reflect")]:
        name = f"{label}, with values that go unused"
        case("Padding", name, f"0=1 1=1 2=1 4={number} 6=2", (2, 2, 3),
             weights=raw(spread("Padding", name, 2)))

    spans = {
        (5, 6, 7): [
            "0=1 1=2 2=1 3=3 4=2 5=2", "0=1 1=2 2=1 3=-233 4=-233 5=-233", "3=3 4=2 5=-233",
            "0=1 1=2 2=1 3=-233 4=-233 5=-233 6=1 7=2 8=1", "0=1 1=1 2=1 3=99 4=99 5=99",
            "0=3 3=3 4=-233 5=-233 6=2", "3=-233 4=-233 5=2 2=2", "3=-233 4=-233 5=-233 8=2",
            "2=1 3=-233 4=-233 5=3 8=2", "3=7 4=6 5=5",
        ],
        (6, 7): ["0=1 1=2 3=3 4=2", "0=1 1=1 3=-233 4=-233 6=1 7=1", "0=2 3=3 4=-233", "3=99 4=1",
                 "3=-233 4=4 7=3"],
        (7,): ["0=1 3=3", "0=2 3=-233", "3=-233 6=2", "0=2 3=-233 6=2", "3=99", "0=1 3=5 6=3"],
    }
    for shape, forms in spans.items():
        for form in forms:
            case("Crop", f"{form} of {shape}", form, shape)
    ranges = [
        ((5, 6, 7), (1, 0, -3), (3, 3, -1), ()), ((5, 6, 7), (1, 2, 3), (-233, 5, 99), ()),
        ((5, 6, 7), (1,), (4,), (0,)), ((5, 6, 7), (-2,), (-233,), (2,)),
        ((5, 6, 7), (-2,), (-233,), (-2,)), ((5, 6, 7), (-233,), (3,), (-1,)),
        ((5, 6, 7), (1, 2), (99, -1), (1, 2)), ((5, 6, 7), (2, 1), (5, 3), (2, 0)),
        ((5, 6, 7), (1,), (0,), (0,)), ((6, 7), (1, -3), (4, -1), ()), ((6, 7), (2,), (5,), (-1,)),
        ((6, 7), (-4,), (-1,), (0,)), ((7,), (1,), (-1,), ()), ((7,), (-3,), (-233,), (0,)),
        ((7,), (2,), (4,), (-1,)), ((16, 3, 3), (8,), (16,), (0,)),
        ((5, 6, 7), (1, 0), (2147483647, 2147483647), (0, 1)),
    ]
    for shape, starts, ends, axes in ranges:
        parameters = f"-23309={len(starts)},{text(starts)} -23310={len(ends)},{text(ends)}"
        if axes:
            parameters += f" -23311={len(axes)},{text(axes)}"
        case("Crop", f"from {starts} to {ends} along {axes} of {shape}", parameters, shape)
    for shape, reference in [((5, 6, 7), (2, 3, 4)), ((5, 6, 7), (3, 4)), ((6, 7), (3, 4)),
                             ((6, 7), (2, 3, 4)), ((7,), (3,)), ((5, 6, 7), (5, 6, 7)),
                             ((5, 6, 7), (3,)), ((6, 7), (4,))]:
        case("Crop", f"reference {reference} of {shape}", "", shape, reference)


# Layers that work element by element.

SHAPES = [(3, 3, 7), (3, 5), (7,)]


def elementwise():
    for kind, parameters in [
        ("Swish", ""), ("Sigmoid", ""), ("ReLU", ""), ("ReLU", "0=0.1"), ("HardSwish", ""),
        ("HardSwish", "0=0.16666667 1=0.5"), ("HardSigmoid", ""), ("HardSigmoid", "0=0.4 1=0.3"),
        ("Dropout", ""), ("Dropout", "0=0.5"), ("Clip", ""), ("Clip", "0=-1 1=2.5"), ("ELU", ""),
        ("ELU", "0=0.7"), ("GELU", ""), ("GELU", "0=1"), ("Mish", ""), ("TanH", ""), ("Noop", ""),
    ]:
        for shape in [*SHAPES, (16, 2, 3)]:
            case(kind, f"{parameters} of {shape}".strip(), parameters, shape, low=-6, high=6)

    for kind, count in itertools.product(["PReLU"], (1, 12, 5)):
        for rest in [(3, 4), (7,), ()]:
            shape = (5 if count == 1 else count, *rest)
            name = f"{count} slopes of {shape}"
            case(kind, name, f"0={count}", shape, weights=raw(spread(kind, name, count)))

    for number, name in enumerate([
        "absolute", "negative", "floor", "ceiling", "square", "root", "reciprocal root",
        "exponential", "logarithm", "sine", "cosine", "tangent", "arc sine", "arc cosine",
        "arc tangent", "reciprocal", "hyperbolic tangent", "decimal logarithm", "round", "truncate",
    ]):
        low, high = {5: (0.25, 2), 6: (0.25, 2), 8: (0.25, 2), 11: (-1.2, 1.2), 12: (-0.9, 0.9),
                     13: (-0.9, 0.9), 15: (0.25, 2), 17: (0.25, 2)}.get(number, (-2.5, 2.5))
        for shape in [*SHAPES, (16, 2, 3)]:
            case("UnaryOp", f"{name} of {shape}", f"0={number}", shape, low=low, high=high)

    shape, label = (3, 5), "of rows"
    for number, name in enumerate([
        "add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "subtract reversed",
        "divide reversed", "power reversed", "arc tangent", "arc tangent reversed",
    ]):
        # Powers of negative numbers are undefined; a quotient by nearly zero tests nothing.
        low = 0.25 if number in (3, 6, 8, 9) else -2
        case("BinaryOp", f"{name} {label}", f"0={number}", shape, shape, low=low, high=2)
        case("BinaryOp", f"{name} and a number", f"0={number} 1=1 2=0.7", (2, 3, 3), low=low,
             high=2)
        case("BinaryOp", f"{name} broadcast", f"0={number}", (4,), (3, 4), low=low, high=2)
    case("BinaryOp", "multiply a row by a number", "0=2 1=1 2=-1.5", (7,))
    case("BinaryOp", "multiply 12 channels", "0=2", (12, 3, 3), (12, 1, 1))
    shapes = [(1,), (2,), (3,), (4,), (3, 4), (1, 4), (3, 1), (1, 1), (2, 3), (2, 3, 4), (1, 1, 1),
              (2, 1, 1), (1, 3, 4), (2, 3, 1), (2, 1, 4), (1, 1, 4), (1, 3, 1)]
    squares = [((3,), (3, 3)), ((3, 3), (3,)), ((3,), (3, 3, 3)), ((4, 3, 4), (4,)),
               ((3, 3), (3, 3, 3))]
    for first, second in [*itertools.product(shapes, shapes), *squares]:
        if combine(first, second):
            case("BinaryOp", f"subtract {second} from {first}", "0=1", first, second)

    for count, shape in itertools.product((2, 3), [*SHAPES, (12, 1, 2)]):
        coefficients = [0.5, -2.0, 1.5][:count]
        for name, parameters in [("product", "0=0"), ("sum", "0=1"), ("maximum", "0=2"),
                                 ("weighted sum", f"0=1 -23301={count},{text(coefficients)}")]:
            case("Eltwise", f"{name} of {count} {shape}", parameters, *[shape] * count)


def combine(first, second):
    """Whether ncnn broadcasts two shapes: for others it reads out of bounds."""
    def widened(shape, other):
        missing = len(other) - len(shape)
        if missing <= 0:
            return shape
        if len(shape) == 1 and shape[0] != other[0]:
            return (1,) * missing + shape
        return shape + (1,) * missing

    return all(a == b or 1 in (a, b)
               for a, b in zip(widened(first, second), widened(second, first)))


# Layers with statistics or sums over a blob.


def normalisations():
    for shape in SHAPES + [(12, 3, 4)]:
        for axis in range(-len(shape), len(shape)):
            case("Softmax", f"axis {axis} of {shape}", f"0={axis} 1=1", shape, low=-4, high=4)
    case("Softmax", "axis by default 0", "", (3, 5), low=-4, high=4)
    case("Softmax", "large values", "0=0", (5,), low=90, high=100)

    for channels, rest in itertools.product((6, 12), [(2, 3), (5,), ()]):
        shape = (channels, *rest)
        for epsilon in ("", "1=0.001"):
            name = f"{shape} {epsilon}".strip()
            slope, mean, bias = spread("BatchNorm", name, 3 * channels).reshape(3, -1)
            variance = spread("BatchNorm", f"{name} variance", channels, 0.25, 2)
            case("BatchNorm", name, f"0={channels} {epsilon}", shape,
                 weights=raw(slope) + raw(mean) + raw(variance) + raw(bias))
        for bias in (0, 1):
            name = f"{shape}{' with bias' * bias}"
            case("Scale", name, f"0={channels} 1={bias}", shape,
                 weights=raw(spread("Scale", name, channels * (1 + bias))))
        case("Scale", f"{shape} by a second blob", "0=-233", shape, (channels,))
        for group, affine in itertools.product((1, 2, 3, 6), (0, 1)):
            name = f"{group} groups of {shape}{' affine' * affine}"
            case("GroupNorm", name, f"0={group} 1={channels} 2=0.01 3={affine}", shape,
                 weights=raw(spread("GroupNorm", name, 2 * channels * affine)))
    # Upstream treats blobs of fewer axes as one channel.
    for shape in [(3, 3, 7), (12, 2, 3), (5, 1, 4)]:
        channels = shape[0]
        case("Bias", f"{shape}", f"0={channels}", shape,
             weights=raw(spread("Bias", f"{shape}", channels)))
        for affine, epsilon in itertools.product((0, 1), ("", "1=0.01")):
            name = f"{shape} {epsilon}{' affine' * affine}"
            case("InstanceNorm", name, f"0={channels} {epsilon} 2={affine}", shape,
                 weights=raw(spread("InstanceNorm", name, 2 * channels * affine)))

    def reduction(operation, shape, axes, keeps):
        along = f"1=0 -23303={len(axes)},{text(axes)} 5=1" if axes else "1=1"
        case("Reduction", f"{operation} of {shape} along {axes or 'all'}{' kept' * keeps}",
             f"0={operation} {along} 4={keeps}", shape, low=0.25 if operation == 9 else -1.5,
             high=1.5)

    for operation, axes in itertools.product(range(11), [(), (1,), (0, 2)]):
        reduction(operation, (2, 3, 4), axes, 0)
    every = {(2, 3, 4): [(), (0,), (1,), (2,), (-1,), (0, 1), (1, 2), (0, 2), (0, 1, 2), (-3, -1)],
             (3, 5): [(), (0,), (1,), (-2,), (0, 1)], (7,): [(), (0,), (-1,)]}
    for shape, lists in every.items():
        for axes, keeps in itertools.product(lists, (0, 1)):
            reduction(3, shape, axes, keeps)
            reduction(4, shape, axes, keeps)
    for operation in range(11):
        low = 0.25 if operation == 9 else -1.5
        case("Reduction", f"{operation} with a coefficient", f"0={operation} 1=1 2=2.5", (2, 3, 4),
             low=low, high=1.5)
        for keeps in (0, 1):
            case("Reduction", f"{operation} over pixels of 16 channels{' kept' * keeps}",
                 f"0={operation} 1=0 -23303=2,1,2 4={keeps} 5=1", (16, 2, 3), low=low, high=1.5)
    # Over no axes each element is its own summary, but those of a vector are summed up.
    for operation, shape in itertools.product(range(11), [(5,), (3, 4), (2, 3, 4), (2, 3, 2, 4)]):
        case("Reduction", f"{operation} of {shape} along none", f"0={operation} 1=0 2=2.5", shape, low=0.25, high=1.5)
    case("Reduction", "along none, kept", "1=0 4=1 5=1", (3, 4))
    case("Reduction", "with a coefficient", "0=0 1=1 2=2.5", (2, 3, 4))
    case("Reduction", "mean with a coefficient", "0=3 1=1 2=-0.5", (12, 3, 4))
    case("GroupNorm", "defaults", "1=4", (4, 3, 5), weights=raw(spread("GroupNorm", "", 8)))


def products():
    def product(name, shape, inputs, count, bias=True, extra="", store=tagged):
        weights = spread("InnerProduct", name, inputs * count) / np.sqrt(inputs)
        offsets = raw(spread("InnerProduct", f"{name} bias", count)) if bias else b""
        case("InnerProduct", name, f"0={count} 1={int(bias)} 2={inputs * count} {extra}", shape,
             weights=store(weights) + offsets)

    for shape in [(6,), (2, 3), (1, 2, 3), (2, 1, 3), (6, 1, 1), (6, 1), (12, 3, 5), (20,)]:
        for count in (1, 5, 16):
            product(f"{shape} to {count}", shape, int(np.prod(shape)), count)
    for shape in [(3, 6), (5, 12), (1, 6)]:
        product(f"row by row {shape}", shape, shape[1], 5)
        product(f"row by row {shape} with activation", shape, shape[1], 4, extra="9=2 -23310=1,0.2")
    product("no bias", (3, 2, 2), 12, 4, bias=False)
    product("weights fp16", (7,), 7, 3, store=half)
    product("weights from a table", (7,), 7, 3, store=table)
    for label, activation in ACTIVATIONS:
        product(f"activation {label}", (3, 2, 2), 12, 7, extra=activation)


# Layers in int8. Inputs reach beyond what their scale covers, so that some are clamped.


def clear_scale(values, scale):
    """The scale, or one a little larger that maps none of the values to nearly a half: whether that
    rounds up may depend on the order of arithmetic."""
    while True:
        scaled = np.abs(values.ravel() * np.float32(scale))
        scaled = scaled[scaled < 128]
        if (np.abs(scaled - np.trunc(scaled) - 0.5) > 2e-3).all():
            return scale
        scale *= 1.003


def input_scale(values):
    return clear_scale(values, 150.0)


def output_scale(layers, weights, inputs, wanted, packs=True):
    """A scale for the int8 blob `wanted`: these layers and weights give it in floats."""
    blobs = {blob for layer in layers for blob in layer_outputs(layer)}
    param = "\n".join(["7767517", f"{len(layers)} {len(blobs)}", *layers, ""])
    return clear_scale(run(param, weights, inputs, [wanted], packs)[wanted], 60.0)


def int8_weights(kind, name, outputs, size, scale_count, input_scale, bias=True, store=int8, dead=None):
    """The arrays of an int8 layer: weights of `size` / `outputs` products for each output.

    `dead` is a scale in place of those of the second channel and every fifth after it.
    """
    weights = spread(kind, name, size) / np.sqrt(size / outputs)
    # No two channels have the same range.
    weights = weights.reshape(scale_count, -1) * spread(kind, f"{name} sizes", scale_count, 0.3)[:, None]
    scales = (127 / np.abs(weights).max(axis=1)).astype(np.float32)
    if store is int8:
        weights = np.clip(np.rint(weights * scales[:, None]), -127, 127)
    if dead is not None:
        scales[1::5] = dead
    data = store(weights.ravel())
    if bias:
        data += raw(spread(kind, f"{name} bias", outputs))
    return data + raw(scales) + raw([input_scale])


def int8_convolution(name, shape, count, kernel=(3, 3), stride=(1, 1), dilation=(1, 1), pads="",
                     group=None, bias=True, extra="", store=int8, term=1, dead=None, scale=None,
                     result_scale=None):
    channels = shape[0] if len(shape) == 3 else 1
    size = count * (channels // (group or 1)) * kernel[0] * kernel[1]
    parameters = (
        f"0={count} 1={kernel[0]} 11={kernel[1]} 2={dilation[0]} 12={dilation[1]}"
        f" 3={stride[0]} 13={stride[1]} {pads} 5={int(bias)} 6={size} {extra}"
    )
    kind, scale_count = "Convolution", count
    if group:
        kind, scale_count = "ConvolutionDepthWise", group if term % 100 == 1 else 1
        parameters += f" 7={group}"
    file = f"Int8{kind}"
    inputs = {"in": generator(file, name).uniform(-1, 1, shape).astype(np.float32)}
    weights = int8_weights(file, name, count, size, scale_count, scale or input_scale(inputs["in"]), bias,
                           store, dead)

    def layers(term):
        return ["Input in 0 1 in", f"{kind} layer 1 1 in out {parameters} 8={term}"]

    if term > 100:
        if result_scale is None:
            result_scale = output_scale(layers(term - 100), weights, inputs, "out", packs=group is None)
        weights += raw([result_scale])
    record(file, name, layers(term), weights, inputs, ["out"], packs=group is None)


def int8_convolutions():
    ones, same, lower = "4=1", "4=-233", "4=-234"
    for term in (1, 2, 101, 102):
        for shape, count in [((1, 3, 7), 3), ((5, 4, 5), 8), ((16, 3, 4), 7), ((8, 2, 3), 16)]:
            label = f"term {term} {shape} to {count}"
            int8_convolution(f"1x1 {label}", shape, count, (1, 1), term=term)
            int8_convolution(f"3x3 {label}", shape, count, pads=ones, term=term)
        int8_convolution(f"no bias, term {term}", (3, 3, 5), 5, bias=False, term=term)
        for label, activation in ACTIVATIONS:
            int8_convolution(f"activation {label}, term {term}", (5, 3, 4), 6, (1, 1),
                             extra=activation, term=term)
    for term in (1, 101):
        int8_convolution(f"stride 2, term {term}", (4, 5, 7), 6, stride=(2, 2), pads=ones, term=term)
        int8_convolution(f"3x2 stride 2x1, term {term}", (3, 5, 6), 5, (3, 2), (2, 1), term=term)
        int8_convolution(f"dilation 2, term {term}", (3, 6, 5), 4, dilation=(2, 2), pads="4=2",
                         term=term)
        int8_convolution(f"pads 2 0 1 3, term {term}", (3, 4, 5), 4, pads="4=2 15=0 14=1 16=3",
                         term=term)
        int8_convolution(f"pad value, term {term}", (3, 3, 5), 4, pads=ones, extra="18=9.7", term=term)
        int8_convolution(f"negative pad value, term {term}", (3, 3, 5), 4, pads=ones, extra="18=-9.7",
                         term=term)
        for border, label in [(same, "same upper"), (lower, "same lower")]:
            int8_convolution(f"{label}, term {term}", (5, 4, 6), 5, stride=(2, 2), pads=border,
                             term=term)
        for store, label in [(tagged, "fp32"), (half, "fp16"), (table, "table"), (kept, "kept fp32")]:
            int8_convolution(f"weights {label}, term {term}", (3, 3, 5), 5, store=store, term=term)
    # Halves, both of the input and of the result, and numbers beyond ±127.
    halves = np.append(np.arange(-16, 16) / 4, [63.25, 63.5, 64, -63.5, 1e3, -1e3]).astype(np.float32)
    layers = ["Input in 0 1 in", "Convolution layer 1 1 in out 0=2 1=1 6=2 8=101"]
    record("Int8Convolution", "halves", layers, int8([1, -3]) + raw([4, 4]) + raw([2]) + raw([4]),
           {"in": halves.reshape(1, 2, -1)}, ["out"])
    # Numbers next to a half: 0.8752625 · 127.39034 is 111.49999.
    near = np.tile(np.array([0.8752625, 0.1, 0.2, -0.8752625], np.float32), 16).reshape(1, 4, 16)
    record("Int8Convolution", "input near a half", ["Input in 0 1 in",
           "Convolution layer 1 1 in out 0=1 1=1 6=1 8=2"],
           int8([1]) + raw([1]) + raw([127.39034]), {"in": near}, ["out"])
    for dead, term in itertools.product((np.inf, 0, 3e30), (1, 101)):
        for shape, count in [((3, 3, 5), 5), ((8, 3, 4), 16)]:
            int8_convolution(f"scale {dead} {shape} to {count}, term {term}", shape, count, dead=dead, term=term)
    for term in (1, 101):
        int8_convolution(f"input scale inf, term {term}", (3, 3, 5), 5, scale=np.inf, term=term, dead=0)
    int8_convolution("result scale 0", (3, 3, 5), 5, term=101, result_scale=0)
    int8_convolution("of rows", (4, 5), 3)  # an input of two axes is one channel


def int8_depthwise_convolutions():
    for term in (1, 2, 101, 102):
        for channels in (1, 3, 8, 13, 16):
            int8_convolution(f"{channels} channels, term {term}", (channels, 3, 4), channels,
                             group=channels, pads="4=1", term=term)
        int8_convolution(f"stride 2, term {term}", (5, 4, 5), 5, group=5, stride=(2, 2), pads="4=1",
                         term=term)
        int8_convolution(f"2 groups 4 to 6, term {term}", (4, 3, 5), 6, group=2, pads="4=1", term=term)
        int8_convolution(f"2 groups 16 to 16, term {term}", (16, 2, 3), 16, (1, 1), group=2, term=term)
        int8_convolution(f"3 groups 9 to 3, term {term}", (9, 3, 3), 3, (2, 2), group=3, term=term)
        int8_convolution(f"1 group, term {term}", (3, 3, 4), 4, group=1, term=term)
        int8_convolution(f"no bias, term {term}", (5, 3, 3), 5, group=5, bias=False, term=term)
        for label, activation in ACTIVATIONS:
            int8_convolution(f"activation {label}, term {term}", (5, 3, 4), 5, group=5,
                             extra=activation, term=term)
        for store, label in [(tagged, "fp32"), (half, "fp16")]:
            int8_convolution(f"weights {label}, term {term}", (4, 3, 3), 4, group=4, store=store,
                             term=term)
            int8_convolution(f"weights of 2 groups {label}, term {term}", (4, 3, 3), 4, group=2,
                             store=store, term=term)
    for dead, term in itertools.product((np.inf, 0), (1, 101)):
        # Upstream's own 3 × 3 kernels divide by a scale of 0.
        kernel = (3, 3) if dead else (1, 1)
        int8_convolution(f"scale {dead}, term {term}", (8, 3, 4), 8, kernel, group=8, dead=dead, term=term)
        int8_convolution(f"scale {dead} of 3 groups, term {term}", (6, 3, 4), 9, group=3, dead=dead, term=term)
    int8_convolution("input scale inf", (5, 3, 4), 5, group=5, scale=np.inf)
    int8_convolution("dilation 2", (5, 6, 5), 5, group=5, dilation=(2, 2), pads="4=2")
    int8_convolution("pad value", (5, 3, 4), 5, group=5, pads="4=1 15=2", extra="18=3")


def int8_products():
    file = "Int8InnerProduct"
    for term, (shape, inputs), count in itertools.product(
            (1, 2, 101, 102),
            [((7,), 7), ((2, 2, 3), 12), ((8, 3, 2), 48), ((3, 6), 6), ((8, 5), 5), ((2, 6), 12)],
            (1, 5, 16)):
        name = f"{shape} to {count}, term {term}"
        # Such a layer hands on floats whatever the term: there is no output scale.
        data = generator(file, name).uniform(-1, 1, shape).astype(np.float32)
        weights = int8_weights(file, name, count, inputs * count, count, input_scale(data))
        layers = ["Input in 0 1 in",
                  f"InnerProduct layer 1 1 in out 0={count} 1=1 2={inputs * count} 8={term}"]
        record(file, name, layers, weights, {"in": data}, ["out"])
    for name, store, bias, extra in [
            ("weights fp32", tagged, True, ""), ("weights fp16", half, True, ""),
            ("weights from a table", table, True, ""), ("no bias", int8, False, ""),
            *((f"activation {label}", int8, True, value) for label, value in ACTIVATIONS)]:
        data = generator(file, name).uniform(-1, 1, (3, 2, 2)).astype(np.float32)
        weights = int8_weights(file, name, 5, 60, 5, input_scale(data), bias, store)
        layers = ["Input in 0 1 in",
                  f"InnerProduct layer 1 1 in out 0=5 1={int(bias)} 2=60 8=1 {extra}".rstrip()]
        record(file, name, layers, weights, {"in": data}, ["out"])


    for scale, dead in [(None, np.inf), (None, 0), (np.inf, 0)]:
        name = f"scales {scale} and {dead}"
        data = generator(file, name).uniform(-1, 1, (3, 2, 2)).astype(np.float32)
        weights = int8_weights(file, name, 8, 96, 8, scale or input_scale(data), dead=dead)
        record(file, name, ["Input in 0 1 in", "InnerProduct layer 1 1 in out 0=8 1=1 2=96 8=1 9=1"],
               weights, {"in": data}, ["out"])


def int8_blobs():
    """What layers do with int8 blobs, between one that hands them on and ones that read them."""
    file = "Int8Blobs"

    def chain(name, *layers, channels=(5,), count=6, readers=("out",), shape=(3, 4)):
        inputs, lines, weights = {}, [], b""
        random = generator(file, name)
        for index, size in enumerate(channels):
            inputs[f"in{index}"] = random.uniform(-1, 1, (3, *shape)).astype(np.float32)
            first = [f"Input in{index} 0 1 in{index}",
                     f"Convolution first{index} 1 1 in{index} int{index} 0={size} 1=1 5=1 6={3 * size}"]
            arrays = int8_weights(file, f"{name} {index}", size, 3 * size, size,
                                  input_scale(inputs[f"in{index}"]))
            given = {f"in{index}": inputs[f"in{index}"]}
            scale = output_scale([first[0], f"{first[1]} 8=1"], arrays, given, f"int{index}", packs=False)
            lines += [first[0], f"{first[1]} 8=101"]
            weights += arrays + raw([scale])
        lines += layers
        for reader in readers:
            if reader.endswith("_out"):
                lines.append(f"Convolution {reader} 1 1 {reader[:-4]} {reader} 0=4 1=1 5=1"
                             f" 6={4 * count} 8=1")
                weights += int8_weights(file, f"{name} {reader}", 4, 4 * count, 4, 150.0)
        record(file, name, lines, weights, inputs, list(readers), packs=False)

    for size in (5, 8, 16):
        def one(name, *layers, **options):
            chain(f"{name} of {size}", *layers, channels=(size,), **{"count": size, **options})

        one("split", "Split l 1 2 int0 a b", readers=("a", "b_out"))
        one("split twice", "Split l 1 2 int0 a b", "Split m 1 2 b c d", readers=("a_out", "c_out", "d"))
        one("relu", "ReLU l 1 1 int0 a", readers=("a_out",))
        one("noop", "Noop l 1 1 int0 a", readers=("a_out",))
        one("dropout", "Dropout l 1 1 int0 a", readers=("a_out",))
        one("flatten", "Flatten l 1 1 int0 out")
        one("slice", "Slice l 1 2 int0 a b -23300=2,2,-233", readers=("a", "b_out"), count=size - 2)
        one("slice from the end", "Slice l 1 2 int0 a b -23300=2,1,-233 1=-3",
            readers=("a_out", "b"), count=1)
        one("padding", "Padding l 1 1 int0 a 0=1 1=2 2=0 3=1 5=7", readers=("a_out",))
        one("replicate", "Padding l 1 1 int0 a 0=1 1=1 2=2 3=1 4=1", readers=("a_out",))
        one("reflect", "Padding l 1 1 int0 a 0=1 1=1 2=2 3=1 4=2", readers=("a_out",))
        one("crop", "Crop l 1 1 int0 a 0=1 1=1 3=2 4=2 5=-233" if size == 5 else
            "Crop l 1 1 int0 a 0=1 1=1 2=0 3=2 4=2 5=8", readers=("a_out",), count=min(size, 8))
    chain("reshape", "Reshape l 1 1 int0 out 0=3 1=4 2=5")
    chain("reshape to rows", "Reshape l 1 1 int0 out 0=12 1=5")
    for sizes in ((8, 8), (3, 2), (5, 6, 7), (16, 8)):
        names = " ".join(f"int{index}" for index in range(len(sizes)))
        chain(f"concat {sizes}", f"Concat l {len(sizes)} 1 {names} a", channels=sizes,
              count=sum(sizes), readers=("a_out",))
    chain("concat from the end", "Concat l 2 1 int0 int1 a 0=-3", channels=(3, 4), count=7,
          readers=("a", "a_out"))
    chain("concat of a split", "Split s 1 2 int0 a b", "Concat l 2 1 a b c", channels=(5,), count=10,
          readers=("c_out",))


def sources():
    two = generator("Input", "two blobs").uniform(-1, 1, (2, 3, 5)).astype(np.float32)
    record("Input", "two blobs", ["Input in 0 2 in0 in1 0=5 1=3"], b"", {"in0": two[0], "in1": two[1]}, ["in1", "in0"])
    for parameters, shape in [("0=7 1=3 2=5", (5, 3, 7)), ("0=5 1=3", (3, 5)), ("0=7", (7,)),
                              ("", (3, 2, 4)), ("", (2, 4)), ("", (3,))]:
        case("Input", f"{parameters or 'open'} given {shape}", parameters, shape)
        if parameters:
            data = spread("MemoryData", parameters, int(np.prod(shape)))
            case("MemoryData", parameters, parameters, weights=raw(data))
            case("MemoryData", f"{parameters} fp16", f"{parameters} 21=0", weights=half(data))
            case("MemoryData", f"{parameters} tagged", f"{parameters} 21=0", weights=tagged(data))


# Blobs of four axes, and sizes that are computed.


def four_axes():
    shape = (3, 2, 4, 5)
    for order in range(24):
        case("Permute", f"{order} of {shape}", f"0={order}", shape)
    for axis in range(-4, 4):
        other = [*shape]
        other[axis] = 2
        case("Concat", f"axis {axis} of {[shape, tuple(other)]}", f"0={axis}", shape, tuple(other))
        case("Slice", f"axis {axis} of {shape}", f"-23300=2,1,-233 1={axis}", shape, outputs=2)
        case("Softmax", f"axis {axis} of {shape}", f"0={axis} 1=1", shape, low=-4, high=4)
    case("Flatten", f"{shape}", "", shape)
    case("Split", f"2 of {shape}", "", shape, outputs=2)
    case("ShuffleChannel", f"2 groups of {(6, 2, 2, 3)}", "0=2", (6, 2, 2, 3))
    for form in ["0=5 1=4 11=2 2=3", "0=0 1=0 11=0 2=0", "0=4 1=-1 11=1 2=3", "0=-1 1=2 11=3 2=2", "0=-1",
                 "0=10 1=12", "0=0 1=-1", "0=4 1=5 2=6", "0=0 1=-1 2=0"]:
        case("Reshape", f"{form} of {shape}", form, shape)
    case("Reshape", "0=0 1=0 11=-1 2=2 of (4, 5, 6)", "0=0 1=0 11=-1 2=2", (4, 5, 6))
    # A batch of 1 among the axes, as pnnx writes it.
    for form, given in [
        ('12=0 13=0 6="1,1,//(8,0n),0n"', (8,)), ('12=0 13=0 6="0w,0h,0n"', (1, 4, 5)),
        ('12=0 13=0 6="0w,0h,0d,0c,0n"', (2, 2, 4, 5)), ('12=0 6="0w,0h,0c,0n"', (2, 4, 5)),
        ('12=233 13=-4 6="1,1,8,1"', (8,)), ('13=-1 6="1,1,1,8"', (8,)), ("12=0 13=0 0=1 1=8 2=1", (8,)),
        ('12=0 13=0 6="0,0,0"', (4, 5)), ('12=0 6="0,0,0"', (4, 5)), ('12=1 13=1 6="0,0,0"', (4, 5)),
        ('12=-1 13=-1 6="0,0,0"', (4, 5)), ('12=0 13=0 6="-1,4,0n"', (4, 5)),
        ('12=0 13=0 6="5,4,-1"', (4, 5))]:
        case("Reshape", f"{form} of {given}", form, given)

    for label, number in [("constant", 0), ("replicate", 1), ("reflect", 2)]:
        for depth in ["", "7=1 8=1"]:
            sides = f"0=1 1=2 2=1 3=3 {depth}".strip()
            case("Padding", f"{label} {sides} of {shape}", f"{sides} 4={number} 5=1.5", shape)
    case("Padding", f"per channel of {shape}", "0=1 1=2 2=1 3=3 6=3 7=1 8=2", shape,
         weights=raw(spread("Padding", f"per channel of {shape}", 3)))
    for form in ["0=1 1=1 13=1 2=1 3=3 4=-233 14=1 5=-233", "0=1 1=1 2=1 3=-233 4=-233 14=-233 5=-233 6=1 7=1 15=1 8=1",
                 "3=5 4=4 14=99 5=3"]:
        case("Crop", f"{form} of {shape}", form, shape)
    for starts, ends, axes in [((1, 1, 2, -2), (3, -233, 99, -1), ()), ((1,), (2,), (1,)), ((-2, 0), (-233, 1), (-1, 1))]:
        parameters = f"-23309={len(starts)},{text(starts)} -23310={len(ends)},{text(ends)}"
        if axes:
            parameters += f" -23311={len(axes)},{text(axes)}"
        case("Crop", f"from {starts} to {ends} along {axes} of {shape}", parameters, shape)
    for first, reference in [(shape, (2, 1, 3, 4)), (shape, (2, 3, 4)), (shape, (3, 4)), (shape, (4,)),
                             ((5, 4, 6), (2, 9, 3, 4)), ((4, 6), (2, 9, 3, 4)), ((6,), (2, 9, 3, 4))]:
        case("Crop", f"reference {reference} of {first}", "", first, reference)
    case("Crop", f"reference (2, 1, 3, 4) of {shape} from an offset", "0=1 1=1 2=1 13=1", shape, (2, 1, 3, 4))

    for kind in ["Swish", "Sigmoid", "ReLU", "HardSwish", "HardSigmoid", "Dropout", "Clip", "ELU", "GELU", "Mish",
                 "TanH", "Noop", "UnaryOp"]:
        case(kind, f"{shape}", "", shape, low=-6, high=6)
    for count in (1, 3):
        name = f"{count} slopes of {shape}"
        case("PReLU", name, f"0={count}", shape, weights=raw(spread("PReLU", name, count)))
    case("BinaryOp", f"multiply {shape} by a number", "0=2 1=1 2=-1.5", shape)
    for other in [shape, (1, 1, 1, 1), (3, 1, 1, 1), (1, 2, 4, 5), (3, 2, 4, 1), (3, 1, 4, 5), (1, 2, 1, 5), (3, 2, 4),
                  (3, 1, 4), (1, 2, 1), (3, 2), (3, 1), (3,), (5,), (1,)]:
        case("BinaryOp", f"subtract {other} from {shape}", "0=1", shape, other)
        case("BinaryOp", f"subtract {shape} from {other}", "0=1", other, shape)
    for name, parameters in [("product", "0=0"), ("sum", "0=1"), ("maximum", "0=2")]:
        case("Eltwise", f"{name} of 2 {shape}", parameters, shape, shape)
    for count, keeps in itertools.product(range(1, 5), (0, 1)):
        for axes in itertools.combinations(range(4), count):
            case("Reduction", f"3 of {shape} along {axes}{' kept' * keeps}",
                 f"0=3 1=0 -23303={len(axes)},{text(axes)} 5=1 4={keeps}", shape)
    case("Reduction", f"4 of {shape} along all", "0=4 1=1", shape)

    data = spread("BatchNorm", f"{shape}", 9)
    case("BatchNorm", f"{shape}", "0=3", shape, weights=raw(data[:6]) + raw(np.abs(data[:3]) + 0.5) + raw(data[6:]))
    case("Scale", f"{shape} with bias", "0=3 1=1", shape, weights=raw(data[:6]))
    case("Bias", f"{shape}", "0=3", shape, weights=raw(data[:3]))
    case("GroupNorm", f"3 groups of {(6, 2, 2, 3)}", "0=3 1=6 2=0.01 3=0", (6, 2, 2, 3))
    case("InstanceNorm", f"{shape} affine", "0=3 1=0.01 2=1", shape, weights=raw(data[:6]))
    case("InnerProduct", f"{shape} to 4", "0=4 2=480", shape,
         weights=tagged(spread("InnerProduct", f"{shape} to 4", 480) / 11))
    for parameters in ["0=1 1=1 11=1 2=1", "11=1", "2=1", "-23303=2,0,-1", "-23303=2,1,2", ""]:
        for other in [(1, 2, 4, 1), (1, 1, 1, 1), (3, 1, 1, 5)]:
            case("Squeeze", f"{parameters} of {other}", parameters, other)
    for axes, other in [((1,), (3, 4, 5)), ((-1,), (3, 4, 5)), ((0, 3), (3, 4)), ((0, -1, 1), (5,))]:
        case("ExpandDims", f"{axes} of {other}", f"-23303={len(axes)},{text(axes)}", other)
    for count, repeats in [(4, (2, 1, 3, 1)), (4, (1, 2, 1, 2)), (4, (3, 2, 1, 1)), (3, (2, 1, 2)), (1, (3,))]:
        case("Tile", f"{repeats} of {shape}", f"-23302={count},{text(repeats)}", shape)
    for repeats in [(1, 1, 1, 1), (2, 3, 1, 2)]:
        case("Tile", f"{repeats} of three axes", f"-23302=4,{text(repeats)}", (2, 3, 4))
    for axis in range(-4, 4):
        case("Tile", f"axis {axis} of {shape}", f"0={axis} 1=2", shape) if axis >= 0 else None
        case("CumulativeSum", f"{axis} {shape}", f"0={axis}", shape)
        case("GLU", f"{axis} {(4, 2, 6, 8)}", f"0={axis}", (4, 2, 6, 8))
    for count in range(1, 5):
        for axes in itertools.combinations(range(4), count):
            axes = [axis - 4 * (index % 2) for index, axis in enumerate(axes)]
            case("Flip", f"{axes} of {shape}", f"-23300={count},{text(axes)}", shape)
    for kind, count in (("LayerNorm", 2), ("RMSNorm", 1)):
        for size in (5, 20, 40):
            data = raw(spread(kind, f"{size} of {shape}", count * size))
            case(kind, f"{size} of {shape}", f"0={size}", shape, weights=data)
        case(kind, f"7 of {shape}, not affine", "0=7 2=0", shape)
    for pixels, channels, shared in itertools.product((0, 1), (0, 1), (0, 1)):
        label = f"{pixels} {channels} {shared} of {shape}"
        count = 1 if shared else 3
        case("Normalize", label, f"0={pixels} 4={channels} 1={shared} 9=0 2=0.01 3={count}", shape,
             weights=raw(spread("Normalize", label, count)))
    for variance, across in itertools.product((0, 1), (0, 1)):
        case("MVN", f"{variance} {across} {shape}", f"0={variance} 1={across} 2=0.01", shape)
    for part in [(2, 2, 3, 4), (1, 1, 1, 1), (4, 3, 5, 6)]:
        for start in ["", "0=1 1=1 13=1 2=1", "0=2"] + ["13=2"] * (part[1] == 1) + ["-23309=4,2,1,0,2", "-23309=2,1,-3 -23311=2,-3,3"] * (part[-1] < 4):
            case("CopyTo", f"{part} to {start}", start, (4, 3, 5, 6), part)
    case("CopyTo", "a depth of three axes", "13=1 1=1", (4, 5, 6), (2, 3, 4))
    for first, second in [((2, 3, 4, 5), (2, 3, 5, 6)), ((1, 3, 4, 5), (2, 1, 5, 6)), ((2, 1, 4, 5), (1, 3, 5, 6)),
                          ((3, 4, 5), (2, 3, 5, 6)), ((2, 3, 4, 5), (1, 5, 6)), ((4, 5), (2, 3, 5, 6)),
                          ((2, 3, 4, 5), (5, 6)), ((5,), (2, 3, 5, 6)), ((2, 3, 4, 5), (5,))]:
        case("MatMul", f"{first} by {second}", "", first, second)
        if len(second) > 1:
            turned = (*second[:-2], second[-1], second[-2])
            case("MatMul", f"{first} by {turned} transposed", "0=1", first, turned)
    parameters = "0=5 1=4 11=2 2=3"
    case("Input", f"{parameters} given {shape}", parameters, shape)
    case("MemoryData", parameters, parameters, weights=raw(spread("MemoryData", parameters, 120)))


def expressions():
    for form, *shapes in [
        ("1w,1h,2", (3, 8), (4, 3)), ("0w,-1", (2, 3, 4)), ("1w,1h,1d,1c", (4, 15), (2, 3, 2, 5)),
        ("//(0w,2),*(0h,2),0c", (2, 3, 4)), ("/(0w,2),*(0h,2),0c", (2, 3, 4)), ("round(/(1w,4)),-1", (2, 3, 4), (6,)),
        ("ceil(/(0h,2)),floor(/(0w,3)),-1", (2, 3, 4)), ("trunc(2.9),-1", (2, 3, 4)), ("max(0w,0h),min(0c,7),-1", (2, 3, 4)),
        ("neg(-(0w,6)),abs(-3),square(2)", (2, 3, 4)), ("*(0w,0.5),-1", (2, 3, 4)), ("0,0,-1", (2, 3, 4)),
        ("sqrt(0w),-1", (2, 3, 4)), ("+(0c,sign(0h)),-1", (2, 3, 4)), ("//(-(0h,8),-3.0),-1", (2, 3, 4)),
    ]:
        case("Reshape", f"{form} of {shapes}", f'6="{form}"', *shapes)
    for form in ["pow(2,3)", "fmod(7,4)", "remainder(-7,4)", "remainder(-8,4)", "exp(log(0w))", "exp(1.5)", "and(0w,6)",
                 "or(0w,8)", "xor(0w,3)", "lshift(1,2)", "rshift(16,2)", "neg(rshift(-16,2))", "and(7.0,3)",
                 "*(4,sin(1.5707964))", "*(4,cos(0))", "*(4,tan(1))", "*(2,acos(0))", "*(3,asin(1))", "*(4,atan(9))",
                 "*(2,atan2(1,-1))", "sinh(2)", "cosh(2)", "*(4,tanh(20))", "asinh(30)", "acosh(30)", "*(2,atanh(0.9))",
                 "*(4,erf(3))", "reciprocal(0.25)", "rsqrt(0.0625)", "log10(100000)", "logaddexp(2,2)",
                 "logaddexp(3,1.5)", "pow(8,/(1,3))", "round(pow(64,/(1,3)))", "//(log(64),log(2))", "pow(0w,2)"]:
        case("Reshape", f"{form}, -1", f'6="{form},-1"', (12, 10, 2))
    for starts, ends, axes, *shapes in [
        ("1", "3", "1", (5, 6, 7)), ("1,1", "3,1w", "0,2", (5, 6, 7), (4,)), ("//(0w,2)", "-1", "-1", (5, 6, 7)),
        ("0", "-233", "1", (5, 6)), ("-(1h,1)", "99", "0", (7,), (4, 2)),
        ("1,0", "2,*(0c,1)", "0,3", (2, 3, 2, 4)),
    ]:
        case("Crop", f"from {starts} to {ends} along {axes} of {shapes}", f'19="{starts}" 20="{ends}" 21="{axes}"',
             *shapes)
    for method, form in itertools.product((1, 2, 3), ("*(0w,2),*(0h,2)", "8,9", "7", "0w,0h")):
        for shape in [(2, 3, 5), (3, 5), (5,)]:
            case("Interp", f"{method} to {form} of {shape}", f'0={method} 9="{form}"', shape)
    for method in (1, 2, 3):
        case("Interp", f"{method} to the size of another", f'0={method} 1=3.0 9="1w,1h"', (2, 3, 5), (4, 7, 8))


def functions():
    shapes = [(3, 3, 5), (4, 6), (7,)]
    for kind, options in {
        "AbsVal": [""], "BNLL": [""], "Erf": [""], "Softplus": [""],
        "CELU": ["", "0=0.5"], "SELU": ["", "0=1.2 1=0.9"], "Shrink": ["0=0.2 1=0.3", ""],
        "Threshold": ["", "0=0.4"], "Exp": ["", "0=2.5 1=0.7 2=-0.3", "1=0.5"],
        "Log": ["1=0.3 2=1.5", "0=10 1=0.5 2=2"], "Power": ["", "0=2.5 1=0.4 2=1.3", "0=-1 2=3"],
    }.items():
        for parameters, shape in itertools.product(options, shapes):
            case(kind, f"{parameters} {shape}", parameters, shape, low=-2.0, high=2.0)
    for number in range(20, 28):
        low, high = {25: (1.1, 4), 26: (-0.9, 0.9), 27: (-0.9, 4)}.get(number, (-3, 3))
        for shape in shapes:
            case("UnaryOp", f"{number} {shape}", f"0={number}", shape, low=low, high=high)
    # Quotients that are whole, or nearly, depend on how upstream divides.
    for number in range(12, 19):
        case("BinaryOp", f"{number} of vectors", f"0={number}", (12,), (12,), low=0.3, high=4.0)
        case("BinaryOp", f"{number} with scalar", f"0={number} 1=1 2=0.71", (3, 3, 5), low=-4.0, high=4.0)
    for kind in ("Cast", "DeepCopy", "Packing"):
        for shape in shapes:
            case(kind, f"{shape}", {"Cast": "0=1 1=1", "Packing": "0=1"}.get(kind, ""), shape)
    case("Noop", "two blobs", "", (3, 4), (5,))


def matrices():
    for first, second in [((5,), (5,)), ((4, 5), (5, 3)), ((5,), (5, 3)), ((4, 5), (5,)),
                          ((5,), (2, 5, 3)), ((2, 4, 5), (5,)), ((2, 4, 5), (2, 5, 3)),
                          ((1, 4, 5), (3, 5, 2)), ((3, 4, 5), (1, 5, 2)), ((4, 5), (3, 5, 2)),
                          ((3, 4, 5), (5, 2)), ((7, 16), (16, 9))]:
        case("MatMul", f"{first} {second}", "", first, second)
        turned = second if len(second) == 1 else (*second[:-2], second[-1], second[-2])
        case("MatMul", f"{first} {turned} transposed", "0=1", first, turned)
    for label, parameters, *shapes in [
        ("plain", "", (4, 5), (5, 3)), ("factors", "0=0.7 1=1.3", (4, 5), (5, 3), (4, 3)),
        ("transposed", "2=1 3=1", (5, 4), (3, 5)), ("row", "", (4, 5), (5, 3), (3,)),
        ("column", "0=0.5", (4, 5), (5, 3), (4, 1)), ("rows", "", (4, 5), (5, 3), (4,)),
        ("one", "1=2", (4, 5), (5, 3), (1,)), ("matrix row", "", (4, 5), (5, 3), (1, 3)),
        ("square", "", (4, 5), (5, 4), (4,)), ("result transposed", "14=1", (4, 5), (5, 3)),
        ("three axes", "11=1", (4, 5), (5, 3)), ("both", "11=1 14=1", (4, 5), (5, 3)),
        ("of channels", "", (4, 1, 5), (5, 3)), ("of channels, transposed", "3=1", (4, 1, 5), (3, 1, 5)),
    ]:
        case("Gemm", label, parameters, *shapes)
    m, n, k = 4, 3, 5

    def gemm(label, parameters, *shapes, a=None, b=None, c=None):
        data = b"".join(tagged(spread("Gemm", f"{label} {array}", size))
                        for array, size in (("a", a), ("b", b), ("c", c)) if size)
        case("Gemm", label, f"7={m} 8={n} 9={k} {parameters}", *shapes, weights=data)

    gemm("stored b", "5=1", (m, k), b=k * n)
    gemm("stored b transposed", "5=1 3=1 0=0.5", (m, k), b=k * n)
    gemm("stored a", "4=1", (k, n), a=m * k)
    gemm("stored a transposed", "4=1 2=1", (k, n), (n,), a=m * k)
    for number, size in enumerate([1, m, m, m * n, n]):
        gemm(f"stored c {number}", f"6=1 10={number} 0=0.6 1=1.5", (m, k), (k, n), c=size)
        gemm(f"stored b and c {number}", f"5=1 3=1 6=1 10={number} 1=0.5", (m, k), b=k * n, c=size)
    gemm("no c", "6=1 10=-1", (m, k), (k, n))
    gemm("stored b, c given", "5=1 3=1", (m, k), (n,), b=k * n)
    for equation, *shapes in [("ik,kj->ij", (3, 4), (4, 5)), ("ijk,k->ij", (2, 3, 4), (4,)),
                              ("ij,ij->i", (3, 4), (3, 4)), ("ijl,ikl->ijk", (2, 3, 5), (2, 4, 5)),
                              ("i,j->ij", (3,), (4,)), ("ij,kj,k->i", (2, 3), (4, 3), (4,)),
                              ("ijkl->ij", (2, 3, 4, 5)), ("ijkl,jlk->ij", (2, 3, 4, 5), (3, 5, 4)),
                              ("ijk,lk->ijkl", (2, 1, 4), (3, 4)), ("imkl,ijm->ijkl", (2, 3, 2, 4), (2, 3, 3)),
                              ("ijop,klop->ijkl", (2, 3, 2, 3), (2, 2, 2, 3))]:
        letters = [ord(letter) for letter in equation]
        case("Einsum", equation, f"-23300={len(letters)},{text(letters)}", *shapes)


def attentions():
    def heads(label, width, count, rows, *shapes, kdim=None, vdim=None, extra=""):
        kdim, vdim = kdim or width, vdim or width
        sizes = [(width, rows), (width, kdim), (width, vdim), (rows, width)]
        data = b"".join(
            tagged(spread("MultiHeadAttention", f"{label} {number}", a * b) / np.sqrt(b))
            + raw(spread("MultiHeadAttention", f"{label} bias {number}", a))
            for number, (a, b) in enumerate(sizes))
        case("MultiHeadAttention", label, f"0={width} 1={count} 2={width * rows} 3={kdim} 4={vdim} {extra}",
             *shapes, weights=data)

    heads("self", 8, 2, 8, (5, 8))
    heads("self, one head", 6, 1, 6, (4, 6))
    heads("cross", 8, 4, 8, (5, 8), (7, 8))
    heads("three inputs", 8, 2, 8, (5, 8), (7, 6), (7, 10), kdim=6, vdim=10)
    heads("other queries", 8, 2, 12, (5, 12), (7, 8), (7, 8))
    heads("mask", 8, 2, 8, (5, 8), (5, 5), extra="5=1")
    heads("mask of each head", 8, 2, 8, (5, 8), (7, 8), (2, 5, 7), extra="5=1")
    heads("scale", 8, 2, 8, (5, 8), extra="6=0.9")
    for label, parameters, *shapes in [
        ("plain", "", (2, 5, 8), (2, 7, 8), (2, 7, 6)), ("scale", "6=0.3", (3, 4, 5), (3, 4, 5), (3, 4, 5)),
        ("groups", "", (4, 5, 8), (2, 7, 8), (2, 7, 8)), ("mask", "5=1", (2, 5, 8), (2, 7, 8), (2, 7, 6), (5, 7)),
        ("mask of each head", "5=1", (2, 5, 8), (2, 7, 8), (2, 7, 6), (2, 5, 7)),
        ("mask of one head", "5=1", (2, 5, 8), (2, 7, 8), (2, 7, 6), (1, 5, 7)),
    ]:
        case("SDPA", label, parameters, *shapes)
    for direction, hidden, states in itertools.product(range(3), (4, 6), (False, True)):
        directions = 2 if direction == 2 else 1
        label = f"direction {direction}, cells {hidden}{', states' if states else ''}"
        gates = directions * 4 * hidden
        sizes = [gates * 5, gates, gates * 4] + ([directions * 4 * hidden] if hidden != 4 else [])
        data = b"".join(tagged(spread("LSTM", f"{label} {number}", size))
                        for number, size in enumerate(sizes))
        shapes = [(7, 5)] + ([(directions, 4), (directions, hidden)] if states else [])
        case("LSTM", label, f"0=4 1={gates * 5} 2={direction} 3={hidden}", *shapes,
             outputs=3 if states else 1, weights=data)
    for kind, rows, biases in (("GRU", 3, 4), ("RNN", 1, 1)):
        for direction, states in itertools.product((0, 1, 2), (False, True)):
            label = f"{direction} {states}"
            directions = 2 if direction == 2 else 1
            gates = directions * rows * 4
            data = b"".join(tagged(spread(kind, f"{label} {number}", size))
                            for number, size in enumerate((gates * 5, directions * biases * 4, gates * 4)))
            case(kind, label, f"0=4 1={gates * 5} 2={direction}", *[(7, 5), (directions, 4)][:1 + states],
                 outputs=1 + states, weights=data)


def axes():
    for shape in [(1,), (5,), (1, 5), (5, 1), (1, 1), (1, 1, 1), (1, 3, 1), (2, 1, 3), (3, 1, 1), (2, 3, 4)]:
        for parameters in ["0=1", "1=1", "2=1", "0=1 1=1 2=1", "-23303=1,0", "-23303=1,-1", "-23303=2,0,-1"]:
            case("Squeeze", f"{parameters} {shape}", parameters, shape)
    for parameters in ["-23303=1,0", "-23303=1,1", "-23303=1,-1", "-23303=1,-2", "-23303=2,0,1", "-23303=2,0,-1",
                       "-23303=2,-1,-2", "0=1 1=1"]:
        case("ExpandDims", f"{parameters} (5,)", parameters, (5,))
    for parameters in ["-23303=1,0", "-23303=1,1", "-23303=1,2", "-23303=1,-1", "-23303=1,-2"]:
        case("ExpandDims", f"{parameters} (3, 5)", parameters, (3, 5))
    for shape in [(3,), (2, 3), (2, 2, 3), (3, 5, 7)]:
        for axis in range(len(shape)):
            case("Tile", f"axis {axis} {shape}", f"0={axis} 1=3", shape)
        for repeats in [(2,), (2, 1), (1, 2), (2, 1, 1), (1, 2, 1), (1, 2, 2), (2, 1, 2), (3, 2, 1)]:
            case("Tile", f"{repeats} {shape}", f"-23302={len(repeats)},{text(repeats)}", shape)
        for selected in [(0,), (-1,), (), *([(1,), (0, 1), (0, -1)] if len(shape) > 1 else []),
                         *([(0, 1, 2), (-3,), (1, 2)] if len(shape) > 2 else [])]:
            case("Flip", f"{selected} {shape}", f"-23300={len(selected)},{text(selected)}" if selected else "", shape)
    for label, parameters, *shapes in [
        ("vector", "0=2", (7,), (3,)), ("matrix", "0=1 1=2", (5, 6), (2, 3)),
        ("channels", "0=1 1=1 2=1", (3, 4, 5), (2, 2, 3)), ("whole", "0=1", (3, 4, 5), (3, 4, 5)),
        ("starts", "-23309=3,1,0,2", (3, 4, 5), (2, 3, 2)), ("starts of axes", "-23309=1,-2 -23311=1,-1", (3, 5), (3, 2)),
        ("starts from the end", "-23309=2,-3,-233 -23311=2,1,2", (3, 4, 5), (1, 2, 5)),
    ]:
        case("CopyTo", label, parameters, *shapes)
    for shape, offset in itertools.product([(3,), (3, 4), (5, 3)], (0, 1, -1, 2, -2)):
        case("Diag", f"{offset} {shape}", f"0={offset}", shape)
    for parameters, shape in itertools.product(["0=2", "0=2 1=1", "0=3"], [(2, 4, 5), (3, 6, 7), (4, 3, 3)]):
        case("Reorg", f"{parameters} {shape}", parameters, shape)
    windows = ["1=3 4=1", "1=2 3=2", "1=3 11=2 2=2 12=1 4=1 14=0", "1=3 4=1 15=2 14=0 16=1 18=0.5", "1=3 3=2 4=-233",
               "1=3 3=2 4=-234"]
    for parameters, shape in itertools.product(windows, [(3, 5, 7), (2, 4, 6)]):
        case("Unfold", f"{parameters} {shape}", parameters, shape)
    for parameters, shape in [("1=3 4=1 20=7 21=5", (18, 35)), ("1=2 3=2 20=6 21=4", (8, 6)),
                              ("1=3 11=2 2=2 12=1 4=1 14=0 20=7 21=5", (12, 20)),
                              ("1=3 4=1 15=2 14=0 16=1 20=6", (9, 35))]:
        case("Fold", f"{parameters} {shape}", parameters, shape)
    for shape in [(8,), (6, 4), (4, 6, 2)]:
        for axis in [*range(len(shape)), -1]:
            case("CumulativeSum", f"{axis} {shape}", f"0={axis}", shape)
            case("GLU", f"{axis} {shape}", f"0={axis}", shape)


def rows():
    def convolution1d(label, shape, count, parameters="", kernel=3, group=None):
        size = count * shape[0] // (group or 1) * kernel
        kind = "ConvolutionDepthWise1D" if group else "Convolution1D"
        data = tagged(spread(kind, label, size) / np.sqrt(size / count)) + raw(spread(kind, f"{label} bias", count))
        case(kind, label, f"0={count} 1={kernel} 5=1 6={size} {parameters}" + (f" 7={group}" if group else ""), shape,
             weights=data)

    for group in (None, 4):
        for parameters in ("", "4=1", "3=2 4=1", "2=2 4=2 15=1", "4=-233 3=2", "4=-234 3=2", "4=1 18=0.5", "9=1"):
            convolution1d(f"{parameters or 'plain'}", (4, 9), 8, parameters, group=group)
        convolution1d("1", (4, 5), 4, kernel=1, group=group)
    for kind, group in (("Deconvolution1D", 1), ("DeconvolutionDepthWise1D", 4), ("DeconvolutionDepthWise1D", 2)):
        for parameters in ("", "3=2", "3=2 4=1", "2=2 4=2 15=1", "3=2 18=1", "3=2 20=17 4=-233", "3=2 20=18 4=-234", "9=1"):
            label, size = f"{parameters or 'plain'} of {group}", 8 * 4 // group * 3
            data = tagged(spread(kind, label, size) / 2) + raw(spread(kind, f"{label} bias", 8))
            case(kind, label, f"0=8 1=3 5=1 6={size} {parameters}" + (f" 7={group}" if group > 1 else ""), (4, 9),
                 weights=data)
    for method in (0, 1):
        for parameters in ("1=2 2=2", "1=3 2=2 3=1", "1=3 2=2 3=1 5=1", "1=3 2=2 5=2", "1=3 2=2 5=3", "4=1", "7=1 8=3",
                           "1=3 2=2 3=1 6=1"):
            for shape in [(3, 9), (5, 8)]:
                case("Pooling1D", f"{method} {parameters} {shape}", f"0={method} {parameters}", shape)


def more_normalisations():
    for kind, count in (("LayerNorm", 2), ("RMSNorm", 1)):
        for shape, size in [((7,), 7), ((4, 6), 6), ((3, 4, 5), 5), ((3, 4, 5), 20)]:
            data = b"".join(raw(spread(kind, f"{shape} {size} {number}", size)) for number in range(count))
            case(kind, f"{shape} of {size}", f"0={size}", shape, weights=data)
            case(kind, f"{shape} of {size}, not affine", f"0={size} 1=0.01 2=0", shape)
    for region, size, shape in itertools.product((0, 1), (1, 3, 4, 5), [(7, 3, 4), (3, 5, 6)]):
        case("LRN", f"{region} {size} {shape}", f"0={region} 1={size} 2=0.8 3=0.6", shape)
    case("LRN", "bias", "1=3 2=0.5 4=2", (5, 3, 4))
    for pixels, channels, shared, mode in itertools.product((0, 1), (0, 1), (0, 1), (0, 1, 2)):
        label = f"{pixels} {channels} {shared} {mode}"
        count = 1 if shared else 4
        case("Normalize", label, f"0={pixels} 4={channels} 1={shared} 9={mode} 2=0.01 3={count}", (4, 3, 5),
             weights=raw(spread("Normalize", label, count)))
    for variance, across, shape in itertools.product((0, 1), (0, 1), [(6,), (3, 5), (4, 3, 5)]):
        case("MVN", f"{variance} {across} {shape}", f"0={variance} 1={across} 2=0.01", shape)
    for shape in [(3, 3, 5), (5, 4, 2)]:
        case("InstanceNorm", f"no channels {shape}", "0=0 2=0", shape)


def variants():
    sides = ["2=-1", "3=-2", "0=-1 1=-1", "0=1 1=-1", "2=-1 3=1", "7=-1", "8=-1", "2=-2 3=1 0=1 1=-1 5=9", "2=-1 4=1",
             "2=-1 4=2 3=1"]
    for parameters, shape in itertools.product(sides, [(7,), (5, 7), (3, 5, 7)]):
        case("Padding", f"{parameters} {shape}", parameters, shape)
    for sides in ["0=-2 1=1", "0=-1 1=2 4=1", "0=-2 1=2 2=1 4=1"]:
        for shape in [(5, 7), (3, 5, 7), (2, 3, 5, 7)]:
            case("Padding", f"rows above cut off, {sides} {shape}", f"{sides} 5=9", shape)
    for axis, shape in [(0, (7, 3)), (1, (3, 7)), (0, (7, 2, 3)), (1, (3, 7, 2)), (0, (7, 1, 2, 3)), (1, (3, 7, 2, 2))]:
        case("Slice", f"left over of axis {axis} of {shape}", f"-23300=2,1,2 1={axis}", shape, outputs=2)
    for first, second, transposed in [((5,), (5, 6), 0), ((5,), (6, 5), 1), ((3, 5), (5,), 1), ((4, 1, 5), (5, 1, 6), 0)]:
        case("Gemm", f"{first} by {second}, {transposed}", f"3={transposed} 6=1 10=-1", first, second)
    for shape in [(5,), (3, 5)]:
        case("Bias", f"first of {shape}", "0=3", shape, weights=raw([0.5, 0.25, -1]))
    for method, shape, reference in itertools.product(
            (1, 2, 3), [(2, 3, 4), (3, 4), (4,)], [(2, 6, 8), (6, 8), (1, 5, 3)]):
        case("Interp", f"{method} {shape} like {reference}", f"0={method} 5=1", shape, reference)
    case("Interp", "corners, like another", "0=2 6=1 5=1", (2, 3, 4), (2, 7, 5))


def blob_weights():
    """Windows whose weights are the second input; the parameters' channels and kernel count for nothing."""
    for bias, (label, shape, weights, options) in itertools.product((0, 1), [
            ("3x3", (3, 5, 6), (4, 3, 3, 3), "0=9 1=1 4=1 6=7 9=1"), ("8 to 16", (8, 3, 4), (16, 8, 1, 1), ""),
            ("2x3, stride 2", (4, 5, 7), (5, 4, 2, 3), "3=2 13=1 9=2 -23310=1,0.1"),
            ("same", (3, 5, 6), (4, 3, 3, 2), "4=-233"), ("of rows", (5, 6), (4, 1, 3, 3), "2=2"),
            ("three axes", (1, 5, 6), (4, 3, 3), "18=0.5 4=1")]):
        shapes = [shape, weights, (weights[0],)][:2 + bias]
        case("Convolution", f"weights from a blob, {label}, {bias}", f"{options} 5={bias} 19=1", *shapes)
    for label, shape, weights, group, options in [
            ("4", (4, 5, 6), (4, 1, 3, 3), 4, "4=1"), ("8", (8, 3, 4), (8, 3, 3), 8, "9=1"),
            ("2 groups", (6, 5, 4), (4, 3, 3, 2), 2, "3=2")]:
        for bias in (0, 1):
            shapes = [shape, weights, (1, weights[0])][:2 + bias]
            case("ConvolutionDepthWise", f"weights from a blob, {label}, {bias}", f"{options} 7={group} 5={bias} 19=1",
                 *shapes)
    case("Convolution1D", "weights from a blob", "4=1 5=1 9=1 19=1", (3, 7), (4, 3, 3), (4,))
    case("ConvolutionDepthWise1D", "weights from a blob", "3=2 7=2 19=1", (4, 7), (6, 2, 3))
    for bias in (0, 1):
        shapes = [(3, 5, 4), (3, 4, 3, 2), (4,)][:2 + bias]
        case("Deconvolution", f"weights from a blob, {bias}", f"3=2 4=1 18=1 5={bias} 28=1 9=1", *shapes)
        shapes = [(6, 3, 4), (6, 3, 2, 2), (6,)][:2 + bias]
        case("DeconvolutionDepthWise", f"weights from a blob, {bias}", f"3=2 7=2 5={bias} 28=1", *shapes)
    case("Deconvolution1D", "weights from a blob", "3=2 28=1", (3, 7), (3, 4, 3))
    case("DeconvolutionDepthWise1D", "weights from a blob", "3=2 7=4 28=1", (4, 7), (4, 1, 3))


def embeds():
    """Indices are integers in the bits of floats; those beyond the rows are clamped."""
    indices = np.array([0, 3, 9, 2, 10, 5000], np.int32).view(np.float32)
    for bias, (label, store, scale) in itertools.product(
            (0, 1), [("fp32", tagged, b""), ("fp16", half, b""), ("table", table, b""), ("int8", int8, raw([40.5]))]):
        name = f"{label}, {bias}"
        rows = spread("Embed", name, 50) if store is not int8 else np.rint(spread("Embed", name, 50) * 127)
        weights = store(rows) + (raw(spread("Embed", f"{name} bias", 5)) if bias else b"") + scale
        layers = ["Input in 0 1 in", f"Embed layer 1 1 in out 0=5 1=10 2={bias} 3=50 18={2 if scale else 0}"]
        record("Embed", name, layers, weights, {"in": indices}, ["out"])


def grid_samples():
    shapes = {3: ((3, 4, 5), (3, 6), 2), 4: ((2, 3, 4, 5), (2, 3, 4), 3)}
    for axes, method, outside, corners, permuted in itertools.product((3, 4), (1, 2, 3), (1, 2, 3), (0, 1), (0, 1)):
        shape, points, count = shapes[axes]
        if axes == 4 and method == 3:
            continue
        grid = (count, *points) if permuted else (*points, count)
        parameters = f"0={method} 1={outside} 2={corners} 3={permuted}"
        case("GridSample", f"{axes} axes, {parameters}", parameters, shape, grid, low=-1.6, high=1.6)
        # Upstream's vectors forget to clamp what they have reflected where corners are aligned and axes permuted.
        if outside == 3 and axes == 3 and not (corners and permuted):
            case("GridSample", f"{axes} axes, far, {parameters}", parameters, (8, 4, 5), grid, low=-9, high=9)


def detections():
    """What decodes boxes. Upstream's results are as long as there are boxes; rows of zeros are added."""
    def padded(kind, label, parameters, inputs, count):
        layers = [f"Input {name} 0 1 {name}" for name in inputs]
        layers.append(f"{kind} layer {len(inputs)} 1 {' '.join(inputs)} out {parameters}")
        record(kind, label, layers, b"", inputs, ["out"], rows=count)

    priors = ["-23300=1,20.0 -23301=1,35.0 -23302=1,2", "-23300=2,10.0,24.0 -23302=2,2.0,3.0 8=1", "-23300=1,20.0 -23302=1,0.5 7=0",
              "-23300=2,10.0,24.0 -23301=2,16.0,40.0 -23302=1,2 11=7 12=9 13=0.5", "-23300=1,20.0 3=0.2 6=0.3 13=0.5"]
    for parameters in priors:
        case("PriorBox", parameters, f"{parameters} 9=-233 10=-233", (2, 3, 4), (1, 8, 10))
        case("PriorBox", f"{parameters} in 40 x 30", f"{parameters} 9=40 10=30", (2, 3, 4))
    case("PriorBox", "mmdetection", "-23300=1,20.0 -23302=1,2 9=41 10=31 13=0.5 14=1 15=1", (2, 3, 4))
    for parameters in ("-23300=2,0.2,0.4 -23302=3,1.0,2.0,0.5", "-23300=1,0.3 -23302=1,1 11=0.3 12=0.2 8=1"):
        case("PriorBox", f"relative {parameters}", f"{parameters} 9=-233 10=-233 13=0.5", (2, 3, 4))
    for label, classes, count, parameters in [
        ("two classes", 2, 40, "1=0.45"), ("five classes", 5, 30, "1=0.3 4=0.25 3=20"), ("few of a class", 3, 30, "1=0.5 2=5 4=0.3"),
    ]:
        random = generator("DetectionOutput", label)
        centres, sizes = random.uniform(0.2, 0.8, (count, 2)), random.uniform(0.1, 0.3, (count, 2))
        boxes = np.concatenate([centres - sizes / 2, centres + sizes / 2], 1).astype(np.float32)
        variances = np.tile(np.array([0.1, 0.1, 0.2, 0.2], np.float32), count)
        moves = random.uniform(-1, 1, 4 * count).astype(np.float32)
        scores = random.uniform(0, 3, (count, classes)).astype(np.float32)
        scores = (np.exp(scores) / np.exp(scores).sum(1, keepdims=True)).astype(np.float32)
        most = 20 if "3=" in parameters else 100
        padded("DetectionOutput", label, f"0={classes} {parameters}",
               {"moves": moves, "scores": scores.ravel(), "boxes": np.stack([boxes.ravel(), variances])}, most)
        padded("DetectionOutput", f"{label}, as MXNet", f"0=-233 {parameters}",
               {"moves": moves, "scores": np.ascontiguousarray(scores.T), "boxes": boxes}, most)
    for version, label, shapes, classes in [(2, "one map", [(4, 5)], 3), (3, "one map", [(4, 5)], 3),
                                            (3, "two maps", [(3, 4), (6, 8)], 2), (2, "one class", [(3, 3)], 1)]:
        kind = "YoloDetectionOutput" if version == 2 else "Yolov3DetectionOutput"
        random = generator(kind, label)
        maps = {f"in{number}": random.uniform(-2, 2, (2 * (5 + classes), *shape)).astype(np.float32)
                for number, shape in enumerate(shapes)}
        anchors = "-23304=4,1.1,1.4,2.2,1.9"
        if version == 3:
            masks = [float(mask) for mask in range(2 * len(shapes))][::-1]
            anchors = (f"-23304={4 * len(shapes)},{text(10.5 + 7 * index for index in range(4 * len(shapes)))}"
                       f" -23305={len(masks)},{text(masks)} -23306={len(shapes)},{text([32.0, 16.0][:len(shapes)])}")
        padded(kind, label, f"0={classes} 1=2 2=0.3 3=0.4 {anchors}", maps, sum(2 * h * w for h, w in shapes))
        if version == 3:
            # As all public files have them.
            bits = text(np.array(masks, np.float32).view(np.int32))
            anchors = anchors.replace(text(masks), bits)
            padded(kind, f"{label}, masks as bits", f"0={classes} 1=2 2=0.3 3=0.4 {anchors}", maps,
                   sum(2 * h * w for h, w in shapes))


if __name__ == "__main__":
    for group in (convolutions, depthwise_convolutions, deconvolutions, poolings, interps, movements, borders,
                  elementwise, normalisations, products, sources, functions, matrices, attentions, axes, rows,
                  more_normalisations, variants, blob_weights, embeds, grid_samples, detections, int8_convolutions,
                  int8_depthwise_convolutions, int8_products, int8_blobs, four_axes, expressions):
        group()
    for kind, cases in FILES.items():
        header = f'{{"kind": "{kind}", "upstream": "ncnn {ncnn.__version__}", "cases": [\n'
        replace(FOLDER / f"{kind}.json", header + ",\n".join(cases) + "\n]}\n")
        print(f"{kind}: {len(cases)} cases")
