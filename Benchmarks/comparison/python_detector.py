# SPDX-License-Identifier: Apache-2.0
"""The detector as usually written in Python: OpenCV reads and resizes pictures and suppresses boxes, ONNX
Runtime runs the network, NumPy decodes its outputs."""

from collections import deque
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import onnxruntime

from comparison.ncnn_to_onnx import input_name, ncnn_to_onnx, output_names, read_param

# The defaults of `yoloface detect`.
LONG_SIDE = 640
SCORE_THRESHOLD = 0.5
OVERLAP_THRESHOLD = 0.45
# The grey of the padding, and the number of which each side of the network's input is a multiple.
FILL = (114, 114, 114)
GRANULARITY = 32
# The anchor boxes in input pixels, which a head's values scale, by the head's stride.
ANCHORS = {
    8: [(4, 5), (8, 10), (13, 16)],
    16: [(23, 29), (43, 55), (73, 105)],
    32: [(146, 217), (231, 300), (335, 433)],
}
OBJECTNESS, LANDMARKS, CLASS = 4, slice(5, 15), 15
# The number of pictures that are read ahead.
AHEAD = 4


class PythonDetector:
    """For pictures of one size; the network runs on `threads` threads."""

    def __init__(self, param, bin, width, height, threads):
        self.scale = LONG_SIDE / max(width, height)
        self.content = int(width * self.scale), int(height * self.scale)
        rows, columns = (-(-side // GRANULARITY) * GRANULARITY for side in self.content[::-1])
        top, left = (rows - self.content[1]) // 2, (columns - self.content[0]) // 2
        self.padding = (top, rows - self.content[1] - top, left, columns - self.content[0] - left)
        layers = read_param(param)
        self.input_name, self.output_names = input_name(layers), output_names(layers)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            ncnn_to_onnx(param, bin, (3, rows, columns)), options, providers=["CPUExecutionProvider"])
        self.heads = heads(rows, columns)

    def in_turn(self, paths):
        """The faces of each picture, which is read when the previous one is done."""
        return [self.faces_of(path) for path in paths]

    def ahead(self, paths):
        """The same, while another thread reads the next pictures."""
        found, pending, rest = [], deque(), iter(paths)
        with ThreadPoolExecutor(max_workers=1) as reader:
            while True:
                while len(pending) < AHEAD and (path := next(rest, None)) is not None:
                    pending.append(reader.submit(cv2.imread, str(path)))
                if not pending:
                    return found
                found.append(self.faces(pending.popleft().result()))

    def at_once(self, paths, workers):
        """The same, with a picture on each worker thread."""
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(self.faces_of, paths))

    def faces_of(self, path):
        return self.faces(cv2.imread(str(path)))

    def faces(self, picture):
        """Rows of x, y, width, height, score and five landmarks, in the picture's pixels."""
        filter = cv2.INTER_AREA if self.scale < 1 / 2 else cv2.INTER_LINEAR
        canvas = cv2.copyMakeBorder(cv2.resize(picture, self.content, interpolation=filter), *self.padding,
                                    cv2.BORDER_CONSTANT, value=FILL)
        blob = cv2.dnn.blobFromImage(canvas, 1 / 255, swapRB=True)
        outputs = self.session.run(self.output_names, {self.input_name: blob})
        faces = decode(self.heads, [output[0] for output in outputs])
        top, _, left, _ = self.padding
        faces[:, 0] -= left
        faces[:, 1] -= top
        faces[:, 5::2] -= left
        faces[:, 6::2] -= top
        faces[:, :4] /= self.scale
        faces[:, 5:] /= self.scale
        return faces


def heads(rows, columns):
    """A head for each output, for an input of that size."""
    return [Head(stride, rows // stride, columns // stride) for stride in ANCHORS]


def decode(heads, outputs):
    """As `PythonDetector.faces`, in the input's pixels."""
    faces = np.concatenate([head.decode(output) for head, output in zip(heads, outputs, strict=True)])
    kept = cv2.dnn.NMSBoxes(faces[:, :4], faces[:, 4], SCORE_THRESHOLD, OVERLAP_THRESHOLD)
    return faces[np.asarray(kept, int)]


class Head:
    """One output: 3 anchors × (rows · columns) × 16 raw values."""

    def __init__(self, stride, rows, columns):
        self.stride = stride
        self.anchors = np.array(ANCHORS[stride], np.float32)
        self.shape = (len(self.anchors), rows * columns, CLASS + 1)
        y, x = np.divmod(np.arange(rows * columns), columns)
        self.cells = np.stack([x, y], 1).astype(np.float32)

    def decode(self, output):
        """As `PythonDetector.faces`, in the input's pixels and before suppression."""
        # For most cells, only the objectness is read.
        anchor, cell = np.nonzero(output[:, :, OBJECTNESS] >= logit(SCORE_THRESHOLD))
        raw, anchor, cell = output[anchor, cell], self.anchors[anchor], self.cells[cell]
        score = sigmoid(raw[:, OBJECTNESS]) * sigmoid(raw[:, CLASS])
        centre = (2 * sigmoid(raw[:, 0:2]) - 0.5 + cell) * self.stride
        size = (2 * sigmoid(raw[:, 2:4])) ** 2 * anchor
        landmarks = raw[:, LANDMARKS] * np.tile(anchor, 5) + np.tile(cell, 5) * self.stride
        faces = np.concatenate([centre - size / 2, size, score[:, np.newaxis], landmarks], 1)
        return faces[score >= SCORE_THRESHOLD]


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


def logit(probability):
    return np.log(probability / (1 - probability))
