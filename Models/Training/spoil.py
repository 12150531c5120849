# SPDX-License-Identifier: Apache-2.0
"""What cameras, hands and compression do to pictures."""

import cv2
import numpy as np

from loss import IGNORED, LANDMARK_WEIGHT


def spoil_colours(picture, random, blurred=True):
    """Contrast, brightness, gamma, night, hue, saturation, black and white, and blur, at random."""
    if random.random() < 0.9:
        levels = (np.arange(256) / 255) ** random.uniform(0.65, 1.5) * 255 - 128
        levels = levels * random.uniform(0.6, 1.4) + 128 + random.uniform(-30, 30)
        if random.random() < 0.05:
            levels = levels * random.uniform(0.15, 0.6)
        picture = cv2.LUT(picture, np.clip(levels, 0, 255).astype(np.uint8))
    if random.random() < 0.3:
        table = np.empty((1, 256, 3), np.uint8)
        table[..., 0] = (np.arange(256) + random.integers(-8, 9)) % 180
        table[..., 1] = np.clip(np.arange(256) * random.uniform(0.3, 1.7), 0, 255)
        table[..., 2] = np.arange(256)
        picture = cv2.cvtColor(
            cv2.LUT(cv2.cvtColor(picture, cv2.COLOR_BGR2HSV), table), cv2.COLOR_HSV2BGR)
    if random.random() < 0.1:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if blurred and random.random() < 0.2 and min(picture.shape[:2]) > 24:
        picture = blur(picture, random)
    return picture


def blur(picture, random):
    """Out of focus, moved, or enlarged from fewer pixels."""
    height, width = picture.shape[:2]
    kind = random.integers(3)
    if kind == 0:
        return cv2.GaussianBlur(picture, (0, 0), random.uniform(0.5, 2.5))
    if kind == 1:
        length = 2 * int(random.integers(1, 5)) + 1
        turn = cv2.getRotationMatrix2D(((length - 1) / 2,) * 2, random.uniform(0, 180), 1)
        line = np.zeros((length, length), np.float32)
        line[length // 2] = 1
        line = cv2.warpAffine(line, turn, (length, length))
        return cv2.filter2D(picture, -1, line / max(line.sum(), 1e-6))
    shrink = random.uniform(1.5, 3.5)
    small = cv2.resize(
        picture, (max(4, int(width / shrink)), max(4, int(height / shrink))),
        interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)


def blur_faces(picture, rows, random):
    """Moves one picture in seven, or puts it out of focus, by up to 0.55 of the width of one of its faces.

    A face that is hardly wider than that is to be ignored, and the points of the others count less.
    """
    widths = [row[3] for row in rows if not row[IGNORED]]
    if random.random() > 0.15 or not widths:
        return picture
    reach = random.uniform(0.1, 0.55) * random.choice(widths)
    if reach < 2:
        return picture
    kind, length = random.choice(["across", "down", "focus"], p=[0.6, 0.15, 0.25]), round(reach) | 1
    if kind == "focus":
        picture = cv2.GaussianBlur(picture, (0, 0), reach / 4)
    else:
        picture = cv2.blur(picture, (length, 1) if kind == "across" else (1, length))
    for row in rows:
        share = reach / row[3]
        row[IGNORED] = max(row[IGNORED], share > 0.6)
        row[LANDMARK_WEIGHT] *= max(1 - share, 0)
    return picture


def spoil_face(picture, row, random):
    """Covers a part of one face in six: a band from one side, of one colour or of the picture.

    The face stays a face; its points count half, as one has to guess those that are covered.
    """
    width, height = row[3:5]
    if random.random() > 0.17 or min(width, height) < 12 or row[IGNORED]:
        return
    x0, y0 = row[1:3] - row[3:5] / 2
    side = random.integers(4)
    # From below as masks and hands do; without its eyes or a half of it a face is hardly one.
    share = random.uniform(0.15, 0.6 if side == 3 else 0.4)
    if side < 2:
        left = x0 if side == 0 else x0 + width * (1 - share)
        left, right, top, bottom = left, left + width * share, y0, y0 + height
    else:
        top = y0 if side == 2 else y0 + height * (1 - share)
        left, right, top, bottom = x0, x0 + width, top, top + height * share
    left, top = max(int(left), 0), max(int(top), 0)
    part = picture[top : int(bottom), left : int(right)]
    if part.size == 0:
        return
    if random.random() < 0.5:
        part[:] = random.integers(0, 256, 3)
    else:
        y = random.integers(0, picture.shape[0] - part.shape[0] + 1)
        x = random.integers(0, picture.shape[1] - part.shape[1] + 1)
        part[:] = picture[y : y + part.shape[0], x : x + part.shape[1]].copy()
    row[LANDMARK_WEIGHT] *= 0.5


def spoil_picture(picture, random):
    """Noise and JPEG."""
    if random.random() < 0.12:
        noise = random.normal(0, random.uniform(2, 12), picture.shape)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    if random.random() < 0.2:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(12, 85))]
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)
    return picture
