#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes Golden: the default model on a picture of 160 x 160, by upstream ncnn and a separate decoder.

  pip install ncnn numpy opencv-python-headless
  python make_golden.py

To be run again when Models/yoloface-n-0.5 changes. It writes

  picture.ppm  a square of the example photo around the face, at half its size
  out_*.npy    the network's outputs in full
  samples.npy  PARTS values of each blob between input and outputs, in the order of golden.json
  golden.json  names and shapes of these blobs; the proposals whose score reaches SCORE, decoded by
               YOLO5Face's formulas, best first; and which of them non-maximum suppression keeps

Blobs are float32 and not rounded; faces are in pixels of the picture, rounded to 0.001, and scores to
0.00001. For the samples, a blob is cut into PARTS runs of values, equally long but for rounding. One value
of each is taken: SplitMix64's next number, modulo the run's length, is its place there. The seed is the
blob's index in golden.json.
"""
import io
import json

import cv2
import numpy as np

from make_fixtures import FOLDER, layer_outputs, replace, run

ROOT = FOLDER.parents[2]
PAIR = [ROOT / "Models" / f"yoloface-n-0.5.{kind}" for kind in ("param", "bin")]
TARGET = FOLDER / "Golden"
# The part of the photo, twice as large as the picture.
LEFT, TOP, SIDE = 65, 0, 160
PARTS = 48
SCORE, OVERLAP = 0.3, 0.45
ANCHORS = {
    8: [(4, 5), (8, 10), (13, 16)],
    16: [(23, 29), (43, 55), (73, 105)],
    32: [(146, 217), (231, 300), (335, 433)],
}


def picture():
    """Rows x columns x RGB."""
    photo = cv2.imread(str(ROOT / "Examples" / "astronaut.png"))[..., ::-1]
    part = photo[TOP : TOP + 2 * SIDE, LEFT : LEFT + 2 * SIDE]
    return cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA)


def split_mix(seed, count):
    """Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014."""
    mask = 2**64 - 1
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & mask
        z = ((seed ^ seed >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        yield z ^ z >> 31


def positions(size, seed):
    """One in each part of a blob of `size` values."""
    edges = [size * part // PARTS for part in range(PARTS + 1)]
    return [first + number % (end - first)
            for first, end, number in zip(edges, edges[1:], split_mix(seed, PARTS))]


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def decode(output, stride):
    """Scores, boxes (left, top, right, bottom) and points of a head's proposals.

    As in Qi et al., "YOLO5Face: Why Reinventing a Face Detector", 2021.
    """
    columns = SIDE // stride
    anchors = np.array(ANCHORS[stride], float)[:, None]
    values = output.astype(float).reshape(3, -1, 16)
    index = np.arange(values.shape[1])
    cell = np.stack([index % columns, index // columns], axis=1)
    middle = (2 * sigmoid(values[..., 0:2]) - 0.5 + cell) * stride
    sides = (2 * sigmoid(values[..., 2:4])) ** 2 * anchors
    points = values[..., 5:15].reshape(3, -1, 5, 2) * anchors[:, :, None] + cell[:, None] * stride
    scores = sigmoid(values[..., 4]) * sigmoid(values[..., 15])
    boxes = np.concatenate([middle - sides / 2, middle + sides / 2], axis=2)
    return scores.ravel(), boxes.reshape(-1, 4), points.reshape(-1, 5, 2)


def overlap(a, b):
    """Intersection over union."""
    width, height = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    shared = max(width, 0) * max(height, 0)
    return shared / (np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared)


def suppress(boxes):
    """The indices of the boxes, best first, that no better one which is kept overlaps too much."""
    kept = []
    for index, box in enumerate(boxes):
        overlaps = [overlap(boxes[other], box) for other in kept]
        # A test must not depend on the last digits.
        assert all(abs(value - OVERLAP) > 0.01 for value in overlaps), f"IoU {overlaps}"
        if all(value <= OVERLAP for value in overlaps):
            kept.append(index)
    return kept


def detect(outputs):
    """The proposals of all heads, best first, and the indices of those that are kept."""
    heads = [decode(outputs[f"out_{stride}"], stride) for stride in ANCHORS]
    scores, boxes, points = (np.concatenate(parts) for parts in zip(*heads))
    assert (np.abs(scores - SCORE) > 1e-3).all(), "a score is near the threshold"
    assert all((head[0] >= SCORE).any() for head in heads), "a head finds nothing"
    order = [index for index in np.argsort(-scores) if scores[index] >= SCORE]
    candidates = [
        {"score": round(scores[index], 5), "box": boxes[index].round(3).tolist(),
         "landmarks": points[index].round(3).tolist()}
        for index in order]
    return candidates, suppress(boxes[order])


def save(name, array):
    stream = io.BytesIO()
    np.save(stream, array)
    replace(TARGET / name, stream.getvalue())


def lines(items):
    return "[\n" + ",\n".join("  " + json.dumps(item) for item in items) + "\n ]"


if __name__ == "__main__":
    param, weights = PAIR[0].read_text(), PAIR[1].read_bytes()
    names = [name for line in param.splitlines()[2:] for name in layer_outputs(line)]
    rgb = picture()
    planes = np.ascontiguousarray(rgb.transpose(2, 0, 1)).astype(np.float32) / np.float32(255)
    blobs = run(param, weights, {"data": planes}, names)
    outputs = {name: blobs[name] for name in names if name.startswith("out_")}
    inner = [name for name in names if name not in outputs and name != "data"]
    samples = [blobs[name].ravel()[positions(blobs[name].size, seed)] for seed, name in enumerate(inner)]
    candidates, kept = detect(outputs)

    TARGET.mkdir(exist_ok=True)
    replace(TARGET / "picture.ppm", b"P6 %d %d 255\n" % rgb.shape[1::-1] + rgb.tobytes())
    for name, blob in outputs.items():
        save(f"{name}.npy", blob)
    save("samples.npy", np.stack(samples))
    replace(
        TARGET / "golden.json",
        f'{{"scoreThreshold": {SCORE}, "iouThreshold": {OVERLAP},\n'
        f' "candidates": {lines(candidates)},\n "kept": {kept},\n'
        f' "blobs": {lines({"name": name, "shape": list(blobs[name].shape)} for name in inner)}}}\n')
    size = sum(file.stat().st_size for file in TARGET.iterdir())
    print(f"{len(inner)} blobs, {len(candidates)} proposals, {len(kept)} faces, {size} bytes")
