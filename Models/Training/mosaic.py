# SPDX-License-Identifier: Apache-2.0
"""Training pictures: mosaics of photos, scaled, turned, mirrored and spoiled as photos get spoiled.

A mosaic is a grid of one to 36 cells, each with a photo of its own, so that faces come in every
size from 4 pixels to more than the mosaic whatever the photos hold.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import torch

from blank import blank_picture
from loss import BOX_WEIGHT, COLUMNS, IGNORED, LANDMARK_WEIGHT
from photos import BOX, BOX_BY_PEOPLE, CERTAIN, LEVELS, POINTS, POINTS_WEIGHT, Photos
from spoil import blur_faces, spoil_colours, spoil_face, spoil_picture

FILL = (114, 114, 114)


@dataclass
class Kind:
    """A kind of mosaic: how often it comes, how often a cell takes its photo from a collection, and how
    often it has 1, 2, 3, 4 or 6 cells on a side."""

    share: float
    collections: dict
    cells: list

    @property
    def is_portrait(self):
        return self in (PORTRAITS, FILLED)


# Left to chance, faces large enough to show where their points are would be too few: each cell of a
# portrait has one face that fills a third of it or more, and a filled frame is one from edge to edge, as
# crops for recognition are. In mosaics of crowds, photos stay near the size that the network sees them in,
# whole, and mostly as they are; smaller or spoiled ones would leave nothing of their faces.
MIXED = Kind(
    0.16, {
        "msed": 3.5, "net": 2.5, "sht": 1.5, "jol": 1.6, "maskon": 1.2, "muk": 0.8, "udacity": 0.7,
        "cht": 0.8, "mit": 0.2, "negatives": 5.0, "events": 3.0, "wider2": 1.0, "sport": 1.5},
    [0.40, 0.34, 0.15, 0.08, 0.03])
PORTRAITS = Kind(
    0.14, {"net": 5.0, "msed": 2.0, "jol": 1.0, "udacity": 1.0, "maskon": 0.5, "events": 0.5},
    [0.62, 0.26, 0.10, 0.02, 0])
FILLED = Kind(
    0.05, {"net": 4.0, "msed": 2.0, "jol": 1.0, "udacity": 1.0, "maskon": 0.5}, [0.8, 0.2, 0, 0, 0])
CROWDS = Kind(
    0.62, {"events": 6.0, "wider2": 2.0, "sht": 1.0, "sport": 1.0, "negatives": 1.5},
    [0.7, 0.3, 0, 0, 0])
BLANK = Kind(0.03, {}, [])
KINDS = (MIXED, PORTRAITS, FILLED, CROWDS, BLANK)
# The share of the mosaics of crowds that are spoiled; the other kinds always are.
CROWDS_SPOILED = 0.25
# No cell is to be much smaller than this.
LEAST_CELL = 50
# The person's left and right change places in a mirror.
MIRRORED_POINTS = [1, 0, 2, 4, 3]
# Below this a face is no longer recognisable; it is ignored, not background. People drew smaller ones
# than machines find.
SMALLEST_FACE, SMALLEST_BY_PEOPLE = 6.0, 4.0
LEAST_VISIBLE = 0.4
# A box that people drew counts as much as two of a machine.
WEIGHT_BY_PEOPLE = 2.0


class Mosaics:
    """Endless batches: N × 3 × size × size uint8, RGB, their faces' rows (see `loss`), and which of the N
    are of crowds.

    Each batch takes one of the sizes, and as many pictures as make `batch` of the first size.
    """

    def __init__(self, folder, sizes, batch, seed):
        self.photos = Photos(folder)
        self.sizes, self.batch = sizes, batch
        self.random = np.random.default_rng(seed)
        self.members = {}
        for index in range(len(self.photos)):
            self.members.setdefault(self.photos.collection(index), []).append(index)
        self.portraits = {
            name: [i for i in members if (self.photos.faces(i)[:, POINTS_WEIGHT] > 0).any()]
            for name, members in self.members.items()}

    def batches(self):
        cv2.setNumThreads(0)
        while True:
            pictures, rows, crowds = [], [], []
            size = int(self.random.choice(self.sizes))
            for position in range(max(2, round(self.batch * (self.sizes[0] / size) ** 2))):
                picture, faces, is_crowd = self.mosaic(size)
                faces[:, 0] = position
                pictures.append(picture[..., ::-1].transpose(2, 0, 1))
                rows.append(faces)
                crowds.append(is_crowd)
            yield (
                torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.concatenate(rows)),
                torch.tensor(crowds))

    def mosaic(self, size):
        kind = KINDS[self.random.choice(len(KINDS), p=[kind.share for kind in KINDS])]
        if kind is BLANK:
            return blank_picture(size, self.random), np.zeros((0, COLUMNS), np.float32), False
        canvas = np.full((size, size, 3), FILL, np.uint8)
        rows = []
        count = min(self.random.choice([1, 2, 3, 4, 6], p=kind.cells), size // LEAST_CELL)
        spoiled = kind is not CROWDS or self.random.random() < CROWDS_SPOILED
        tops = self.cuts(size, count)
        for top, bottom in zip(tops, tops[1:]):
            lefts = self.cuts(size, count)
            for left, right in zip(lefts, lefts[1:]):
                self.fill(canvas[top:bottom, left:right], (left, top), kind, spoiled, rows)
        rows = np.array(rows, np.float32).reshape(-1, COLUMNS)
        if spoiled:
            canvas = spoil_picture(canvas, self.random)
        return canvas, rows, kind is CROWDS

    def cuts(self, size, count):
        edges = np.linspace(0, size, count + 1)
        edges[1:-1] += self.random.uniform(-0.25, 0.25, count - 1) * size / count
        return edges.astype(int)

    def pick(self, kind):
        """A photo's number: a collection by its share, then one of its members by theirs."""
        shares, members = kind.collections, self.portraits if kind.is_portrait else self.members
        names = [name for name in members if members[name] and name in shares]
        chances = np.array([shares[name] for name in names])
        chosen = members[self.random.choice(names, p=chances / chances.sum())]
        chances = self.photos.chances[chosen]
        return self.random.choice(chosen, p=chances / chances.sum())

    def fill(self, cell, corner, kind, spoiled, rows):
        height, width = cell.shape[:2]
        if height < 16 or width < 16:
            return
        photo = self.pick(kind)
        faces = self.photos.faces(photo)
        placed = self.placement(photo, faces, width, height, kind)
        # The smallest that need not be enlarged; crops are often enlarged from few pixels.
        level = 0 if placed.scale > 0.5 else 1 if placed.scale > 0.25 else 2
        if kind is FILLED:
            level = int(self.random.integers(LEVELS))
        source = self.photos.picture(photo, level)
        full_height, full_width = self.photos.size(photo)
        shrink = np.diag([full_width / source.shape[1], full_height / source.shape[0], 1.0])
        matrix = between_pixel_centres(placed.matrix @ shrink)
        picture = cv2.warpAffine(
            source, matrix, (width, height), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT, borderValue=FILL)
        if spoiled:
            # Blurred, tiny faces are none any more.
            picture = spoil_colours(picture, self.random, blurred=kind is not CROWDS)
        shown = [row for face in faces if (row := placed.face(face, width, height)) is not None]
        if spoiled:
            for row in shown:
                spoil_face(picture, row, self.random)
            picture = blur_faces(picture, shown, self.random)
        for row in shown:
            row[[1, 5, 7, 9, 11, 13]] += corner[0]
            row[[2, 6, 8, 10, 12, 14]] += corner[1]
        rows.extend(shown)
        cell[:] = picture

    def placement(self, photo, faces, width, height, kind):
        """Where a photo goes in a cell: mostly so that one of its faces is seen."""
        portrait, filled, crowd = kind.is_portrait, kind is FILLED, kind is CROWDS
        full_height, full_width = self.photos.size(photo)
        fit = min(width / full_width, height / full_height)
        cover = max(width / full_width, height / full_height)
        scale = self.log_uniform(fit * 0.8, cover * (1.1 if crowd else 1.9))
        centre, target = (full_width / 2, full_height / 2), self.random.uniform(0.3, 0.7, 2)
        if len(faces):
            chances = faces[:, POINTS_WEIGHT] if portrait else np.ones(len(faces))
            box = faces[self.random.choice(len(faces), p=chances / chances.sum()), BOX]
            if portrait or (not crowd and self.random.random() < 0.35):
                least = 0.6 if filled else 0.35 if portrait else 8 / min(width, height)
                aim = self.log_uniform(least, 1.3 if filled else 0.9) * min(width, height)
                scale = max(aim / max(box[2] - box[0], box[3] - box[1], 1), fit * 0.5)
            if portrait or self.random.random() < 0.7:
                centre = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
                spread = 0.1 if filled else 0.2 if portrait else 0.4
                target = self.random.uniform(0.5 - spread, 0.5 + spread, 2)
        scale = min(scale, 8 if filled else 3.2 if portrait else 2.2)
        mirrored = self.random.random() < 0.5
        # A turned photo's tiny faces are blurred, and their boxes a guess.
        turns = [0.85, 0.12, 0.03] if crowd else [0.55, 0.35, 0.10]
        turn = self.random.choice([4, 30, 100], p=turns)
        mirrored_centre = np.array([full_width - centre[0] if mirrored else centre[0], centre[1]])
        shift = target * (width, height) - mirrored_centre * scale
        room = np.array([width - full_width * scale, height - full_height * scale])
        # As little fill as can be: a larger photo covers the cell, a smaller one stays inside.
        shift = np.clip(shift, np.minimum(room, 0), np.maximum(room, 0))
        return Placement(
            centre, shift + mirrored_centre * scale, scale,
            np.radians(self.random.uniform(-turn, turn)), mirrored)

    def log_uniform(self, low, high):
        return float(np.exp(self.random.uniform(np.log(low), np.log(max(low, high)))))


