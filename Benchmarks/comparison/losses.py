# SPDX-License-Identifier: Apache-2.0
"""What int8 loses: outputs and faces of each engine's int8 row beside its own float32 row, on photos."""

from dataclasses import dataclass

import numpy as np

from comparison import python_detector
from comparison.engines import FLOAT32, INT8

# The most photos that are compared, and the overlap from which two boxes are one face.
PHOTOS = 20
SAME_FACE = 0.5


@dataclass
class Loss:
    """Of one int8 engine. `largest` and `mean` are absolute errors of the outputs' raw values; faces
    are those of float32, those of them that int8 finds too, and those that only int8 finds; they are
    not counted where another family's outputs are not decoded."""

    engine: str
    largest: float = 0
    total: float = 0
    values: int = 0
    faces: int = 0
    kept: int = 0
    new: int = 0
    has_faces: bool = False

    @property
    def mean(self):
        return self.total / self.values

    def add(self, expected, outputs, heads):
        """The outputs of float32 and int8 for one photo."""
        for name, values in expected.items():
            distances = np.abs(outputs[name].astype(np.float64) - values)
            # Unlike max(), np.maximum() keeps a NaN.
            self.largest = float(np.maximum(self.largest, distances.max()))
            self.total += float(distances.sum())
            self.values += values.size
        self.has_faces = heads is not None
        if self.has_faces:
            faces, found = (python_detector.decode(heads, list(each.values()))
                            for each in (expected, outputs))
            same = overlaps(faces, found) >= SAME_FACE
            self.faces += len(faces)
            self.kept += int(same.any(1).sum())
            self.new += int((~same.any(0)).sum())


def sample(photos):
    """Those that are compared, evenly spread."""
    return photos[::-(-len(photos) // PHOTOS)]


def losses(engines, inputs):
    """A `Loss` for each int8 engine on one thread count; `inputs` are arrays, C × H × W."""
    threads = engines[0].threads
    precise = {engine.family: engine for engine in engines
               if engine.precision == FLOAT32 and engine.threads == threads}
    found = {engine: Loss(engine.name) for engine in engines
             if engine.precision == INT8 and engine.threads == threads}
    for picture in inputs:
        for engine, loss in found.items():
            expected = precise[engine.family].outputs(picture)
            loss.add(expected, engine.outputs(picture), heads_for(picture, expected))
    return list(found.values())


def heads_for(picture, outputs):
    """The heads that decode `outputs`, or None where they are another family's."""
    heads = python_detector.heads(*picture.shape[1:])
    shapes = [values.shape for values in outputs.values()]
    return heads if shapes == [head.shape for head in heads] else None


def overlaps(some, others):
    """Intersection over union of each of `some` boxes with each of `others`, x, y, width, height."""
    some, others = some[:, np.newaxis, :4], others[np.newaxis, :, :4]
    low = np.maximum(some[..., :2], others[..., :2])
    high = np.minimum(some[..., :2] + some[..., 2:], others[..., :2] + others[..., 2:])
    shared = np.clip(high - low, 0, None).prod(-1)
    return shared / (some[..., 2:].prod(-1) + others[..., 2:].prod(-1) - shared)
