"""Draws where the weights find a face and where they fail, on one photo made ever harder.

    python limits.py --model STEM --photo EXAMPLE.png --box X,Y,WIDTH,HEIGHT --output LIMITS.png

Each row makes one thing harder from left to right: size, blur, turn, cover, light. A green frame and
the score: the face is found at 0.3; a red frame: it is not, with the score of the best candidate.
"""

import argparse

import cv2
import numpy as np

from evaluate import NCNNModel
from prepare import iou

SIDE = 128
# Of the face's box, in pixels, where something else changes.
FACE_HEIGHT = 40
LEAST_SCORE = 0.3
FOUND, MISSED = (80, 200, 60), (60, 60, 230)


def place(photo, box, face_height, turn=0.0):
    """The face at the middle of a SIDE × SIDE picture, and its box there."""
    x, y, width, height = box
    scale = face_height / height
    # warpAffine does not average what it shrinks.
    while scale < 0.5:
        photo = cv2.resize(photo, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        x, y, width, height, scale = x / 2, y / 2, width / 2, height / 2, scale * 2
    centre = (x + width / 2, y + height / 2)
    matrix = cv2.getRotationMatrix2D(centre, turn, scale)
    matrix[:, 2] += SIDE / 2 - np.array(centre)
    picture = cv2.warpAffine(photo, matrix, (SIDE, SIDE), borderValue=(114,) * 3)
    cosine, sine = abs(np.cos(np.radians(turn))), abs(np.sin(np.radians(turn)))
    # A turned head fills the box around a turned ellipse, as in `mosaic`.
    half = np.hypot([width * cosine, width * sine], [height * sine, height * cosine]) * scale / 2
    return picture, np.concatenate([SIDE / 2 - half, SIDE / 2 + half])


def covered(picture, box, share):
    """Grey over a share of the face, from the chin upwards."""
    x0, y0, x1, y1 = box.round().astype(int)
    picture = picture.copy()
    picture[int(y1 - share * (y1 - y0)) : y1 + 2, x0 - 2 : x1 + 2] = 114
    return picture


def rows(photo, box):
    """A row's name and its steps: label, picture, box of the face."""
    yield "height", [
        (f"{size} px", *place(photo, box, size)) for size in (64, 32, 16, 12, 8, 6)]
    picture, face = place(photo, box, FACE_HEIGHT)
    yield "blur", [
        (f"sigma {sigma}", cv2.GaussianBlur(picture, (0, 0), sigma), face)
        for sigma in (1, 2, 3, 4, 6, 8)]
    yield "turn", [
        (f"{turn} deg", *place(photo, box, FACE_HEIGHT, turn)) for turn in (15, 30, 60, 90, 135, 180)]
    yield "cover", [
        (f"{share:.0%}", covered(picture, face, share), face)
        for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7)]
    yield "light", [
        (f"x {light}", (picture * light).astype(np.uint8), face)
        for light in (0.5, 0.25, 0.12, 0.06, 0.04, 0.02)]


def judge(model, picture, face):
    """The score of the detection that is the face; 0 where there is none."""
    found = model.detect(picture, SIDE)
    fitting = found[iou(found[:, 1:5], face[None])[:, 0] >= 0.4]
    return fitting[:, 0].max(initial=0)


def tile(picture, label, score):
    colour = FOUND if score >= LEAST_SCORE else MISSED
    picture = cv2.copyMakeBorder(picture, 2, 22, 2, 2, cv2.BORDER_CONSTANT, value=colour)
    cv2.putText(
        picture, f"{label}: {score:.2f}", (6, SIDE + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1,
        cv2.LINE_AA)
    return picture


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="path of the two files without .param, .bin")
    parser.add_argument("--photo", required=True)
    parser.add_argument("--box", required=True)
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    photo = cv2.imread(options.photo, cv2.IMREAD_COLOR)
    if photo is None:
        raise SystemExit(f"{options.photo}: not a picture")
    model, lines = NCNNModel(options.model), []
    for name, steps in rows(photo, [float(value) for value in options.box.split(",")]):
        scores = [judge(model, picture, face) for _, picture, face in steps]
        lines.append(np.hstack([
            tile(picture, label, score) for (label, picture, _), score in zip(steps, scores)]))
        print(name, ", ".join(f"{step[0]} {score:.2f}" for step, score in zip(steps, scores)))
    cv2.imwrite(options.output, np.vstack(lines))
