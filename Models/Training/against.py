"""Compares two models where an average precision says little: turned faces and false finds.

    python against.py --model STEM --other STEM --photos ZIPS [--long-side 320]

Turned faces: 51 of the photos of net.zip that `prepare.py` keeps from training, on a square of grey, turned
about the middle of the face; recall is the share of faces, at score 0.3, whose box holds four of the five
points marked by hand and is no more than three times as long as they are. False finds: on
validation_events.zip, at the threshold where the first model finds as many faces as the other does at score
0.5, and with the same thresholds on the photos of negatives.zip that are kept from training.
"""

import argparse
import os

import cv2
import numpy as np

from evaluate import NCNNModel, detect_all
from photos import read_zip
from prepare import NEGATIVES, POINTS_COLLECTION, held_out, iou

ANGLES = (0, 15, 30, 45, 60, 75, 90)
TURNED_PHOTOS = 51
RECALL_SCORE, OTHER_SCORE = 0.3, 0.5
FILL = (114, 114, 114)


def turned_photos(folder):
    """Pictures, H × W × 3, and the five points of the face in each, 5 × 2."""
    photos = []
    for _, picture, label in read_zip(os.path.join(folder, POINTS_COLLECTION + ".zip"), held_out):
        photos.append((picture, np.array(label["faces"][0][5:15]).reshape(5, 2)))
        if len(photos) == TURNED_PHOTOS:
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


def is_found(found, points):
    low, high = found[:, 1:3], found[:, 3:5]
    inside = ((points[None] >= low[:, None]) & (points[None] <= high[:, None])).all(2).sum(1) >= 4
    fits = (high - low).max(1, initial=0) <= 3 * (points.max(0) - points.min(0)).max()
    return bool((inside & fits & (found[:, 0] >= RECALL_SCORE)).any())


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
    photos = turned_photos(options.photos)
    for angle in ANGLES:
        recalls = []
        for model in models:
            hits = [
                is_found(model.detect(canvas, options.long_side), points)
                for canvas, points in (turned(*photo, angle) for photo in photos)]
            recalls.append(f"{np.mean(hits):.3f}")
        print(f"turned by {angle}: recall {' / '.join(recalls)}", flush=True)


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
    compare_false_finds(models, options)
