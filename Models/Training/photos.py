# SPDX-License-Identifier: Apache-2.0
"""The photos: as zips of pictures and labels, and prepared for training.

Prepared they are one file of pixels, mapped into memory, and one of faces. Each photo is kept at
its own size, half and a quarter of it, so that a mosaic shrinks from the nearest. A face is a row of
17 float32: certain (1) or to be ignored (0), box x0, y0, x1, y1, five points x, y, the weight of its
points, and 1 where people drew its box.
"""

import json
import os
import zipfile

import cv2
import numpy as np

LEVELS = 3
FACE_COLUMNS = 17
CERTAIN, BOX, POINTS, POINTS_WEIGHT, BOX_BY_PEOPLE = 0, slice(1, 5), slice(5, 15), 15, 16


def read_zip(path, wanted=lambda position: True):
    """Name, H × W × 3 BGR picture and label of each photo in a zip, sorted by name.

    `wanted` says of a photo's position, from 0, whether it is read.
    """
    with zipfile.ZipFile(path) as archive:
        labels = json.loads(archive.read("labels.json"))
        for position, name in enumerate(sorted(labels)):
            if wanted(position):
                data = np.frombuffer(archive.read(name), np.uint8)
                yield name, cv2.imdecode(data, cv2.IMREAD_COLOR), labels[name]


def write_labels(folder, collection, labels):
    """A detector's labels of a collection: photo's name to rows of score, box and five points."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, collection + ".json")
    with open(path + "~", "w") as file:
        json.dump({
            name: [[round(float(row[0]), 3)] + [round(float(v), 1) for v in row[1:]] for row in rows]
            for name, rows in labels.items()}, file)
    os.replace(path + "~", path)
    print(f"{collection}: {len(labels)} photos, {sum(map(len, labels.values()))} faces", flush=True)


def read_labels(folder, collection):
    """What `write_labels` wrote, rows as n × 15; none where there is no file."""
    path = os.path.join(folder, collection + ".json") if folder else ""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return {name: np.array(rows, np.float64).reshape(-1, 15)
                for name, rows in json.load(file).items()}


class Writer:
    """Writes a prepared folder, whose former files stay until `close`."""

    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.folder = folder
        self.pixels = open(os.path.join(folder, "pixels.bin~"), "wb")
        self.photos, self.faces = [], []

    def add(self, collection, picture, faces, chance=1.0):
        """`picture`: H × W × 3 uint8, BGR; `faces`: n × 17; `chance`: how often the photo is taken, as a
        multiple of the others of its collection."""
        levels = []
        for level in range(LEVELS):
            if level:
                height, width = (max(1, side // 2) for side in picture.shape[:2])
                picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
            levels.append((self.pixels.tell(), *picture.shape[:2]))
            self.pixels.write(np.ascontiguousarray(picture).tobytes())
        self.photos.append({
            "collection": collection, "levels": levels, "first": len(self.faces),
            "count": len(faces), "chance": chance})
        self.faces.extend(faces)

    def close(self):
        self.pixels.close()
        faces = np.array(self.faces, np.float32).reshape(-1, FACE_COLUMNS)
        with open(os.path.join(self.folder, "faces.npy~"), "wb") as file:
            np.save(file, faces)
        with open(os.path.join(self.folder, "photos.json~"), "w") as file:
            json.dump(self.photos, file)
        for name in ("pixels.bin", "faces.npy", "photos.json"):
            path = os.path.join(self.folder, name)
            os.replace(path + "~", path)


class Photos:
    def __init__(self, folder):
        with open(os.path.join(folder, "photos.json")) as file:
            self.photos = json.load(file)
        self.chances = np.array([photo["chance"] for photo in self.photos])
        self.rows = np.load(os.path.join(folder, "faces.npy"))
        self.pixels = np.memmap(os.path.join(folder, "pixels.bin"), np.uint8, "r")

    def __len__(self):
        return len(self.photos)

    def collection(self, index):
        return self.photos[index]["collection"]

    def size(self, index):
        """Height and width at full size."""
        return tuple(self.photos[index]["levels"][0][1:])

    def faces(self, index):
        photo = self.photos[index]
        return self.rows[photo["first"] : photo["first"] + photo["count"]]

    def picture(self, index, level):
        offset, height, width = self.photos[index]["levels"][level]
        return self.pixels[offset : offset + height * width * 3].reshape(height, width, 3)
