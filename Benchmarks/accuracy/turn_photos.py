#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rotates photos of people, detects faces with `yoloface detect --effort checked`, and prints for each angle how many are
found, how many of those have points whose roll is wrong by more than 30 degrees, and how many the tool
marks as upside down.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python turn_photos.py ../../../shared/training/validation.zip yoloface

The faces have a box annotated by people, of at least 24 pixels in the photo, and a roll within 25 degrees
in the unrotated photo. Photos are first shrunk to a long side of 480 pixels.
"""

import argparse
import io
import json
import math
import subprocess
import tempfile
import zipfile
from pathlib import Path

from PIL import Image

ANGLES = (0, 15, 30, -45, 60, -75, 90, -105, 120, -135, 150, -165, 180)
LONG_SIDE = 480
SMALLEST_SIDE = 24


def write_turned(picture, boxes, degrees, path):
    """Writes a picture rotated clockwise; the centre (x, y) and the side of each box in it."""
    turned = picture.rotate(-degrees, Image.Resampling.BILINEAR, expand=True)
    turned.save(path, compress_level=1)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    places = []
    for x0, y0, x1, y1 in boxes:
        x, y = (x0 + x1 - picture.width) / 2, (y0 + y1 - picture.height) / 2
        places.append((turned.width / 2 + x * cosine - y * sine,
                       turned.height / 2 + x * sine + y * cosine,
                       math.sqrt(max(0, (x1 - x0) * (y1 - y0)))))
    return places


def write_photos(archive, count, directory):
    """Writes the photos at all angles; the places of the faces by photo and angle."""
    labels = json.loads(archive.read("labels.json"))
    places = {}
    for name in sorted(labels)[:count]:
        picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
        scale = min(1, LONG_SIDE / max(picture.size))
        picture = picture.resize(
            [round(scale * side) for side in picture.size], Image.Resampling.BILINEAR)
        boxes = [[scale * number for number in box] for box in labels[name]["boxes"]]
        for angle in ANGLES:
            path = Path(directory, f"{Path(name).stem}@{angle}.png")
            places[Path(name).stem, angle] = write_turned(picture, boxes, angle, path)
    return places


def face_at(place, faces):
    """The face found nearest to a place, of about its size; None where there is none."""
    x, y, side = place

    def distance(face):
        box = face["box"]
        return math.hypot(box["x"] + box["width"] / 2 - x, box["y"] + box["height"] / 2 - y)

    near = [face for face in faces if distance(face) < 0.35 * side
            and 0.6 < math.sqrt(face["box"]["width"] * face["box"]["height"]) / side < 1.7]
    return min(near, key=distance, default=None)


def roll(face):
    """The roll of the line from the middle of the eyes to the middle of the mouth, in degrees."""
    points = face["landmarks"]
    x, y = (points["rightMouth"][axis] + points["leftMouth"][axis] - points["rightEye"][axis]
            - points["leftEye"][axis] for axis in (0, 1))
    return math.degrees(math.atan2(-x, y))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("photos", help="a zip with labels.json")
    parser.add_argument("tool", help="the path of yoloface")
    parser.add_argument("--count", type=int, default=350, help="how many photos")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        places = write_photos(zipfile.ZipFile(arguments.photos), arguments.count, directory)
        output = subprocess.run(
            [arguments.tool, "detect", "--effort", "checked", "--json", "--quiet", directory], stdout=subprocess.PIPE,
            check=True).stdout
    found = {}
    for line in output.splitlines():
        report = json.loads(line)
        name, angle = Path(report["image"]).stem.rsplit("@", 1)
        faces = [face_at(place, report["faces"]) for place in places[name, int(angle)]]
        found[name, int(angle)] = faces
    for angle in sorted(ANGLES, key=abs):
        turned = [
            (roll(face) - roll(upright) - angle, face.get("upsideDown", False))
            for (name, of), faces in found.items() if of == angle
            for place, face, upright in zip(places[name, 0], faces, found[name, 0])
            if face and upright and place[2] >= SMALLEST_SIDE and abs(roll(upright)) <= 25]
        wrong = sum(abs((difference + 180) % 360 - 180) > 30 for difference, _ in turned)
        marked = sum(mark for _, mark in turned)
        total = max(1, len(turned))
        print(f"{angle:5} degrees: {len(turned):4} found, points wrong {100 * wrong / total:5.1f} %, "
              f"marked {100 * marked / total:5.1f} %")


if __name__ == "__main__":
    main()
