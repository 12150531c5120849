# SPDX-License-Identifier: Apache-2.0
"""Average precision and landmark error of an ncnn model, through upstream ncnn.

    python evaluate.py --model STEM --photos ZIPS [--long-side 320 640]

Average precision: validation.zip and validation_events.zip, boxes by people, IoU 0.5, all-point area
under the precision-recall curve, also by the size of the true face (the root of its area, in pixels of the
photo; faces and loose detections of other sizes do not count). Landmark error: the 500 photos of
net.zip that `prepare.py` keeps from training, mean over five points in inter-eye distances of the
detection that overlaps the face best; faces without any are counted apart.
"""

import argparse
import os

import cv2
import ncnn
import numpy as np

from heads import ANCHORS, CLASS, LANDMARKS, OBJECTNESS, STRIDES
from photos import read_zip
from prepare import KEPT_APART, POINTS_COLLECTION, held_out, iou

OUTPUTS = (("out_8", "out_16", "out_32"), ("981", "983", "985"))
SIZES = ((0, 16), (16, 32), (32, 96), (96, 1e9))
LEAST_SCORE, NMS_IOU = 0.02, 0.45
NO_DETECTIONS = np.zeros((0, 15))


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -80, 80)))


class NCNNModel:
    def __init__(self, stem):
        self.net = ncnn.Net()
        self.net.opt.num_threads = 2
        self.net.opt.use_fp16_packed = self.net.opt.use_fp16_storage = False
        self.net.opt.use_fp16_arithmetic = self.net.opt.use_bf16_storage = False
        if self.net.load_param(stem + ".param") or self.net.load_model(stem + ".bin"):
            raise SystemExit(f"ncnn refuses {stem}.param or {stem}.bin")
        with open(stem + ".param") as file:
            words = set(file.read().split())
        self.outputs = next(names for names in OUTPUTS if set(names) <= words)

    def run(self, picture):
        """3 × H × W float32, RGB / 255, to three outputs of 3 anchors × cells × 16."""
        extractor = self.net.create_extractor()
        # ncnn.Mat does not keep the array alive.
        picture = np.ascontiguousarray(picture)
        extractor.input("data", ncnn.Mat(picture))
        return [np.array(extractor.extract(name)[1]) for name in self.outputs]

    def detect(self, picture, long_side):
        """Rows of score, box and five points in pixels of the H × W × 3 BGR picture."""
        canvas, padding, factors = letterbox(picture, long_side)
        found = self.candidates(canvas)
        found[:, 1:] = (found[:, 1:] - np.array(padding * 7)) / np.array(factors * 7)
        return suppress(found)

    def candidates(self, canvas):
        """Rows of score, box and five points in pixels of the network's H × W × 3 BGR input."""
        blob = canvas[..., ::-1].transpose(2, 0, 1).astype(np.float32) / 255
        return np.concatenate([
            decode(output, stride, anchors, canvas.shape[1] // stride)
            for output, stride, anchors in zip(self.run(blob), STRIDES, ANCHORS)])


def letterbox(picture, long_side, interpolation=None):
    """The network's input, the padding at its left and top, and input pixels per pixel of the picture,
    horizontally and vertically. What shrinks to less than half is averaged, the rest interpolated."""
    height, width = picture.shape[:2]
    scale = long_side / max(height, width)
    inner = int(height * scale), int(width * scale)
    rows, columns = (-(-side // 32) * 32 for side in inner)
    top, left = (rows - inner[0]) // 2, (columns - inner[1]) // 2
    if interpolation is None:
        interpolation = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    canvas = np.full((rows, columns, 3), 114, np.uint8)
    canvas[top : top + inner[0], left : left + inner[1]] = cv2.resize(
        picture, inner[::-1], interpolation=interpolation)
    return canvas, (left, top), (inner[1] / width, inner[0] / height)


def decode(output, stride, sizes, columns):
    found = []
    for values, size in zip(output, np.array(sizes, np.float32)):
        scores = sigmoid(values[:, OBJECTNESS]) * sigmoid(values[:, CLASS])
        cells = np.flatnonzero(scores > LEAST_SCORE)
        values = values[cells]
        cell = np.stack([cells % columns, cells // columns], 1)
        centre = (sigmoid(values[:, :2]) * 2 - 0.5 + cell) * stride
        sides = (sigmoid(values[:, 2:4]) * 2) ** 2 * size
        points = values[:, LANDMARKS].reshape(-1, 5, 2) * size + (cell * stride)[:, None]
        found.append(np.concatenate([
            scores[cells, None], centre - sides / 2, centre + sides / 2,
            points.reshape(-1, 10)], 1))
    return np.concatenate(found).astype(np.float64)


def suppress(found):
    boxes = np.concatenate([found[:, 1:3], found[:, 3:5] - found[:, 1:3]], 1)
    kept = cv2.dnn.NMSBoxes(boxes.tolist(), found[:, 0].tolist(), 0.0, NMS_IOU)
    return found[np.array(kept, int)] if len(kept) else NO_DETECTIONS


def average_precision(detections, truths, sizes=(0, 1e9)):
    """Area under the precision-recall curve; `truths` are boxes, n × 4, of each photo."""
    def inside(boxes):
        side = np.sqrt(np.maximum((boxes[:, 2:4] - boxes[:, :2]).prod(1), 0))
        return (side >= sizes[0]) & (side < sizes[1])

    scores, hits, faces = [], [], 0
    for found, truth in zip(detections, truths):
        counted = inside(truth) & ((truth[:, 2:4] - truth[:, :2]).min(1, initial=np.inf) > 0)
        free = np.ones(len(truth), bool)
        faces += counted.sum()
        overlaps, fits = iou(found[:, 1:5], truth), inside(found[:, 1:5])
        for i in range(len(found)):
            # A face that counts goes before those that do not.
            near = free & (overlaps[i] >= 0.5)
            near = near & counted if (near & counted).any() else near
            if near.any():
                best = np.where(near, overlaps[i], -1).argmax()
                free[best] = False
                if counted[best]:
                    scores.append(found[i, 0])
                    hits.append(1)
            elif fits[i]:
                scores.append(found[i, 0])
                hits.append(0)
    if not hits or not faces:
        return 0.0
    hits = np.array(hits)[np.argsort(-np.array(scores), kind="stable")]
    recall = np.cumsum(hits) / faces
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall, prepend=0) * precision))


def detect_all(model, folder, collection, long_side):
    """What a model finds in each photo of a collection, and the boxes by people, n × 4."""
    detections, truths = [], []
    for _, picture, label in read_zip(os.path.join(folder, collection + ".zip")):
        detections.append(model.detect(picture, long_side))
        truths.append(np.array(label.get("boxes", []), np.float64).reshape(-1, 4))
    return detections, truths


def landmark_error(model, folder, long_side):
    """Mean error in inter-eye distances, and how many of the faces had no detection."""
    errors, missed = [], 0
    path = os.path.join(folder, POINTS_COLLECTION + ".zip")
    for _, picture, label in read_zip(path, held_out):
        truth = np.array(label["faces"][0][1:15])
        found = model.detect(picture, long_side)
        overlaps = iou(found[:, 1:5], truth[None, :4])[:, 0]
        if not len(found) or overlaps.max() < 0.3:
            missed += 1
            continue
        points = found[overlaps.argmax(), 5:15].reshape(5, 2)
        expected = truth[4:].reshape(5, 2)
        between = np.linalg.norm(expected[0] - expected[1])
        errors.append(np.linalg.norm(points - expected, axis=1).mean() / between)
    return float(np.mean(errors)), missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--photos", required=True)
    parser.add_argument("--long-side", type=int, nargs="+", default=[320, 640])
    options = parser.parse_args()
    model = NCNNModel(options.model)
    for long_side in options.long_side:
        for collection in KEPT_APART:
            detections, truths = detect_all(model, options.photos, collection, long_side)
            by_size = ", ".join(
                f"{low}-{high:g} px {average_precision(detections, truths, (low, high)):.4f}"
                for low, high in SIZES)
            print(
                f"{collection}, long side {long_side}: AP "
                f"{average_precision(detections, truths):.4f} ({by_size})", flush=True)
        error, missed = landmark_error(model, options.photos, long_side)
        print(
            f"long side {long_side}: landmark error {error:.4f}, {missed} faces without detection",
            flush=True)
