# SPDX-License-Identifier: Apache-2.0
"""What int8 costs in accuracy: a model's pair of files beside the same model's in int8, through upstream
ncnn and through yoloface.

    python int8.py --model STEM --int8 STEM --photos ZIPS [--tool yoloface] [--long-side 320 640]

Average precision: boxes by people, IoU 0.5, on `validation.zip` and `validation_events.zip`, the latter
with far more and smaller faces. Landmark error: mean of the 500 photos of `net.zip` that `prepare.py`
keeps from training, in distances between the eyes, of the faces that are found. ncnn's detections are
decoded and judged by `evaluate.py`, yoloface's by itself; their rules for landmarks differ, so compare
within a row. Without --tool, only ncnn is measured.
"""

import argparse
import json
import os
import subprocess
import tempfile

import cv2
import numpy as np

from evaluate import NCNNModel, average_precision, landmark_error
from photos import read_zip
from prepare import POINTS_COLLECTION, held_out

COLLECTIONS = "validation", "validation_events"


def by_ncnn(stem, zips, long_sides):
    """Measures by name, in the table's order."""
    model = NCNNModel(stem)
    for collection in COLLECTIONS:
        photos = list(read_zip(os.path.join(zips, collection + ".zip")))
        truths = [np.array(label["boxes"], np.float64).reshape(-1, 4) for _, _, label in photos]
        for long_side in long_sides:
            found = [model.detect(picture, long_side) for _, picture, _ in photos]
            yield f"AP, {collection} at {long_side}", average_precision(found, truths)
    for long_side in long_sides:
        error, _ = landmark_error(model, zips, long_side)
        yield f"landmark error at {long_side}", error


def by_tool(tool, stem, folder, long_sides):
    """The same by `yoloface evaluate`, on what `unpack` wrote into `folder`."""
    def evaluate(collection, long_side):
        pictures = os.path.join(folder, collection)
        output = subprocess.run(
            [tool, "evaluate", pictures, "--truth", os.path.join(pictures, "labels.json"), "--param",
             stem + ".param", "--bin", stem + ".bin", "--long-side", str(long_side), "--json"],
            stdout=subprocess.PIPE, check=True).stdout
        return json.loads(output)

    for collection in COLLECTIONS:
        for long_side in long_sides:
            report = evaluate(collection, long_side)
            yield f"AP, {collection} at {long_side}", report["averagePrecision"][0]["voc"]
    for long_side in long_sides:
        report = evaluate(POINTS_COLLECTION, long_side)
        yield f"landmark error at {long_side}", report["landmarkError"]["mean"]


def unpack(zips, folder):
    """The photos as PNG, a directory for each collection, with their labels."""
    for collection in (*COLLECTIONS, POINTS_COLLECTION):
        wanted = {"wanted": held_out} if collection == POINTS_COLLECTION else {}
        directory = os.path.join(folder, collection)
        os.mkdir(directory)
        labels = {}
        for name, picture, label in read_zip(os.path.join(zips, collection + ".zip"), **wanted):
            name = os.path.splitext(os.path.basename(name))[0] + ".png"
            cv2.imwrite(os.path.join(directory, name), picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])
            labels[name] = label
        with open(os.path.join(directory, "labels.json"), "w") as file:
            json.dump(labels, file)


def print_rows(engine, pairs):
    for (name, exact), (_, quantised) in pairs:
        print(f"| {engine} | {name} | {exact:.4f} | {quantised:.4f} | {quantised - exact:+.4f} |",
              flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--int8", required=True, help="the same of the model in int8")
    parser.add_argument("--photos", required=True)
    parser.add_argument("--tool", help="yoloface")
    parser.add_argument("--long-side", type=int, nargs="+", default=[320, 640])
    options = parser.parse_args()
    stems = options.model, options.int8
    print("| engine | measure | model | int8 | difference |\n|---|---|---:|---:|---:|")
    print_rows("ncnn", zip(*(by_ncnn(stem, options.photos, options.long_side) for stem in stems)))
    if options.tool:
        with tempfile.TemporaryDirectory() as folder:
            unpack(options.photos, folder)
            print_rows("yoloface", zip(*(
                by_tool(options.tool, stem, folder, options.long_side) for stem in stems)))
    sizes = [os.path.getsize(stem + ".bin") for stem in stems]
    print(f"\nThe .bin files: {sizes[0]} and {sizes[1]} bytes, {sizes[1] / sizes[0]:.2f} times as large.")
