#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how exact landmarks and angles are by `yoloface detect --effort checked`, on portraits that fill the network's
input.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python large_faces.py ../../../shared/training/net.zip yoloface [another-yoloface ...]

The portraits are the 500 of net.zip that are held out from training, with five points annotated by people.
The error of a portrait is the mean distance of the nearest face's points from people's, in distances between
the eyes. Angles are compared with those that the same head model gives for people's points.
"""

import argparse
import io
import json
import subprocess
import tempfile
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image

from fit_head import MODELS, angles, five_points

LANDMARKS = ("rightEye", "leftEye", "nose", "rightMouth", "leftMouth")


def write_portraits(archive, directory):
    """Writes the portraits; people's points, 5 × 2, by name."""
    labels = json.loads(archive.read("labels.json"))
    points = {}
    for position, name in enumerate(sorted(labels)):
        # As `held_out` of Models/Training/prepare.py.
        if position % 34 < 5:
            picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
            path = Path(directory, Path(name).stem + ".png")
            picture.save(path, compress_level=1)
            points[path.name] = np.array(labels[name]["faces"][0][5:15]).reshape(5, 2)
    return points


def detect(tool, directory, long_side):
    """The faces by the picture's name."""
    command = [
        tool, "detect", directory, "--effort", "checked", "--format", "jsonl", "--long-side", str(long_side),
        "--score-threshold", "0.3"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    pictures = [json.loads(line) for line in lines.splitlines()]
    return {Path(picture["image"]).name: picture["faces"] for picture in pictures}


def measure(found, truth, expected):
    errors, sizes, turned = [], [], []
    for name, points in truth.items():
        between = np.linalg.norm(points[0] - points[1])
        faces = [
            (np.linalg.norm(np.array([face["landmarks"][key] for key in LANDMARKS]) - points,
                            axis=1).mean() / between, face)
            for face in found.get(name, [])]
        if not faces:
            continue
        error, face = min(faces, key=lambda pair: pair[0])
        errors.append(error)
        sizes.append(max(face["box"]["width"], face["box"]["height"]))
        if face["pose"]:
            turned.append((face["pose"]["yaw"], face["pose"]["pitch"], *expected[name]))
    yaw, pitch, true_yaw, true_pitch = np.array(turned).T
    return (
        f"{len(errors)} faces, error {np.mean(errors):.4f}, median {np.median(errors):.4f}; yaw "
        f"correlates {np.corrcoef(yaw, true_yaw)[0, 1]:.2f}, pitch "
        f"{np.corrcoef(pitch, true_pitch)[0, 1]:.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("portraits", help="net.zip")
    parser.add_argument("tools", nargs="+", help="yoloface, and others to compare with")
    parser.add_argument("--long-side", type=int, nargs="+", default=[320, 640])
    options = parser.parse_args()
    with zipfile.ZipFile(options.portraits) as archive, tempfile.TemporaryDirectory() as directory:
        truth = write_portraits(archive, directory)
        model = five_points(MODELS["FaceModel"])
        expected = dict(zip(truth, angles(model, np.array(list(truth.values())))))
        for long_side in options.long_side:
            for tool in options.tools:
                found = detect(tool, directory, long_side)
                print(f"long side {long_side}, {tool}: {measure(found, truth, expected)}", flush=True)