def between_pixel_centres(matrix):
    """A 2 × 3 matrix for warpAffine, whose coordinates begin at the middle of the first pixel; those of
    faces begin at its edge."""
    linear = matrix[:, :2]
    return np.column_stack([linear, matrix[:, 2] + linear @ (0.5, 0.5) - 0.5])


class Placement:
    """A similarity from photo to cell, mirrored or not, as a 2 × 3 matrix."""

    def __init__(self, centre, target, scale, angle, mirrored):
        self.scale, self.mirrored = scale, mirrored
        self.cosine, self.sine = abs(np.cos(angle)), abs(np.sin(angle))
        linear = scale * np.array([
            [np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if mirrored:
            linear = linear @ np.diag([-1.0, 1.0])
        self.matrix = np.column_stack([linear, np.asarray(target) - linear @ np.asarray(centre)])

    def map(self, points):
        return points @ self.matrix[:, :2].T + self.matrix[:, 2]

    def face(self, face, width, height):
        """The face's row in the cell; None where it is not in it."""
        x0, y0, x1, y1 = face[BOX]
        centre = self.map(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]))[0]
        # A turned head fills the box around a turned ellipse, not around a turned box.
        sides = self.scale * np.array([x1 - x0, y1 - y0])
        across = np.hypot(sides[0] * self.cosine, sides[1] * self.sine)
        down = np.hypot(sides[0] * self.sine, sides[1] * self.cosine)
        low = np.maximum(centre - (across / 2, down / 2), 0)
        high = np.minimum(centre + (across / 2, down / 2), (width, height))
        if (high - low).min() <= 0:
            return None
        visible = (high - low).prod() / (across * down)
        points = self.map(face[POINTS].reshape(5, 2))
        if self.mirrored:
            points = points[MIRRORED_POINTS]
        row = np.zeros(COLUMNS, np.float32)
        row[1:3], row[3:5], row[5:15] = (low + high) / 2, high - low, points.ravel()
        by_people = face[BOX_BY_PEOPLE] != 0
        smallest = SMALLEST_BY_PEOPLE if by_people else SMALLEST_FACE
        row[IGNORED] = (
            face[CERTAIN] == 0 or visible < LEAST_VISIBLE or (high - low).min() < smallest)
        row[BOX_WEIGHT] = WEIGHT_BY_PEOPLE if by_people else 1
        # The points of a small face say less about where to look, and machines place them badly.
        clear = min(np.sqrt(across * down) / 40, 1) * visible
        row[LANDMARK_WEIGHT] = face[POINTS_WEIGHT] * clear**2
        return row
