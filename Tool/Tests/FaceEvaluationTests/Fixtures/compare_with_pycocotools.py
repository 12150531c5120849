#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `yoloface evaluate` on a directory of PNG pictures and compares its average precisions with what
the reference makes of the detections that it and `yoloface detect` write. Exits with 1 where they differ
by more than 0.001.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python compare_with_pycocotools.py ../../../.build/release/yoloface photos truth.json

The truth is a JSON file of COCO, or from picture to boxes; what comes after it goes to the tool.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from reference import SIZES, average_precisions, wider_average_precision

TOLERANCE = 0.001


def as_coco(truth):
    """Ground truth in COCO's form; pictures have the numbers that the tool gives them."""
    if "images" in truth:
        return truth
    names = sorted(truth)
    annotations = []
    for number, name in enumerate(names):
        for x0, y0, x1, y1 in truth[name]["boxes"]:
            annotations.append({
                "id": len(annotations) + 1, "image_id": number + 1, "category_id": 1, "iscrowd": 0,
                "bbox": [x0, y0, x1 - x0, y1 - y0]})
    images = [{"id": number + 1, "file_name": name} for number, name in enumerate(names)]
    return {"images": images, "annotations": annotations, "categories": [{"id": 1}]}


def wider_detections(directory, name):
    """The detections (m, 5) in the file of a picture."""
    path = Path(directory, name).with_suffix(".txt")
    _, count, *rows = path.read_text().splitlines()
    assert len(rows) == int(count), path
    return np.array([row.split() for row in rows], float).reshape(-1, 5)


def compare(report, truth, results, directory):
    """The largest difference between the tool's report and the reference's of the detections."""
    worst = 0
    for (low, high), ours in zip(SIZES, report["averagePrecision"]):
        faces, *theirs = average_precisions(truth, json.loads(results.read_text()), low, high)
        assert faces == ours["faces"], f"{faces} faces, the tool has {ours['faces']}"
        for kind, their in zip(("voc", "coco"), theirs):
            if their is not None:
                worst = max(worst, abs(their - ours[kind]))
                print(f"{ours['name']:12} {kind:5} {ours[kind]:.6f} reference {their:.6f}")
    pictures = []
    for image in truth["images"]:
        annotations = [a for a in truth["annotations"] if a["image_id"] == image["id"]]
        pictures.append((
            np.array([a["bbox"] for a in annotations]).reshape(-1, 4),
            np.array([not a.get("iscrowd") for a in annotations], bool),
            wider_detections(directory, image["file_name"])))
    ours = report["wider"][0]
    faces, their = wider_average_precision(pictures)
    assert faces == ours["faces"], f"{faces} faces, the tool has {ours['faces']}"
    print(f"{'all':12} wider {ours['averagePrecision']:.6f} reference {their:.6f}")
    return max(worst, abs(their - ours["averagePrecision"]))


def main():
    tool, photos, truth_path, *options = sys.argv[1:]
    truth = as_coco(json.loads(Path(truth_path).read_text()))
    with tempfile.TemporaryDirectory() as folder:
        results, directory = Path(folder, "results.json"), Path(folder, "wider")
        run = subprocess.run(
            [tool, "evaluate", photos, "--truth", truth_path, "--json", "--write-coco", results,
             "--write-wider", directory, *options], check=True, capture_output=True, text=True)
        report = json.loads(run.stdout)
        print("what evaluate writes")
        worst = compare(report, truth, results, directory)

        numbers = Path(folder, "numbers.json")
        numbers.write_text(json.dumps(truth))
        results, directory = Path(folder, "detected.json"), Path(folder, "detected")
        detect = [tool, "detect", photos, "--score-threshold", "0.02", *options]
        subprocess.run(
            [*detect, "--format", "coco", "--image-ids", numbers, "--output", results], check=True)
        subprocess.run([*detect, "--format", "wider", "--output", directory], check=True)
        print("what detect writes")
        worst = max(worst, compare(report, truth, results, directory))
    print(f"largest difference {worst:.6f}")
    sys.exit(worst > TOLERANCE)


main()
