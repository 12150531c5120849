# SPDX-License-Identifier: Apache-2.0
"""What the resize and the letterbox are worth: average precision of the same weights, through upstream
ncnn and OpenCV, where pictures are interpolated or averaged, and where positions are mapped back by one
factor for both axes or by the factor of each. The overlap is the mean intersection over union of people's
boxes with the best detection of score 0.3 and more, where that is half or more.

    python geometry.py --model STEM --photos ZIPS [--long-side 128 256 320 480 640]

On `validation.zip` and `validation_events.zip`, whose photos have long sides of 640 and 800 pixels for
the most part: 256 shrinks them about threefold, 128 sixfold.
"""

import argparse
import os

import cv2
import numpy as np

from evaluate import NCNNModel, average_precision, letterbox, suppress
from photos import read_zip
from prepare import iou

COLLECTIONS = "validation", "validation_events"
VARIANTS = {
    "bilinear, one factor": (cv2.INTER_LINEAR, False),
    "bilinear, a factor for each axis": (cv2.INTER_LINEAR, True),
    "area, a factor for each axis": (cv2.INTER_AREA, True),
}


def detections(model, picture, long_side):
    """What is found by each variant."""
    inputs = {kind: letterbox(picture, long_side, kind) for kind, _ in VARIANTS.values()}
    candidates = {kind: model.candidates(canvas) for kind, (canvas, *_) in inputs.items()}
    for kind, has_two_factors in VARIANTS.values():
        _, padding, factors = inputs[kind]
        if not has_two_factors:
            factors = (max(factors),) * 2
        found = candidates[kind].copy()
        found[:, 1:] = (found[:, 1:] - np.array(padding * 7)) / np.array(factors * 7)
        yield suppress(found)


def overlap(detections, truths):
    best = [iou(truth, found[found[:, 0] >= 0.3, 1:5]).max(1, initial=0)
            for found, truth in zip(detections, truths)]
    best = np.concatenate(best)
    return best[best >= 0.5].mean()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--photos", required=True)
    parser.add_argument("--long-side", type=int, nargs="+", default=[128, 256, 320, 480, 640])
    options = parser.parse_args()
    model = NCNNModel(options.model)
    for collection in COLLECTIONS:
        photos = list(read_zip(os.path.join(options.photos, collection + ".zip")))
        truths = [np.array(label["boxes"], np.float64).reshape(-1, 4) for _, _, label in photos]
        for long_side in options.long_side:
            shrinking = np.median([max(picture.shape) / long_side for _, picture, _ in photos])
            print(f"{collection}, long side {long_side}, {shrinking:.2f} times smaller in the median:")
            found = [list(detections(model, picture, long_side)) for _, picture, _ in photos]
            for name, of_variant in zip(VARIANTS, zip(*found)):
                precision = average_precision(of_variant, truths)
                print(
                    f"  {name}: AP {precision:.4f}, overlap {overlap(of_variant, truths):.4f}",
                    flush=True)
