# SPDX-License-Identifier: Apache-2.0
"""Trains a model's int8 form, made by `yoloface quantize`, to agree with the model.

    python finetune_int8.py --model STEM --int8 STEM --photos ZIPS --output STEM [--minutes 30]
        [--exact LAYERS]

The rounded network learns to give the numbers that the exact one gives; no labels are needed. It learns
weights, biases, and the scale at which each blob is clipped. Layers may stay as the model has them, in
floating point (--exact). The photos are those of training; none is among those that `evaluate.py` measures
with. (Learnt steps: Esser et al., "Learned Step Size Quantization", 2020, https://arxiv.org/abs/1902.08153.)
"""

import argparse
import math
import os
import time

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from calibration_photos import read_spread
from heads import CLASS, OBJECTNESS, VALUES
from int8_network import Int8Network
from ncnn_files import read, replacing, write

# Photos of each collection that are kept in memory.
COUNTS = {
    "msed": 260, "net": 220, "udacity": 30, "jol": 160, "negatives": 60, "sht": 200, "maskon": 30, "muk": 20,
    "mit": 30, "cht": 30, "events": 260}
LARGEST_SIDE = 900
LONG_SIDES = 320, 320, 320, 448, 640, 640, 800
SIDE, BATCH = 320, 6
GREY = 114
WARM_UP_STEPS = 20
# Steps of blobs are learnt relative to their size.
STEP_RATE = 3


def keeping(exact, layers, names):
    """The layers, those of these names as the exact network has them."""
    kept = {layer.name: layer for layer in exact if layer.name in names}
    assert len(kept) == len(names), f"{names}: the model has not all of these layers"
    return [kept.get(layer.name, layer) for layer in layers]


def load_photos(zips):
    """H × W × 3 RGB pictures of the collections that there are."""
    pictures = []
    for collection, count in COUNTS.items():
        if not os.path.exists(os.path.join(zips, collection + ".zip")):
            continue
        for _, picture in read_spread(zips, collection, count):
            scale = min(1, LARGEST_SIDE / max(picture.shape[:2]))
            pictures.append(resized(picture, scale)[..., ::-1])
    return pictures


def resized(picture, scale):
    method = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=method)


def crop(pictures, generator):
    """A square of a photo that is resized at random, with a grey border where it is too small."""
    picture = np.ascontiguousarray(pictures[generator.integers(len(pictures))])
    scale = generator.choice(LONG_SIDES) / max(picture.shape[:2]) * generator.uniform(0.85, 1.15)
    picture = resized(picture, scale)
    canvas = np.full((SIDE, SIDE, 3), GREY, np.uint8)
    source, target = [], []
    for length in picture.shape[:2]:
        inside, outside = max(0, length - SIDE), max(0, SIDE - length)
        first, start = generator.integers(inside + 1), generator.integers(outside + 1)
        count = min(length, SIDE)
        source.append(slice(first, first + count))
        target.append(slice(start, start + count))
    canvas[tuple(target)] = picture[tuple(source)]
    return canvas[:, ::-1] if generator.random() < 0.5 else canvas


def disagreement(exact, rounded):
    """How far numbers are apart, most where either network sees a face."""
    total = weights = 0
    for a, b in zip(exact, rounded):
        a, b = (x.unflatten(1, (-1, VALUES)) for x in (a, b))
        score = torch.maximum(face_score(a), face_score(b)).detach()
        error = F.smooth_l1_loss(b, a, reduction="none", beta=0.5)
        # Scores matter far down: precision is averaged over all of them.
        weight = score.sqrt()
        total += (weight * (error[:, :, OBJECTNESS] + error[:, :, CLASS])).sum()
        boxes = error[:, :, :OBJECTNESS].sum(2)
        points = error[:, :, OBJECTNESS + 1 : CLASS].sum(2)
        total += (score * (2 * boxes + 0.5 * points)).sum()
        weights += weight.sum()
    return total / weights


def face_score(numbers):
    return torch.sigmoid(numbers[:, :, OBJECTNESS]) * torch.sigmoid(numbers[:, :, CLASS])


def finetune(exact, rounded, pictures, options):
    generator = np.random.default_rng(options.seed)
    groups = [
        {"params": [*rounded.weights.values(), *rounded.biases.values()], "relative": 1},
        *({"params": [step], "relative": STEP_RATE * float(step.detach())}
          for step in rounded.steps.values())]
    optimiser = torch.optim.Adam(groups)
    start, step, average = time.monotonic(), 0, None
    while (passed := (time.monotonic() - start) / (60 * options.minutes)) < 1:
        rate = options.rate * (1 + math.cos(math.pi * passed)) / 2 * min(1, (step + 1) / WARM_UP_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = rate * group["relative"]
        batch = torch.from_numpy(np.stack([crop(pictures, generator) for _ in range(BATCH)]))
        batch = batch.permute(0, 3, 1, 2).float() / 255
        with torch.no_grad():
            wanted = exact(batch)
        loss = disagreement(wanted, rounded(batch))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(rounded.parameters(), 1)
        optimiser.step()
        step += 1
        average = loss.item() if average is None else 0.97 * average + 0.03 * loss.item()
        if step % 50 == 0:
            print(f"step {step}, {passed:.0%}, disagreement {average:.4f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the exact pair without extension")
    parser.add_argument("--int8", required=True, help="the same of the int8 pair to start from")
    parser.add_argument("--photos", required=True, help="folder of the collections' zips")
    parser.add_argument("--output", required=True)
    parser.add_argument("--exact", nargs="*", default=[], help="names of layers")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    # Threads of one process wait for each other in the backward pass.
    torch.set_num_threads(1)
    exact = read(options.model)
    rounded = Int8Network(keeping(exact, read(options.int8), options.exact))
    finetune(Int8Network(exact), rounded, load_photos(options.photos), options)
    rounded.update_layers()
    with replacing(options.output) as stem:
        count = write(rounded.layers, stem)
    print(f"{options.output}.bin: {count} bytes")
