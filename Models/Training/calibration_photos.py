# SPDX-License-Identifier: Apache-2.0
"""Writes the photos that `yoloface quantize` is calibrated on, as PNG.

    python calibration_photos.py --photos ZIPS --output FOLDER

80 photos, taken evenly from each collection in the order of their names; none is among those that
`evaluate.py` measures with.
"""

import argparse
import json
import os
import zipfile

import cv2

from photos import read_zip
from prepare import is_kept_apart

COUNTS = {
    "msed": 16, "net": 16, "jol": 12, "sht": 12, "udacity": 4, "negatives": 4, "maskon": 4, "muk": 4,
    "mit": 4, "cht": 4}


def chosen(collection, total, count):
    """Positions of photos, evenly spread over those that may be used."""
    usable = [i for i in range(total) if not is_kept_apart(collection, i)]
    return {usable[(2 * k + 1) * len(usable) // (2 * count)] for k in range(count)}


def read_spread(zips, collection, count):
    """Name and picture of some photos of a collection."""
    path = os.path.join(zips, collection + ".zip")
    with zipfile.ZipFile(path) as archive:
        total = len(json.loads(archive.read("labels.json")))
    positions = chosen(collection, total, count)
    for name, picture, _ in read_zip(path, lambda position: position in positions):
        yield name, picture


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True, help="folder of the collections' zips")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    for collection, count in COUNTS.items():
        for name, picture in read_spread(options.photos, collection, count):
            stem = os.path.splitext(os.path.basename(name))[0]
            cv2.imwrite(os.path.join(options.output, f"{collection}-{stem}.png"), picture)
