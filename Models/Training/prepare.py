# SPDX-License-Identifier: Apache-2.0
"""Unpacks the zips of photos and settles on their labels.

    python prepare.py --photos ZIPS --output PREPARED [--second LABELS] [--own LABELS] [--limit N]

ZIPS holds COLLECTION.zip files of pictures with a `labels.json` each (see README.md). LABELS holds
COLLECTION.json files of `second_labels.py`: where they are there, a face counts as certain only if
both detectors agree on it or one of them is very sure. `own_labels.py` adds the opinion of weights
that were trained before: it decides where the two disagree, and which photos without faces are shown
more often, because a face was found there.
"""

import argparse
import json
import os

import numpy as np

from photos import (
    CERTAIN, FACE_COLUMNS, POINTS, POINTS_WEIGHT, Writer, read_labels, read_zip)

# The photos with points by people; some are never trained on, for the landmark error.
POINTS_COLLECTION = "net"
# Photos without faces; some are never trained on, to count false finds.
NEGATIVES = "negatives"
# Photos where people drew a box around every face; where they gave no points, these are -1.
BOXES_COLLECTIONS = ("events", "wider2")
# Boxes by people for photos of other collections: collection to photo to {"boxes": n × 4}.
PEOPLES_BOXES = "human_boxes.json"
# For `evaluate.py` alone.
KEPT_APART = ("validation", "validation_events")
PEOPLE_WEIGHT = 3.0
# What the second detector alone takes for a face with less than this is background, and the best of
# it: most of it only looks like a face.
LEAST_SECOND_SCORE = 0.25
# Our own earlier weights take for a face what they give the first score, for background what they
# give less than the second.
OWN_FACE, OWN_BACKGROUND = 0.5, 0.1
# How often a photo without faces is shown where nothing is taken for one; otherwise, by the highest score more.
LEAST_CHANCE = 0.2
# Detectors draw their boxes larger than people do: shrunk by this, the boxes of weights that learnt from
# detectors alone agree best with the people's boxes of `events`.
MACHINE_BOX = 0.95


def held_out(position):
    """500 of the 3,400 photos with points by people, or 135 of the 900 without faces, spread evenly."""
    return position % 34 < 5


def is_kept_apart(collection, position):
    """Whether a photo is held out of a collection that is otherwise trained on."""
    return collection in (POINTS_COLLECTION, NEGATIVES) and held_out(position)


def iou(a, b):
    """Of every box of a, n × 4, with every box of b, m × 4: n × m."""
    a, b = a[:, None], b[None]
    sides = np.minimum(a[..., 2:], b[..., 2:]) - np.maximum(a[..., :2], b[..., :2])
    overlap = np.clip(sides, 0, None).prod(-1)
    areas = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1)
    return overlap / np.maximum(areas - overlap, 1e-9)


def matched(first, second, least):
    """Pairs of rows (score, box, points) of two lists, best overlap first, each row once."""
    overlaps = iou(first[:, 1:5], second[:, 1:5])
    pairs = []
    while overlaps.size and overlaps.max() >= least:
        i, j = np.unravel_index(overlaps.argmax(), overlaps.shape)
        pairs.append((i, j))
        overlaps[i], overlaps[:, j] = -1, -1
    return pairs


def row(certain, face, weight, by_people=False):
    """Machine-made points count as much as the detector is sure of the face."""
    low, high = face[1:3], face[3:5]
    centre, half = (low + high) / 2, (high - low) / 2 * (1 if by_people else MACHINE_BOX)
    columns = [[certain], centre - half, centre + half, face[5:15], [weight, by_people]]
    return np.concatenate(columns).astype(np.float32)


def faces_with_peoples_boxes(labelled):
    return [row(1, face, (face[5:15] != -1).any(), by_people=True) for face in labelled]


def settled_by_people(rows, boxes):
    """Prepared rows of a photo where people drew `boxes`, n × 4: what both found has the people's box, what
    people alone found has no points, and what detectors alone found is uncertain."""
    machine = np.array(rows, np.float32).reshape(-1, FACE_COLUMNS)
    found = np.array([row(1, np.concatenate([[1], box, np.full(10, -1)]), 0, True) for box in boxes])
    machine[:, CERTAIN] = 0
    pairs = matched(machine, found, 0.35)
    for i, j in pairs:
        found[j, POINTS], found[j, POINTS_WEIGHT] = machine[i, POINTS], machine[i, POINTS_WEIGHT]
    return [*found, *np.delete(machine, [i for i, _ in pairs], axis=0)]


