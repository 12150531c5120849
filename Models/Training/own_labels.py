# SPDX-License-Identifier: Apache-2.0
"""Labels crowds once more with weights that were trained before, for `prepare.py --own`.

    python own_labels.py --model STEM --photos ZIPS --output LABELS [--collections sht negatives]

Looks at each photo and at its mirror image, enlarged, and writes COLLECTION.json files like
`second_labels.py`. A score is the mean of both looks: what is a face keeps being one in the mirror,
what only looks like a face often does not.
"""

import argparse
import os

import numpy as np

from evaluate import NCNNModel
from photos import read_zip, write_labels
from prepare import iou

LONG_SIDE = 1216
SAME_FACE_IOU = 0.45
LEAST_SCORE = 0.05


def detect_twice(model, picture):
    """Rows of mean score, box and five points in pixels; box and points are the first look's."""
    found = model.detect(picture, LONG_SIDE)
    mirrored = model.detect(np.ascontiguousarray(picture[:, ::-1]), LONG_SIDE)
    mirrored[:, [1, 3]] = picture.shape[1] - mirrored[:, [3, 1]]
    overlaps = iou(found[:, 1:5], mirrored[:, 1:5])
    for face, overlap in zip(found, overlaps):
        seen_again = overlap.max(initial=0) > SAME_FACE_IOU
        face[0] = (face[0] + (mirrored[overlap.argmax(), 0] if seen_again else 0)) / 2
    return found[found[:, 0] >= LEAST_SCORE]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--photos", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--collections", nargs="+", default=["sht", "negatives"])
    options = parser.parse_args()
    model = NCNNModel(options.model)
    for collection in options.collections:
        photos = read_zip(os.path.join(options.photos, collection + ".zip"))
        labels = {name: detect_twice(model, picture) for name, picture, _ in photos}
        write_labels(options.output, collection, labels)
