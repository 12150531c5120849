#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes Int8Pair/blobs.json: the default model's int8 pair on a small picture, by upstream ncnn.

  pip install ncnn numpy opencv-python-headless
  python make_int8_pair.py

To be run again when Models/yoloface-n-0.5-int8 changes. Recorded are the outputs and all blobs that
are int8, which the layers in floats between them determine. Blobs are not interleaved: where they are,
upstream's depthwise layers multiply by an approximate reciprocal. The picture is the first part of the
example photo where no float that a layer rounds to int8 lies within MARGIN of a half, so that an
exponential of another library rounds to the same integers. All arrays are base64: the input is RGB of 8
bits, channel by channel, outputs float32, or int8 where the blob is.
"""
import json
import math

import cv2
import numpy as np

from make_fixtures import FOLDER, layer_outputs, replace, run
from make_random_int8 import blob, text

ROOT = FOLDER.parents[2]
PAIR = [ROOT / "Models" / f"yoloface-n-0.5-int8.{kind}" for kind in ("param", "bin")]
PATH = FOLDER / "Int8Pair" / "blobs.json"
SIZE = 96, 64
MARGIN = 2e-5
# Bytes of a weight, by the tag before the weights.
WEIGHT_BYTES = {0x000D4B38: 1, 0x01306B47: 2, 0: 4}


def layers(param):
    """Kind, inputs, outputs and parameters of each layer."""
    for line in param.splitlines()[2:]:
        words = line.split()
        outputs = layer_outputs(line)
        parameters = dict(word.split("=") for word in words[4 + int(words[2]) + len(outputs) :])
        yield words[0], words[4 : 4 + int(words[2])], outputs, parameters


def input_scales(param, weights):
    """The scale by which each layer in int8 rounds its input, by the blob."""
    scales, position = {}, 0
    for kind, inputs, _, parameters in layers(param):
        if not kind.startswith("Convolution"):
            continue
        outputs, term = int(parameters["0"]), int(parameters.get("8", 0))
        tag = int.from_bytes(weights[position : position + 4], "little")
        position += 4 + math.ceil(int(parameters["6"]) * WEIGHT_BYTES[tag] / 4) * 4 + 4 * outputs
        if term:
            position += 4 * outputs
            scales[inputs[0]] = np.frombuffer(weights, np.float32, 1, position)[0]
            position += 4 if term < 100 else 8
    assert position == len(weights)
    return scales


def is_clear(values, scale):
    scaled = np.abs(values * scale)
    return (np.abs(scaled - np.trunc(scaled) - 0.5) > MARGIN)[scaled < 127.5].all()


def parts(photo):
    """Parts around the face, shrunk to SIZE."""
    for top in range(0, 40):
        for left in range(40, 140):
            yield cv2.resize(photo[top : top + 192, left : left + 288], SIZE, interpolation=cv2.INTER_AREA)


if __name__ == "__main__":
    param, weights = PAIR[0].read_text(), PAIR[1].read_bytes()
    network = list(layers(param))
    integers = {name for _, _, names, parameters in network for name in names
                if int(parameters.get("8", 0)) > 100}
    scales = {name: scale for name, scale in input_scales(param, weights).items() if name not in integers}
    read = {name for _, inputs, _, _ in network for name in inputs}
    names = [name for _, _, names, _ in network for name in names]
    outputs = [name for name in names if name not in read]
    # In the network's order: upstream drops a blob once it has been read.
    wanted = [name for name in names if name in integers or name in scales or name in outputs]
    photo = cv2.imread(str(ROOT / "Examples" / "astronaut.png"))[..., ::-1]
    for part in parts(photo):
        picture = np.ascontiguousarray(part.transpose(2, 0, 1))
        blobs = run(param, weights, {"data": picture.astype(np.float32) / 255},
                    wanted, packs=False)
        if all(is_clear(blobs[name], scale) for name, scale in scales.items()):
            break
    else:
        raise SystemExit("every part of the photo has a number near a half")
    recording = {
        "shape": list(picture.shape), "input": text(picture.tobytes()),
        "blobs": {name: blob(blobs[name], name in integers) for name in wanted if name not in scales}}
    PATH.parent.mkdir(exist_ok=True)
    replace(PATH, json.dumps(recording, indent=1) + "\n")
    print(f"{len(integers)} int8 blobs, {len(outputs)} outputs, {PATH.stat().st_size} bytes")
