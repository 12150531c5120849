# SPDX-License-Identifier: Apache-2.0
"""Compares two models where an average precision says little: turned, blurred and frame-filling faces,
false finds and blank pictures.

    python against.py --model STEM --other STEM --photos ZIPS [--long-side 320]

Turned faces: 51 of the photos of net.zip that `prepare.py` keeps from training, on a square of grey, turned
about the middle of the face; recall is the share of faces, at score 0.3, whose box holds four of the five
points marked by hand and is no more than three times as long as they are. Blurred faces: the widest of each
photo of validation.zip, if it has 32 pixels at least; the photo is averaged along its rows over a share of
the face's width, and the face is found at score 0.4 by a box of half its own. Crops: of the photos of net.zip,
the face from edge to edge, as its box is and as it is aligned for recognition, found like turned ones at
score 0.4. False finds: on validation_events.zip, at the threshold where the first model finds as many faces
as the other does at score 0.5, and with the same thresholds on the photos of negatives.zip that are kept from training.
Blank pictures: 216 of one colour each; in how many a face is found at score 0.5.
"""

import argparse
import itertools
import os

import cv2
import numpy as np

from evaluate import NCNNModel, detect_all
from photos import read_zip
from prepare import NEGATIVES, POINTS_COLLECTION, held_out, iou

ANGLES = (0, 15, 30, 45, 60, 75, 90)
PORTRAITS = 51
RECALL_SCORE, BLURRED_SCORE, OTHER_SCORE = 0.3, 0.4, 0.5
BLURS = (0, 0.2, 0.3, 0.4, 0.5)
LEAST_BLURRED = 32
# Where ArcFace (https://arxiv.org/abs/1801.07698) expects the five points in 112 × 112 pixels.
ALIGNED = np.float32([
    [38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]])
ALIGNED_SIDE = 112
FILL = (114, 114, 114)


def portraits(folder):
    """Pictures, H × W × 3, and the box and the five points of the face in each, 2 × 2 and 5 × 2."""
    photos = []
    for _, picture, label in read_zip(os.path.join(folder, POINTS_COLLECTION + ".zip"), held_out):
        face = np.array(label["faces"][0][1:15]).reshape(7, 2)
        photos.append((picture, face[:2], face[2:]))
        if len(photos) == PORTRAITS:
            break
    return photos


def turned(picture, points, angle):
    """The photo, turned about the middle of its points, on a square that holds all of it."""
    height, width = picture.shape[:2]
    middle = points.mean(0)
    side = 2 * int(np.ceil(np.hypot(
        max(middle[0], width - middle[0]), max(middle[1], height - middle[1]))))
    matrix = cv2.getRotationMatrix2D(tuple(middle), angle, 1)
    matrix[:, 2] += side / 2 - middle
    canvas = cv2.warpAffine(
        picture, matrix, (side, side), borderMode=cv2.BORDER_CONSTANT, borderValue=FILL)
    return canvas, points @ matrix[:, :2].T + matrix[:, 2]


def box_crop(picture, box, points):
    """What is inside the box, and the points in it."""
    low, high = np.clip(box.round().astype(int), 0, picture.shape[1::-1])
    return picture[low[1] : high[1], low[0] : high[0]], points - low


def aligned_crop(picture, _, points):
    """The face turned, moved and scaled to where recognition expects its points, and these."""
    matrix, _ = cv2.estimateAffinePartial2D(np.float32(points), ALIGNED, method=cv2.LMEDS)
    crop = cv2.warpAffine(picture, matrix, (ALIGNED_SIDE, ALIGNED_SIDE))
    return crop, points @ matrix[:, :2].T + matrix[:, 2]


def is_found(found, points, score=RECALL_SCORE):
    low, high = found[:, 1:3], found[:, 3:5]
    inside = ((points[None] >= low[:, None]) & (points[None] <= high[:, None])).all(2).sum(1) >= 4
    fits = (high - low).max(1, initial=0) <= 3 * (points.max(0) - points.min(0)).max()
    return bool((inside & fits & (found[:, 0] >= score)).any())


