# SPDX-License-Identifier: Apache-2.0
"""Average precision, independent of the code under test: pycocotools, and WIDER FACE's protocol
written in numpy from the description of its published tools."""

import contextlib
import io

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

SIZES = [(0, 1e5), (0, 16), (16, 32), (32, 96), (96, 1e5)]


def average_precisions(truth, results, low, high):
    """Faces counted, the area under the interpolated curve, and COCO's mean at 101 recalls, at IoU 0.5,
    of faces whose size is from low up to but not including high."""
    with contextlib.redirect_stdout(io.StringIO()):
        ground = COCO()
        # An annotation's area is its box's, as where there are no masks.
        ground.dataset = truth | {"annotations": [
            a | {"area": a["bbox"][2] * a["bbox"][3]} for a in truth["annotations"]]}
        ground.createIndex()
        evaluation = COCOeval(ground, ground.loadRes(results), "bbox")
        settings = evaluation.params
        settings.useCats = 0
        settings.iouThrs = np.array([0.5])
        # Both ends are inside in COCO.
        settings.areaRng = [[low**2, np.nextafter(high**2, 0)]]
        settings.areaRngLbl = ["size"]
        settings.maxDets = [10**6]
        evaluation.evaluate()
        counted = sum(
            int((np.array(image["gtIgnore"]) == 0).sum()) for image in evaluation.evalImgs if image)
        if counted == 0:
            return 0, None, None
        settings.recThrs = np.linspace(0, 1, 101)
        evaluation.accumulate(settings)
        coco = float(evaluation.eval["precision"].mean())
        # At every recall that there can be, the mean is the area.
        settings.recThrs = np.arange(1, counted + 1) / counted
        evaluation.accumulate(settings)
        return counted, float(evaluation.eval["precision"].mean()), coco


def wider_average_precision(pictures):
    """WIDER FACE's protocol. A picture is its boxes (n, 4: x, y, w, h), which of them count (n), and
    its detections (m, 5: x, y, w, h, score), best first."""
    scores = np.concatenate([detections[:, 4] for _, _, detections in pictures])
    low, spread = scores.min(), np.ptp(scores)
    totals = np.zeros((1000, 2))
    for boxes, counts, detections in pictures:
        if len(boxes) == 0 or len(detections) == 0:
            continue
        overlaps = pixel_overlaps(detections[:, :4], boxes)
        nearest = overlaps.argmax(1)
        on_face = overlaps.max(1) >= 0.5
        proposal = ~(on_face & ~counts[nearest])
        found = [
            len(set(nearest[: end + 1][(on_face & counts[nearest])[: end + 1]]))
            for end in range(len(detections))]
        for number in range(1000):
            passing = np.flatnonzero(
                (detections[:, 4] - low) / spread >= 1 - (number + 1) / 1000)
            if len(passing):
                last = passing[-1]
                totals[number] += found[last], proposal[: last + 1].sum()
    faces = sum(int(counts.sum()) for _, counts, _ in pictures)
    recall = np.concatenate([[0], totals[:, 0] / faces, [1]])
    with np.errstate(invalid="ignore"):
        precision = np.nan_to_num(totals[:, 0] / totals[:, 1])
    precision = np.concatenate([[0], precision, [0]])
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return faces, float(np.sum(np.diff(recall) * precision[1:]))


def pixel_overlaps(a, b):
    """Intersection over union (m, n) of boxes that include their last row and column."""
    ends_a, ends_b = a[:, :2] + a[:, 2:], b[:, :2] + b[:, 2:]
    sides = (
        np.minimum(ends_a[:, None], ends_b[None]) - np.maximum(a[:, None, :2], b[None, :, :2]) + 1)
    intersection = np.where((sides > 0).all(2), sides.prod(2), 0)
    areas_a, areas_b = (a[:, 2:] + 1).prod(1), (b[:, 2:] + 1).prod(1)
    return intersection / (areas_a[:, None] + areas_b[None] - intersection)
