#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes networks of random weights that end as CenterFace, BlazeFace and SSD do, to this folder.

    python3 -m venv venv && venv/bin/pip install numpy
    venv/bin/python make_tiny_families.py

Each map is a convolution of the picture's means over its cells, which biases turn into faces of usual sizes;
`make_families.py` finds them.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))
from orderly import replace  # noqa: E402

# CenterFace: score, sizes, offsets, points.
CENTERFACE = [("s", 4, 1), ("b", 4, 2), ("o", 4, 2), ("p", 4, 10)]
# BlazeFace for short range: boxes and points, and scores.
BLAZEFACE = [("b8", 8, 32), ("b16", 16, 96), ("s8", 8, 2), ("s16", 16, 6)]
# SSD: differences, and scores of background and face, of two boxes.
SSD = [("loc", 32, 8), ("conf", 32, 4)]


def network(maps, scale, bias, activated=None):
    """Lines of layers, and the weights; `bias` gives a map's by its name and number of channels."""
    random = np.random.default_rng(5)
    ins = [f"{name}-in" for name, _, _ in maps]
    lines = ["Input in 0 1 in", f"Split split 1 {len(ins)} in {' '.join(ins)}"]
    weights = b""
    for name, stride, channels in maps:
        lines.append(f"Pooling {name}-mean 1 1 {name}-in {name}-mean 0=1 1={stride} 2={stride}")
        activation = " 9=4" if name == activated else ""
        lines.append(f"Convolution {name} 1 1 {name}-mean {name} "
                     f"0={channels} 1=1 5=1 6={3 * channels}{activation}")
        values = random.uniform(-scale, scale, (channels, 3)).astype("<f4")
        weights += bytes(4) + values.tobytes() + bias(name, channels).astype("<f4").tobytes()
    return lines, weights


def write(name, lines, weights):
    blobs = sum(int(line.split()[3]) for line in lines)
    text = "\n".join(["7767517", f"{len(lines)} {blobs}"] + lines) + "\n"
    path = Path(__file__).with_name(f"tiny-{name}")
    replace(path.with_suffix(".param"), text)
    replace(path.with_suffix(".bin"), weights)


def centerface_bias(name, channels):
    return {"s": np.full(1, -0.5), "b": np.full(2, 2.2), "o": np.zeros(2), "p": np.full(10, 0.5)}[name]


def blazeface_bias(name, channels):
    if name.startswith("s"):
        return np.full(channels, -0.5)
    return np.tile([0, 0, 30, 30] + 12 * [0], channels // 16)


def ssd_bias(name, channels):
    return np.zeros(channels)


def main():
    lines, weights = network(CENTERFACE, 0.003, centerface_bias, activated="s")
    write("centerface", lines, weights)
    lines, weights = network(BLAZEFACE, 2, blazeface_bias)
    for name, stride, channels in BLAZEFACE:
        width = 16 if name.startswith("b") else 1
        rows = channels // width * (128 // stride) ** 2
        lines.append(f"Permute {name}-cells 1 1 {name} {name}-cells 0=3")
        lines.append(f"Reshape {name}-rows 1 1 {name}-cells {name}-rows 0={width} 1={rows}")
    for name in ("b", "s"):
        lines.append(f"Concat {name} 2 1 {name}8-rows {name}16-rows {name} 0=0")
    write("blazeface", lines, weights)
    lines, weights = network(SSD, 0.02, ssd_bias)
    # The boxes' sizes are 48 and 64 pixels.
    lines += [
        "Pooling priors-mean 1 1 priors-in priors-mean 0=1 1=32 2=32",
        "PriorBox priors 1 1 priors-mean priors -23300=1,48.0 -23301=1,85.333333 7=0 9=300 10=300 "
        "11=32.0 12=32.0 13=0.5",
        "Permute loc-cells 1 1 loc loc-cells 0=3", "Flatten loc-all 1 1 loc-cells loc-all",
        "Permute conf-cells 1 1 conf conf-cells 0=3",
        "Reshape conf-rows 1 1 conf-cells conf-rows 0=2 1=-1",
        "Softmax conf-shares 1 1 conf-rows conf-shares 0=1 1=1",
        "Flatten conf-all 1 1 conf-shares conf-all",
        "DetectionOutput out 3 1 loc-all conf-all priors out 0=2 1=0.3 2=100 3=50 4=0.2"]
    lines[0] += " 0=300 1=300 2=3"
    lines[1] = "Split split 1 3 in loc-in conf-in priors-in"
    write("ssd", lines, weights)


if __name__ == "__main__":
    main()
