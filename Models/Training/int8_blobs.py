# SPDX-License-Identifier: Apache-2.0
"""How far a pair of files in int8 runs alike in yoloface and in upstream ncnn, blob by blob.

    python int8_blobs.py --int8 STEM --picture PICTURE --tool yoloface [--long-side 320]

Differences from yoloface's plain interpreter, as largest / mean. Their unit is the step of int8: of the
blob itself, or of the layer in int8 that reads it next, also behind layers in floats. The columns:

- plain: ncnn without packed blobs. Floats differ in their last bits, since exponentials do, and where
  such a float lies between two steps, it may round to the other one. Every layer behind takes that
  further.
- packed: ncnn as it is by default on x86. Its depthwise layers in int8 multiply by approximate
  reciprocals of the scales (about 12 bits), so that far more numbers round to the other step.
- by layer: each layer, given yoloface's blobs. This is what the layer itself adds.

For the outputs: the largest difference as a share of the largest magnitude, and the share of elements
that differ by more than 1 % of it. The last table holds ncnn's two ways against each other.
"""

import argparse
import json
import os
import subprocess
import tempfile

import cv2
import ncnn
import numpy as np

from evaluate import letterbox

COLUMNS = "plain", "packed", "plain, by layer", "packed, by layer"


class Upstream:
    """A pair in ncnn, in plain fp32 where it is not int8."""

    def __init__(self, stem, packed):
        self.net = ncnn.Net()
        self.net.opt.num_threads = 1
        self.net.opt.use_fp16_packed = self.net.opt.use_fp16_storage = False
        self.net.opt.use_fp16_arithmetic = self.net.opt.use_bf16_storage = False
        self.net.opt.use_packing_layout = packed
        if self.net.load_param(stem + ".param") or self.net.load_model(stem + ".bin"):
            raise SystemExit(f"ncnn refuses {stem}.param or {stem}.bin")

    def run(self, inputs, names):
        """Blobs by name, int8 ones as their integers."""
        extractor = self.net.create_extractor()
        extractor.set_light_mode(False)
        for name, array in inputs.items():
            # A clone has the channel stride that ncnn expects; a view of NumPy's memory does not.
            extractor.input(name, ncnn.Mat(np.ascontiguousarray(array)).clone())
        return {name: np.array(extractor.extract(name)[1], np.float32) for name in names}


def by_tool(tool, stem, data, names):
    """The same by `yoloface run --plain`."""
    with tempfile.TemporaryDirectory() as folder:
        np.save(os.path.join(folder, "input.npy"), data)
        subprocess.run(
            [tool, "run", stem + ".param", stem + ".bin", "--input", f"data={folder}/input.npy",
             "--extract-all", "--output-directory", folder, "--plain"],
            check=True, stdout=subprocess.DEVNULL)
        return {name: np.load(os.path.join(folder, name + ".npy")) for name in names}


def layers(tool, stem):
    """The layers as `yoloface inspect` describes them, inputs of the network left out."""
    output = subprocess.run(
        [tool, "inspect", stem + ".param", stem + ".bin", "--json"], check=True,
        stdout=subprocess.PIPE).stdout
    found = json.loads(output)["layers"]
    for layer in found:
        layer["outputs"] = [blob["name"] for blob in layer["outputs"]]
    return [layer for layer in found if layer["kind"] != "Input"]


def int8_blobs(layers):
    """Names of the blobs that are int8: what a layer hands on as such, and what is only moved."""
    names = set()
    for layer in layers:
        int8 = layer.get("int8")
        if "outputScale" in int8 if int8 else layer["inputs"][0] in names:
            names.update(layer["outputs"])
    return names


def steps(layers):
    """The step of each blob that a layer in int8 reads at last; of several readers', the smallest."""
    found = {}
    for layer in reversed(layers):
        if "int8" in layer:
            step = 1 / layer["int8"]["inputScale"]
        else:
            step = min((found[blob] for blob in layer["outputs"] if blob in found), default=None)
        for blob in layer["inputs"]:
            if step:
                found[blob] = min(step, found.get(blob, step))
    return found | dict.fromkeys(int8_blobs(layers), 1)


def by_layer(upstream, layers, blobs):
    """What each layer of upstream makes of the blobs given."""
    integers = int8_blobs(layers)
    found = {}
    for layer in layers:
        inputs = {name: blobs[name].astype(np.int8 if name in integers else np.float32)
                  for name in layer["inputs"]}
        found |= upstream.run(inputs, layer["outputs"])
    return found


def differences(blobs, others, name, step):
    found = np.abs(blobs[name] - others[name].reshape(blobs[name].shape)) / step
    return f"{found.max():.5f} / {found.mean():.5f}"


def print_outputs(title, outputs, blobs, others):
    for name in outputs:
        found = np.abs(blobs[name] - others[name].reshape(blobs[name].shape)) / np.abs(others[name]).max()
        print(f"| {name} | {title} | {found.max():.2e} | {(found > 0.01).mean():.2%} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--int8", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--picture", required=True)
    parser.add_argument("--tool", required=True, help="yoloface")
    parser.add_argument("--long-side", type=int, default=320)
    options = parser.parse_args()
    canvas, _, _ = letterbox(cv2.imread(options.picture), options.long_side)
    data = np.ascontiguousarray(canvas[..., ::-1].transpose(2, 0, 1), np.float32) / 255

    network = layers(options.tool, options.int8)
    names = [name for layer in network for name in layer["outputs"]]
    read = {name for layer in network for name in layer["inputs"]}
    ours = by_tool(options.tool, options.int8, data, names) | {"data": data}
    plain, packed = (Upstream(options.int8, packed) for packed in (False, True))
    theirs = [upstream.run({"data": data}, names) for upstream in (plain, packed)]
    layer_by_layer = [by_layer(upstream, network, ours) for upstream in (plain, packed)]
    columns = dict(zip(COLUMNS, theirs + layer_by_layer))

    print(f"| blob | layer | {' | '.join(COLUMNS)} |\n|---|---|{'---:|' * len(COLUMNS)}")
    scale = steps(network)
    for layer in network:
        for name in layer["outputs"] if layer["kind"] != "Split" else []:
            if name in scale:
                cells = (differences(ours, column, name, scale[name]) for column in columns.values())
                print(f"| {name} | {layer['kind']} |", " | ".join(cells), "|")
    print("\n| output | ncnn | largest | over 1 % |\n|---|---|---:|---:|")
    outputs = [name for name in names if name not in read]
    for title, column in columns.items():
        print_outputs(title, outputs, ours, column)
    print("\n| output | ncnn, from its plain self | largest | over 1 % |\n|---|---|---:|---:|")
    print_outputs("packed", outputs, theirs[1], theirs[0])
