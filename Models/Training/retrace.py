# SPDX-License-Identifier: Apache-2.0
"""Redraws the machines' boxes of small faces in prepared photos, as CenterFace draws them enlarged.

    python retrace.py --prepared PREPARED

Around each certain face that people did not box and whose side is under 24 pixels, the photo is enlarged
until the face has 48. Where CenterFace is sure of it there and in the mirror, the mean of both looks replaces
the box; the points stay. Needs what `second_labels.py` needs.
"""

import argparse
import os

import cv2
import numpy as np

from mosaic import FILL, between_pixel_centres
from photos import BOX, BOX_BY_PEOPLE, CERTAIN, Photos
from prepare import iou

# Sides of faces in pixels: those that are redrawn are smaller than the first, and seen at the second.
SMALL, SEEN = 24.0, 48.0
# Of the enlarged part of a photo; at 320 the boxes agree no better with those that people drew.
WINDOW = 192
# What is taken for the face overlaps its box by this, and has at least this mean score.
SAME_FACE_IOU, SURE = 0.4, 0.5
BATCH = 16


def sides_of(boxes):
    """The roots of their areas."""
    return np.sqrt((boxes[..., 2:] - boxes[..., :2]).prod(-1))


class Window:
    """A part of a photo with a face in its middle, enlarged, and how to get there from the photo and back."""

    def __init__(self, picture, box):
        self.scale = SEEN / sides_of(box)
        self.shift = WINDOW / 2 - self.scale * (box[:2] + box[2:]) / 2
        self.box = box * self.scale + np.tile(self.shift, 2)
        matrix = np.column_stack([np.eye(2) * self.scale, self.shift])
        self.pixels = cv2.warpAffine(
            picture, between_pixel_centres(matrix), (WINDOW, WINDOW), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=FILL)

    def surest(self, found):
        """Score and box of what a detector found in the window and is surest of where the face is, 5; None
        where it found nothing there."""
        near = found[iou(found[:, 1:5], self.box[None])[:, 0] >= SAME_FACE_IOU]
        return near[near[:, 0].argmax(), :5] if len(near) else None

    def in_photo(self, box):
        return (box - np.tile(self.shift, 2)) / self.scale


def look(detector, windows, mirrored=False):
    """The surest of each window or of its mirror image, where that is in the window."""
    pixels = np.stack([window.pixels[:, ::-1] if mirrored else window.pixels for window in windows])
    blobs = np.ascontiguousarray(pixels[..., ::-1].transpose(0, 3, 1, 2), np.float32)
    found = detector.candidates(blobs)
    if mirrored:
        for rows in found:
            rows[:, [1, 3]] = WINDOW - rows[:, [3, 1]]
    return [window.surest(rows) for window, rows in zip(windows, found)]


def redraw(detector, windows):
    """The faces' boxes in their photos, None where the detector is not sure."""
    first = look(detector, windows)
    boxes = [None] * len(windows)
    # Most of the smallest faces are not found, and need no second look.
    again = [i for i, seen in enumerate(first) if seen is not None]
    if again:
        for i, seen in zip(again, look(detector, [windows[i] for i in again], mirrored=True)):
            if seen is not None and (first[i][0] + seen[0]) / 2 >= SURE:
                boxes[i] = windows[i].in_photo((first[i][1:] + seen[1:]) / 2)
    return boxes


def asked(photos):
    """The numbers of the photos, each with the row of one of its faces that may be redrawn."""
    for index, photo in enumerate(photos.photos):
        faces = photos.faces(index)
        by_machine = (faces[:, CERTAIN] == 1) & (faces[:, BOX_BY_PEOPLE] == 0)
        for row in np.flatnonzero(by_machine & (sides_of(faces[:, BOX]) < SMALL)):
            yield index, photo["first"] + row


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepared", required=True)
    options = parser.parse_args()
    # The rest of this file needs no more than the other steps do.
    from second_labels import CenterFace
    photos, detector = Photos(options.prepared), CenterFace()
    faces, overlaps, counts = list(asked(photos)), [], {}
    for start in range(0, len(faces), BATCH):
        batch = faces[start : start + BATCH]
        boxes = [photos.rows[row, BOX].astype(np.float64) for _, row in batch]
        windows = [Window(photos.picture(index, 0), box) for (index, _), box in zip(batch, boxes)]
        for (index, row), old, new in zip(batch, boxes, redraw(detector, windows)):
            count = counts.setdefault(photos.collection(index), [0, 0])
            count[0] += 1
            if new is not None:
                count[1] += 1
                overlaps.append(iou(old[None], new[None])[0, 0])
                photos.rows[row, BOX] = new
    for collection, (total, redrawn) in counts.items():
        print(f"{collection}: {total} small faces, {redrawn} redrawn, {total - redrawn} not sure")
    if overlaps:
        print(f"mean IoU of {len(overlaps)} old and new boxes: {np.mean(overlaps):.3f}")
    path = os.path.join(options.prepared, "faces.npy")
    with open(path + "~", "wb") as file:
        np.save(file, photos.rows)
    os.replace(path + "~", path)