def scores_of_finds(detections, truths):
    """Scores of true and of false finds; each face is found once, by the best score."""
    true, false = [], []
    for found, truth in zip(detections, truths):
        free = np.ones(len(truth), bool)
        overlaps = iou(found[:, 1:5], truth)
        for i in range(len(found)):
            near = np.where(free, overlaps[i], 0)
            hit = near.max(initial=0) >= 0.5
            if hit:
                free[near.argmax()] = False
            (true if hit else false).append(found[i, 0])
    return np.sort(true)[::-1], np.sort(false)[::-1]


def compare_turned(models, options):
    photos = portraits(options.photos)
    for angle in ANGLES:
        recalls = []
        for model in models:
            hits = [
                is_found(model.detect(canvas, options.long_side), points)
                for canvas, points in (turned(picture, points, angle) for picture, _, points in photos)]
            recalls.append(f"{np.mean(hits):.3f}")
        print(f"turned by {angle}: recall {' / '.join(recalls)}", flush=True)


def compare_crops(models, options):
    for name, crop in (("box", box_crop), ("aligned", aligned_crop)):
        crops = [crop(*photo) for photo in portraits(options.photos)]
        counts = [
            sum(is_found(model.detect(picture, options.long_side), points, BLURRED_SCORE)
                for picture, points in crops)
            for model in models]
        print(f"crops, {name}: found {counts[0]} / {counts[1]} of {len(crops)}", flush=True)


def compare_blurred(models, options):
    photos = []
    for _, picture, label in read_zip(os.path.join(options.photos, "validation.zip")):
        boxes = np.array(label["boxes"], np.float64).reshape(-1, 4)
        widths = boxes[:, 2] - boxes[:, 0]
        if widths.max(initial=0) >= LEAST_BLURRED:
            photos.append((picture, boxes[widths.argmax()]))
    for share in BLURS:
        counts = [0, 0]
        for picture, box in photos:
            blurred = cv2.blur(picture, (max(1, round(share * (box[2] - box[0]))), 1))
            for i, model in enumerate(models):
                found = model.detect(blurred, options.long_side)
                found = found[found[:, 0] >= BLURRED_SCORE]
                counts[i] += iou(found[:, 1:5], box[None]).max(initial=0) >= 0.5
        recalls = " / ".join(f"{count / len(photos):.3f}" for count in counts)
        print(f"{len(photos)} faces blurred by {share:g} of their width: recall {recalls}", flush=True)


def compare_false_finds(models, options):
    finds = [
        scores_of_finds(*detect_all(model, options.photos, "validation_events", options.long_side))
        for model in models]
    (true, false), (other_true, other_false) = finds
    hits = int((other_true >= OTHER_SCORE).sum())
    threshold = true[min(hits, len(true)) - 1]
    thresholds = (threshold, OTHER_SCORE)
    print(
        f"{hits} faces of validation_events at scores {threshold:.3f} / {OTHER_SCORE}: false finds "
        f"{(false >= threshold).sum()} / {(other_false >= OTHER_SCORE).sum()}", flush=True)
    path = os.path.join(options.photos, NEGATIVES + ".zip")
    pictures = [picture for _, picture, _ in read_zip(path, held_out)]
    for name, pair in (("the same thresholds", thresholds), ("score 0.5", (0.5, 0.5))):
        counts = [
            sum((model.detect(picture, options.long_side)[:, 0] >= score).sum() for picture in pictures)
            for model, score in zip(models, pair)]
        print(f"{len(pictures)} photos without faces, {name}: false finds {counts[0]} / {counts[1]}")


def compare_blank(models, options):
    colours = list(itertools.product(range(0, 256, 51), repeat=3))
    counts = [
        sum(
            (model.detect(np.full((480, 640, 3), colour, np.uint8), options.long_side)[:, 0]
                >= OTHER_SCORE).any()
            for colour in colours)
        for model in models]
    print(f"{len(colours)} blank pictures: a face found in {counts[0]} / {counts[1]}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--other", required=True)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--long-side", type=int, default=320)
    options = parser.parse_args()
    models = [NCNNModel(options.model), NCNNModel(options.other)]
    compare_turned(models, options)
    compare_crops(models, options)
    compare_blurred(models, options)
    compare_false_finds(models, options)
    compare_blank(models, options)
