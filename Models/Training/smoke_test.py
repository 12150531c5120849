# SPDX-License-Identifier: Apache-2.0
"""Runs the recipe from nothing to an exported model, on pictures drawn from one example photo.

    python smoke_test.py --photo EXAMPLE.png --box X,Y,WIDTH,HEIGHT --output STEM [--steps 12]

Shows that mosaics have faces where their labels say, that every step works, and that the exported
files compute what PyTorch does; a network that has seen so few pictures finds nothing.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import zipfile

import cv2
import numpy as np

from mosaic import PORTRAITS, Mosaics, Placement, between_pixel_centres
from photos import BOX

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../Scripts"))
from orderly import end_on_signals  # noqa: E402
# Where the five points lie in the box of a face that looks ahead.
FRONTAL = ((0.30, 0.40), (0.70, 0.40), (0.50, 0.60), (0.33, 0.78), (0.67, 0.78))


def draw_collection(path, photo, box, count):
    """Photos of the one face at several sizes, with its label."""
    labels = {}
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(count):
            scale = 0.3 + 0.7 * number / count
            picture = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            x, y, width, height = (value * scale for value in box)
            points = [v for px, py in FRONTAL for v in (x + px * width, y + py * height)]
            name = f"{number:03}.png"
            archive.writestr(name, cv2.imencode(".png", picture)[1].tobytes())
            labels[name] = {
                "width": picture.shape[1], "height": picture.shape[0],
                "faces": [[0.9, x, y, x + width, y + height, *points]]}
        archive.writestr("labels.json", json.dumps(labels))


def check_placement():
    """A white square on black has its middle where a placement says, within what 8 bits can tell."""
    photo = np.zeros((400, 300), np.uint8)
    photo[100:180, 60:140] = 255
    for scale in (0.2, 0.6, 1.7):
        for mirrored in (False, True):
            placement = Placement((100, 140), (120.3, 90.8), scale, 0.4, mirrored)
            placed = cv2.warpAffine(
                photo, between_pixel_centres(placement.matrix), (240, 180)).astype(float)
            y, x = np.mgrid[:180, :240] + 0.5
            middle = np.array([(placed * x).sum(), (placed * y).sum()]) / placed.sum()
            expected = placement.map(np.array([[100, 140]]))[0]
            assert np.abs(middle - expected).max() < 0.05, (scale, mirrored, middle, expected)


def check_aim(prepared):
    """A photo shows the face that it is placed for, one at its edge, in the mirror as without."""
    mosaics = Mosaics(prepared, [128], 4, 1)
    shown = {False: [], True: []}
    for _ in range(600):
        photo = mosaics.pick(PORTRAITS)
        faces = mosaics.photos.faces(photo)[:1].copy()
        faces[0, BOX] = 0, 100, 40, 150
        placed = mosaics.placement(photo, faces, 128, 128, PORTRAITS)
        shown[placed.mirrored].append(placed.face(faces[0], 128, 128) is not None)
    plain, mirrored = (np.mean(shown[key]) for key in (False, True))
    # Three standard deviations of 300 tries each.
    assert abs(plain - mirrored) < 3 * np.sqrt(0.5 / 300), (plain, mirrored)


def run(script, *arguments):
    subprocess.run([sys.executable, os.path.join(HERE, script), *map(str, arguments)], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photo", required=True)
    parser.add_argument("--box", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    end_on_signals()
    check_placement()
    photo = cv2.imread(options.photo, cv2.IMREAD_COLOR)
    box = [float(value) for value in options.box.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        photos, prepared = os.path.join(folder, "photos"), os.path.join(folder, "prepared")
        checkpoint = os.path.join(folder, "checkpoint.pt")
        os.makedirs(photos)
        for collection in ("msed", "net", "events"):
            draw_collection(os.path.join(photos, collection + ".zip"), photo, box, 12)
        run("prepare.py", "--photos", photos, "--output", prepared)
        check_aim(prepared)
        half = options.steps // 2
        common = (
            "--prepared", prepared, "--checkpoint", checkpoint, "--sizes", 128, "--batch", 4)
        run("train.py", *common, "--steps", half)
        model = os.path.join(HERE, "..", "yoloface-n-0.5")
        run("train.py", *common, "--steps", options.steps, "--teacher", model)
        run("train.py", *common, "--steps", options.steps + 2, "--settle")
        run("export.py", "--checkpoint", checkpoint, "--output", options.output)
        run(
            "finetune_int8.py", "--model", model, "--int8", model + "-int8", "--photos", photos,
            "--output", options.output + "-int8", "--minutes", 0.05)
        labels = os.path.join(folder, "labels")
        run(
            "own_labels.py", "--model", options.output, "--photos", photos, "--output", labels,
            "--collections", "msed")
        run(
            "prepare.py", "--photos", photos, "--second", labels, "--own", labels,
            "--output", prepared)
