#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs the fixtures of Tests/InferenceTests, which upstream ncnn computed, for `check cases`.

    pack_cases.py FOLDER OUTPUT
"""

import base64
import json
import struct
import sys
from pathlib import Path

# The engine's sums and exponentials differ from upstream's by some 1e-6; what the tests allow.
TOLERANCE = 5e-5
# Of int8 networks whose activations the engine may take from curves; see RecordedNetworkTests.
CURVE_TOLERANCE = 0.05
CURVED = ["Swish", "Sigmoid", "HardSwish", "HardSigmoid", "Clip", " 9="]


def integer(number):
    return struct.pack("<I", number)


def part(data):
    return integer(len(data)) + data


def blobs(named):
    packed = integer(len(named))
    for name, (shape, values) in named.items():
        packed += part(name.encode()) + integer(len(shape)) + b"".join(map(integer, shape)) + part(values)
    return packed


def case(name, param, data, tolerance, inputs, outputs):
    return (part(name.encode()) + part(param.encode()) + part(data) + struct.pack("<f", tolerance)
            + blobs(inputs) + blobs(outputs))


def layers(folder):
    for path in sorted(folder.glob("*.json")):
        for fixture in json.loads(path.read_text())["cases"]:
            named = [{name: (blob["shape"], struct.pack(f"<{len(blob['values'])}f", *blob["values"]))
                      for name, blob in fixture[side].items()} for side in ("inputs", "outputs")]
            yield case(f"{path.stem}, {fixture['name']}", fixture["param"],
                       base64.b64decode(fixture["bin"]), TOLERANCE, *named)


def signed(text):
    """Numbers of int8 as fp32."""
    data = base64.b64decode(text)
    return [float(value) for value in struct.unpack(f"{len(data)}b", data)]


def networks(folder):
    recorded = json.loads((folder / "RandomInt8/networks.json").read_text())["networks"]
    for number, network in enumerate(recorded):
        values = [value / 32 for value in signed(network["input"])]
        outputs = {}
        for name, blob in network["outputs"].items():
            if "int8" in blob:
                numbers = signed(blob["int8"])
                outputs[name] = blob["shape"], struct.pack(f"<{len(numbers)}f", *numbers)
            else:
                outputs[name] = blob["shape"], base64.b64decode(blob["float32"])
        takes_curves = any(word in network["param"] for word in CURVED)
        yield case(f"int8 network {number}", network["param"], base64.b64decode(network["bin"]),
                   CURVE_TOLERANCE if takes_curves else TOLERANCE,
                   {"data": (network["shape"], struct.pack(f"<{len(values)}f", *values))}, outputs)


def main():
    folder, output = map(Path, sys.argv[1:])
    cases = [*layers(folder), *networks(folder)]
    output.write_bytes(integer(len(cases)) + b"".join(cases))


if __name__ == "__main__":
    main()
