#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random-sets.json: random faces and detections, and the reference's figures for them.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python make_fixtures.py
"""

import json
import sys
from pathlib import Path

import numpy as np

from reference import SIZES, average_precisions, wider_average_precision

sys.path.append(str(Path(__file__).resolve().parents[4] / "Scripts"))
from orderly import replace  # noqa: E402


def random_picture(random):
    """Faces of all sizes, some crowds; detections near them, some twice, and elsewhere."""
    faces, detections = [], []
    for _ in range(random.integers(0, 12)):
        side = float(np.exp(random.uniform(np.log(6), np.log(220))))
        box = [*random.uniform(0, 600, 2), side, side * random.uniform(0.8, 1.5)]
        faces.append(box)
        for _ in range(random.choice([0, 1, 1, 1, 2, 3])):
            noise = random.normal(0, 0.12, 4) * side
            shaken = np.maximum(np.array(box) + noise, [-50, -50, 1, 1])
            detections.append([*shaken, random.beta(4, 2)])
    for _ in range(random.integers(0, 5)):
        side = float(np.exp(random.uniform(np.log(6), np.log(220))))
        detections.append([*random.uniform(0, 600, 2), side, side, random.beta(2, 4)])
    faces = np.round(np.array(faces).reshape(-1, 4), 1)
    detections = np.array(detections).reshape(-1, 5)
    # Of 100 scores, many are the same.
    detections = np.hstack([np.round(detections[:, :4], 1), np.round(detections[:, 4:], 2)])
    order = np.argsort(-detections[:, 4], kind="stable")
    return faces, random.random(len(faces)) < 0.08, detections[order]


def random_set(seed):
    random = np.random.default_rng(seed)
    pictures = [random_picture(random) for _ in range(16)]
    # Half of the faces are on a list.
    listed = [random.random(len(faces)) < 0.5 for faces, _, _ in pictures]
    truth = {
        "images": [{"id": number} for number in range(len(pictures))],
        "annotations": [
            {"image_id": number, "category_id": 1, "bbox": list(box), "iscrowd": int(crowd)}
            for number, (faces, crowds, _) in enumerate(pictures)
            for box, crowd in zip(faces, crowds)],
        "categories": [{"id": 1}],
    }
    for number, annotation in enumerate(truth["annotations"]):
        annotation["id"] = number + 1
    results = [
        {"image_id": number, "category_id": 1, "bbox": list(row[:4]), "score": row[4]}
        for number, (_, _, detections) in enumerate(pictures) for row in detections]
    sizes = []
    for low, high in SIZES:
        faces, voc, coco = average_precisions(truth, results, low, high)
        sizes.append({"faces": faces, "voc": voc, "coco": coco})
    widers = []
    for counts in ([~crowds for _, crowds, _ in pictures], listed):
        faces, value = wider_average_precision(
            [(boxes, c, detections) for (boxes, _, detections), c in zip(pictures, counts)])
        widers.append({"faces": faces, "averagePrecision": value})
    return {
        "pictures": [
            {"faces": faces.tolist(), "crowds": crowds.tolist(),
             "listed": (np.flatnonzero(on_list) + 1).tolist(), "detections": detections.tolist()}
            for (faces, crowds, detections), on_list in zip(pictures, listed)],
        "sizes": sizes, "wider": widers}


sets = [random_set(seed) for seed in range(1, 5)]
replace(Path(__file__).with_name("random-sets.json"), json.dumps(sets, separators=(",", ":")) + "\n")
for one in sets:
    print(one["sizes"], one["wider"])