def own_score(face, own):
    """What our earlier weights think of a face; None where they were not asked."""
    if own is None:
        return None
    overlaps = iou(face[None, 1:5], own[:, 1:5])[0]
    return own[overlaps.argmax(), 0] if overlaps.max(initial=0) > 0.4 else 0


def lone_face(face, sure, very_sure, own):
    """The prepared row of a face that one detector sees, by the score of which it is sure or very
    sure; None where it is background."""
    opinion = own_score(face, own)
    if opinion is None:
        return row(face[0] > very_sure, face, 0)
    if opinion < OWN_BACKGROUND and face[0] < sure:
        return None
    return row(opinion > OWN_FACE or (face[0] > very_sure and opinion >= OWN_BACKGROUND), face, 0)


def machine_faces(first, second, own):
    """The detectors' faces (score, box, points) as prepared rows."""
    if second is None:
        return [row(face[0] > 0.5, face, face[0] > 0.5) for face in first]
    second = second[second[:, 0] > LEAST_SECOND_SCORE]
    pairs = matched(first, second, 0.45)
    rows = []
    for i, j in pairs:
        certain = first[i, 0] > 0.5 or second[j, 0] > 0.35
        rows.append(row(certain, (first[i] + second[j]) / 2, certain))
    for i in set(range(len(first))) - {i for i, _ in pairs}:
        rows.append(lone_face(first[i], 0.5, 0.65, own))
    for j in set(range(len(second))) - {j for _, j in pairs}:
        rows.append(lone_face(second[j], 0.4, 0.5, own))
    return [row for row in rows if row is not None]


def chance_of(collection, own):
    if collection != NEGATIVES or own is None:
        return 1.0
    return LEAST_CHANCE + own[:, 0].max(initial=0)


def faces_with_peoples_points(labelled, second):
    """A photo where people gave points for one face; the rest of it is up to the second detector.

    People drew these boxes in another style than the other collections', so they are not taught:
    the detector's box goes with the people's points. Returns None where it has none.
    """
    found = matched(labelled, second, 0.3)
    if not found:
        return None
    rows = []
    for j, face in enumerate(second):
        if j == found[0][1]:
            face = np.concatenate([face[:5], labelled[0, 5:15]])
            rows.append(row(1, face, PEOPLE_WEIGHT))
        elif face[0] >= LEAST_SECOND_SCORE:
            rows.append(row(face[0] > 0.4, face, face[0] > 0.5))
    return rows


def read_peoples_boxes(folder):
    path = os.path.join(folder, PEOPLES_BOXES)
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def prepare(collection, options, writer):
    second_labels = read_labels(options.second, collection)
    own_labels = read_labels(options.own, collection)
    peoples_boxes = read_peoples_boxes(options.photos).get(collection, {})
    points_by_people = collection == POINTS_COLLECTION

    def wanted(position):
        within = options.limit is None or position < options.limit
        return within and not is_kept_apart(collection, position)

    for name, picture, label in read_zip(os.path.join(options.photos, collection + ".zip"), wanted):
        first = np.array(label["faces"], np.float64).reshape(-1, 15)
        second = second_labels.get(name)
        if collection in BOXES_COLLECTIONS:
            rows = faces_with_peoples_boxes(first)
        elif not points_by_people:
            rows = machine_faces(first, second, own_labels.get(name))
        elif second is not None:
            rows = faces_with_peoples_points(first, second)
        else:
            # The neighbours are not labelled: only the face itself can be shown.
            x0, y0, x1, y1 = (int(round(v)) for v in first[0, 1:5])
            x0, y0 = max(x0, 0), max(y0, 0)
            picture = picture[y0:y1, x0:x1]
            first[0, 1:15] -= [x0, y0] * 7
            rows = [row(1, first[0], PEOPLE_WEIGHT)]
        if name in peoples_boxes:
            rows = settled_by_people(rows, np.array(peoples_boxes[name]["boxes"]))
        if rows is not None:
            writer.add(collection, picture, rows, chance_of(collection, own_labels.get(name)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--second")
    parser.add_argument("--own")
    parser.add_argument("--limit", type=int, help="at most so many photos of each collection")
    options = parser.parse_args()
    writer = Writer(options.output)
    for name in sorted(os.listdir(options.photos)):
        collection, kind = os.path.splitext(name)
        if kind == ".zip" and collection not in KEPT_APART:
            before = len(writer.photos), len(writer.faces)
            prepare(collection, options, writer)
            print(
                f"{collection}: {len(writer.photos) - before[0]} photos, "
                f"{len(writer.faces) - before[1]} faces", flush=True)
    writer.close()
