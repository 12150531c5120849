#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how often boxes of a score are right, and how well those fit: what a score means.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python count_right.py ../../../shared/training/validation.zip yoloface

The photos have boxes drawn by people. A box is right if its IoU with one of them, that no box of a higher score has
taken, is at least 0.5.
"""

import argparse
import io
import json
import subprocess
import tempfile
import zipfile
from pathlib import Path

from PIL import Image


def write_photos(archive, directory):
    """Writes the photos as PNG; people's boxes by name."""
    labels = json.loads(archive.read("labels.json"))
    for name in labels:
        picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
        picture.save(Path(directory, Path(name).stem + ".png"), compress_level=1)
    return {Path(name).stem: label["boxes"] for name, label in labels.items()}


def detect(tool, directory):
    """The faces by the picture's name, from the best score down."""
    command = [tool, "detect", directory, "--format", "jsonl", "--score-threshold", "0.1"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    pictures = [json.loads(line) for line in lines.splitlines()]
    return {
        Path(picture["image"]).stem: sorted(picture["faces"], key=lambda face: -face["score"])
        for picture in pictures}


def overlap(a, b):
    sides = [min(a[i + 2], b[i + 2]) - max(a[i], b[i]) for i in (0, 1)]
    shared = max(sides[0], 0) * max(sides[1], 0)
    return shared / (sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)) - shared)


def judged(faces, boxes):
    """Each face's score, and its IoU with the box that it takes, 0 if it takes none."""
    free = list(boxes)
    for face in faces:
        box = face["box"]
        corners = (box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"])
        best = max(free, key=lambda other: overlap(corners, other), default=None)
        iou = overlap(corners, best) if best else 0
        if iou >= 0.5:
            free.remove(best)
        yield face["score"], iou if iou >= 0.5 else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zip", help="validation.zip")
    parser.add_argument("tool", help="yoloface")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory, zipfile.ZipFile(options.zip) as archive:
        truth = write_photos(archive, directory)
        found = detect(options.tool, directory)
    faces = [face for name, boxes in truth.items() for face in judged(found.get(name, []), boxes)]
    print("score      boxes  right  their mean IoU")
    for tenth in range(1, 10):
        ious = [iou for score, iou in faces if tenth <= 10 * score < tenth + 1]
        right = [iou for iou in ious if iou]
        if right:
            print(f"0.{tenth}–{(tenth + 1) / 10:.1f}  {len(ious):7}  {len(right) / len(ious):4.0%}"
                  f"  {sum(right) / len(right):8.2f}")


if __name__ == "__main__":
    main()
