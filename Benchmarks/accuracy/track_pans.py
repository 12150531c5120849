#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pans a camera over photos whose faces are known, tracks the faces with `yoloface track`, and prints what
py-motmetrics counts: IDF1, the share of faces with the right identity, and identity switches.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python track_pans.py ../../../shared/training/validation_events.zip yoloface...

Several tools, such as one built before a change and one after it, are measured on the same frames. A
frame is a window of 400 x 300 pixels that moves over one of the photos with the most faces: to the
right, a pause, and back, at 256 pixels per second with a slight shake. A face's identity is its index
among the photo's boxes. --write FILE saves the frames' boxes, true and found.
"""

import argparse
import io
import json
import math
import os
import subprocess
import zipfile

import motmetrics
import numpy as np
from PIL import Image

WIDTH, HEIGHT = 400, 300
SPEED = 256
SECONDS = 3.2
SMALLEST_SIDE = 12
RATES = (30, 10)


def side(box):
    return math.sqrt((box[2] - box[0]) * (box[3] - box[1]))


def photos(path, count):
    """The pictures and boxes of the photos with the most faces that are not tiny, by name."""
    archive = zipfile.ZipFile(path)
    labels = json.loads(archive.read("labels.json"))

    def usable(name):
        photo = labels[name]
        large = [box for box in photo["boxes"] if side(box) >= SMALLEST_SIDE]
        fits = photo["width"] >= 2 * WIDTH and photo["height"] >= HEIGHT + 40
        return len(large) if fits else 0

    for name in sorted(sorted(labels, key=usable, reverse=True)[:count]):
        picture = Image.open(io.BytesIO(archive.read(name))).convert("RGB")
        yield name, picture, labels[name]["boxes"]


def corner(picture, seconds):
    """The window's top left corner: to the right, a pause, and back."""
    reach = picture.width - WIDTH
    there = reach / SPEED
    if seconds > there + 0.2:
        seconds = max(0, 2 * there + 0.2 - seconds)
    x = min(reach, SPEED * seconds)
    y = (picture.height - HEIGHT) / 2 + 12 * math.sin(5 * seconds)
    return round(x), round(y)


def truth(boxes, left, top):
    """Number and box (x, y, width, height) of each face whose middle is in the window."""
    faces = []
    for number, (x0, y0, x1, y1) in enumerate(boxes):
        x, y = (x0 + x1) / 2 - left, (y0 + y1) / 2 - top
        if 0 <= x < WIDTH and 0 <= y < HEIGHT and side((x0, y0, x1, y1)) >= SMALLEST_SIDE:
            faces.append((number, [x0 - left, y0 - top, x1 - x0, y1 - y0]))
    return faces


def follow(tool, frames, rate):
    """The tool's output for each frame: ID and box of each face."""
    command = [tool, "track", "--raw", f"{WIDTH}x{HEIGHT}", "--pixel-format", "rgb24",
               "--frame-rate", str(rate)]
    output = subprocess.run(command, input=b"".join(frames), stdout=subprocess.PIPE, check=True).stdout
    return [
        [(face["id"], [face["box"][key] for key in ("x", "y", "width", "height")])
         for face in json.loads(line)["faces"]]
        for line in output.splitlines()]


def distances(ours, theirs):
    """1 - IoU of each true box with each found one; NaN where it is over 0.6."""
    result = np.full((len(ours), len(theirs)), np.nan)
    for row, (_, (x, y, width, height)) in enumerate(ours):
        for column, (_, (left, top, breadth, tallness)) in enumerate(theirs):
            across = min(x + width, left + breadth) - max(x, left)
            down = min(y + height, top + tallness) - max(y, top)
            both = max(0, across) * max(0, down)
            distance = 1 - both / (width * height + breadth * tallness - both)
            if distance <= 0.6:
                result[row, column] = distance
    return result


def count(true, found):
    """The counts for one clip. A small face found besides the known ones is neither right nor wrong."""
    accumulator = motmetrics.MOTAccumulator(auto_id=True)
    for ours, theirs in zip(true, found):
        theirs = [face for face in theirs if math.sqrt(face[1][2] * face[1][3]) >= SMALLEST_SIDE]
        accumulator.update(
            [number for number, _ in ours], [number for number, _ in theirs],
            distances(ours, theirs))
    return accumulator


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("photos", help="a zip with labels.json")
    parser.add_argument("tools", nargs="+", help="paths of yoloface")
    parser.add_argument("--count", type=int, default=8, help="how many photos")
    parser.add_argument("--write", help="a file for all boxes, as JSON")
    arguments = parser.parse_args()
    written = []
    for tool in arguments.tools:
        for rate in RATES:
            films = {}
            for name, picture, boxes in photos(arguments.photos, arguments.count):
                places = [corner(picture, frame / rate) for frame in range(int(SECONDS * rate))]
                frames = [
                    picture.crop((x, y, x + WIDTH, y + HEIGHT)).tobytes() for x, y in places]
                true = [truth(boxes, x, y) for x, y in places]
                found = follow(tool, frames, rate)
                films[name] = count(true, found)
                written.append({"tool": tool, "rate": rate, "name": name, "true": true, "found": found})
            summary = motmetrics.metrics.create().compute_many(
                list(films.values()), names=list(films), generate_overall=True,
                metrics=["idf1", "num_switches", "num_objects", "num_misses", "mota"])
            overall = summary.loc["OVERALL"]
            print(f"{tool}, {rate} frames per second: {len(films)} films, "
                  f"{overall['num_objects']:.0f} faces, {overall['num_misses']:.0f} missed, "
                  f"IDF1 {100 * overall['idf1']:.1f}, {overall['num_switches']:.0f} switches, "
                  f"MOTA {100 * overall['mota']:.1f}", flush=True)
    if arguments.write:
        with open(arguments.write + "~", "w") as file:
            json.dump(written, file)
        os.replace(arguments.write + "~", arguments.write)


if __name__ == "__main__":
    main()
