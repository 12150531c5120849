"""Unpacks the zips of photos and settles on their labels.

    python prepare.py --photos ZIPS --output PREPARED [--second LABELS] [--limit N]

ZIPS holds COLLECTION.zip files of pictures with a `labels.json` each (see README.md). LABELS holds
COLLECTION.json files of `second_labels.py`: where they are there, a face counts as certain only if
both detectors agree on it or one of them is very sure.
"""

import argparse
import json
import os

import numpy as np

from photos import Writer, read_zip

# The photos of `net` with points by people that are never trained on, for the landmark error.
POINTS_COLLECTION = "net"
PEOPLE_WEIGHT = 3.0
# What the second detector alone takes for a face with less than this is background, and the best of
# it: most of it only looks like a face.
LEAST_SECOND_SCORE = 0.25


def held_out(position):
    """500 of the 3,400 photos with points by people, spread evenly."""
    return position % 34 < 5


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


def row(certain, face, weight):
    """Machine-made points count as much as the detector is sure of the face."""
    return np.concatenate([[certain], face[1:15], [weight]]).astype(np.float32)


def machine_faces(first, second):
    """First and second detector's faces (score, box, points) as prepared rows."""
    if second is None:
        return [row(face[0] > 0.5, face, face[0] > 0.5) for face in first]
    second = second[second[:, 0] > LEAST_SECOND_SCORE]
    pairs = matched(first, second, 0.45)
    rows = []
    for i, j in pairs:
        certain = first[i, 0] > 0.5 or second[j, 0] > 0.35
        rows.append(row(certain, (first[i] + second[j]) / 2, certain))
    for i in set(range(len(first))) - {i for i, _ in pairs}:
        rows.append(row(first[i, 0] > 0.65, first[i], 0))
    for j in set(range(len(second))) - {j for _, j in pairs}:
        rows.append(row(second[j, 0] > 0.5, second[j], 0))
    return rows


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
        if face[0] < LEAST_SECOND_SCORE:
            continue
        if j == found[0][1]:
            face = np.concatenate([face[:5], labelled[0, 5:15]])
            rows.append(row(1, face, PEOPLE_WEIGHT))
        else:
            rows.append(row(face[0] > 0.4, face, face[0] > 0.5))
    return rows


def prepare(collection, photos, second_folder, writer, limit):
    second_labels = None
    path = os.path.join(second_folder, collection + ".json") if second_folder else None
    if path and os.path.exists(path):
        with open(path) as file:
            second_labels = json.load(file)
    points_by_people = collection == POINTS_COLLECTION

    def wanted(position):
        return (limit is None or position < limit) and not (points_by_people and held_out(position))

    for name, picture, label in read_zip(os.path.join(photos, collection + ".zip"), wanted):
        first = np.array(label["faces"], np.float64).reshape(-1, 15)
        second = None
        if second_labels is not None:
            second = np.array(second_labels[name], np.float64).reshape(-1, 15)
        if not points_by_people:
            rows = machine_faces(first, second)
        elif second is not None:
            rows = faces_with_peoples_points(first, second)
        else:
            # The neighbours are not labelled: only the face itself can be shown.
            x0, y0, x1, y1 = (int(round(v)) for v in first[0, 1:5])
            x0, y0 = max(x0, 0), max(y0, 0)
            picture = picture[y0:y1, x0:x1]
            first[0, 1:15] -= [x0, y0] * 7
            rows = [row(1, first[0], PEOPLE_WEIGHT)]
        if rows is not None:
            writer.add(collection, picture, rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--second")
    parser.add_argument("--limit", type=int, help="at most so many photos of each collection")
    options = parser.parse_args()
    writer = Writer(options.output)
    for name in sorted(os.listdir(options.photos)):
        collection, kind = os.path.splitext(name)
        if kind == ".zip" and collection != "validation":
            before = len(writer.photos), len(writer.faces)
            prepare(collection, options.photos, options.second, writer, options.limit)
            print(
                f"{collection}: {len(writer.photos) - before[0]} photos, "
                f"{len(writer.faces) - before[1]} faces", flush=True)
    writer.close()
