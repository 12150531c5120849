#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds faces with upstream ncnn and a family's published decoding, as a reference for ours.

    python3 -m venv venv && venv/bin/pip install ncnn numpy opencv-python-headless
    venv/bin/python make_families.py scrfd scrfd_500m_kps.param scrfd_500m_kps.bin photo.png

Prints one line of JSON: for each photo the size of its input and, in the photo's pixels, its faces by falling
score: the score, the box (x0 y0 x1 y1) and, in families that have them, the points (right eye, left
eye, nose, right and left mouth corner). `--inputs DIRECTORY` keeps the inputs as PNG, `--drawings`
the photos with the faces drawn. The lines of families.jsonl were printed with `--score 0.5 --most 30`
for the models and pictures of ../shared; faces near the score threshold may come or go. Those of centerface,
blazeface and ssd are for the networks of make_tiny_families.py, blazeface with `--size 128x128`; those of yolo26
and yolov5 are for the networks of make_tiny_yolo.py and one picture, with `--size 160x160`. Those of dbface, yolo3
and silent are for the networks of ../shared/models/public and one picture, yolo3 with `--score 0.55 --overlap 0.297`,
which the network says itself.

The families' decodings follow

    scrfd        deepinsight/insightface, detection/scrfd; https://arxiv.org/abs/2105.04714
    retinaface   deepinsight/insightface, detection/retinaface; https://arxiv.org/abs/1905.00641
    ultraface    Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB
    yolov8       derronqi/yolov8-face
    yunet        ShiqiYu/libfacedetection.train, and OpenCV's FaceDetectorYN for the score
    centerface   Star-Clouds/CenterFace, and ORB-HD/deface, but boxes stay where they reach over an edge
    blazeface    google-ai-edge/mediapipe, SsdAnchorsCalculator and TensorsToDetectionsCalculator
    ssd          opencv/opencv, samples/dnn, res10_300x300_ssd
    yolo26       ultralytics/ultralytics, whose exports to ncnn, of others of its detectors too, decode faces
    yolov5       ultralytics/yolov5, whose exports decode faces too
    dbface       dlunion/DBFace
    yolo3        dog-qiuqiu/MobileNet-Yolo, yoloface-500k, whose last layer, ncnn's, decodes faces too
    silent       minivision-ai/Silent-Face-Anti-Spoofing-APK, at an area of 192 x 192 for pictures of 16 : 9

YuNet is published as ONNX. PyPI's pnnx converts it:

    pnnx yunet_n_dynamic.onnx 'inputshape=[1,3,640,640]' 'inputshape2=[1,3,320,320]' fp16=0
"""

import argparse
import json
from collections import namedtuple
from itertools import zip_longest
from pathlib import Path

import cv2
import ncnn
import numpy as np

# How a picture becomes an input: the order of the planes, what is subtracted from red, green and
# blue, what the difference is divided by, the grey of the padding, and the size of a family that
# stretches every picture to one size.
# A network's outputs are those that no layer reads, and others that the decoder needs.
Family = namedtuple(
    "Family", "decode order mean divisor fill size others", defaults=(None, ()))


# N, number of proposals; A, proposals of a cell; H, W, the input's sides. A decoder takes the
# outputs of the network and gives N scores, N x 4 edges and N x 5 x 2 points, or none, in pixels of
# the input.


def decode_scrfd(outputs, size):
    scores, boxes, points = [], [], []
    for score, box, point in zip_longest(*(maps(outputs, channels) for channels in (2, 8, 20))):
        rows, columns = score.shape[1:]
        stride = size[1] // rows
        center = cells(rows, columns, 2) * stride
        distance = proposals(box, 4) * stride
        scores.append(proposals(score, 1)[:, 0])
        boxes.append(np.hstack([center - distance[:, :2], center + distance[:, 2:]]))
        if point is not None:
            points.append(center[:, None] + proposals(point, 10).reshape(-1, 5, 2) * stride)
    return joined(scores, boxes, points)


def decode_retinaface(outputs, size):
    scores, boxes, points = [], [], []
    for score, box, point in zip(*(maps(outputs, channels) for channels in (4, 8, 20))):
        rows, columns = score.shape[1:]
        stride = size[1] // rows
        sides = {8: (32, 16), 16: (128, 64), 32: (512, 256)}[stride]
        # The authors' anchors are 0 to 15 in whole pixels, which the edges 0 and 16 enclose.
        center = cells(rows, columns, 2) * stride + 8
        side = np.tile(sides, rows * columns)[:, None]
        delta = proposals(box, 4)
        scores.append(proposals(score[2:], 1)[:, 0])
        boxes.append(edges(center + delta[:, :2] * side, np.exp(delta[:, 2:]) * side))
        points.append(center[:, None] + proposals(point, 10).reshape(-1, 5, 2) * side[:, None])
    return joined(scores, boxes, points)


def decode_ultraface(outputs, size):
    score, delta = (next(o for o in outputs if o.shape[-1] == width) for width in (2, 4))
    centers, sides = [], []
    for stride, lengths in {
            8: (10, 16, 24), 16: (32, 48), 32: (64, 96), 64: (128, 192, 256)}.items():
        columns, rows = (-(-side // stride) for side in size)
        # Cells share the input evenly, so they are smaller than the stride where it leaves a rest.
        cell = np.array(size) / (columns, rows)
        centers.append((cells(rows, columns, len(lengths)) + 0.5) * cell)
        sides.append(np.tile(lengths, rows * columns)[:, None].clip(max=np.array(size)))
    center, side = np.vstack(centers), np.vstack(sides)
    boxes = edges(center + 0.1 * delta[:, :2] * side, np.exp(0.2 * delta[:, 2:]) * side)
    return score[:, 1], boxes, None


def decode_yolov8(outputs, size):
    scores, boxes, points = [], [], []
    for output in maps(outputs, 80):
        rows, columns = output.shape[1:]
        stride = size[1] // rows
        cell = cells(rows, columns, 1)
        values = proposals(output, 80)
        bins = np.exp(values[:, :64].reshape(-1, 4, 16))
        distance = (bins * np.arange(16)).sum(2) / bins.sum(2)
        center = cell + 0.5
        scores.append(sigmoid(values[:, 64]))
        boxes.append(np.hstack([center - distance[:, :2], center + distance[:, 2:]]) * stride)
        point = values[:, 65:].reshape(-1, 5, 3)[:, :, :2]
        points.append((2 * point + cell[:, None]) * stride)
    return joined(scores, boxes, points)


def decode_yunet(outputs, size):
    levels = [[o for o in outputs if o.shape[-1] == width] for width in (1, 4, 10)]
    scores, boxes, points = [], [], []
    for level, stride in enumerate((8, 16, 32)):
        first, second = levels[0][level], levels[0][level + 3]
        cell = cells(size[1] // stride, size[0] // stride, 1)
        box, point = levels[1][level], levels[2][level].reshape(-1, 5, 2)
        scores.append(np.sqrt(first * second)[:, 0])
        boxes.append(edges(cell + box[:, :2], np.exp(box[:, 2:])) * stride)
        points.append((point + cell[:, None]) * stride)
    return joined(scores, boxes, points)


def decode_centerface(outputs, size):
    score, side, offset, point = (proposals(output, len(output)) for output in outputs)
    columns, rows = size[0] // 4, size[1] // 4
    # The values are y before x, and height before width.
    side = np.exp(side[:, ::-1]) * 4
    boxes = edges((cells(rows, columns, 1) + 0.5 + offset[:, ::-1]) * 4, side)
    points = boxes[:, None, :2] + point.reshape(-1, 5, 2)[:, :, ::-1] * side[:, None]
    return score[:, 0], boxes, points


def decode_blazeface(outputs, size):
    score, delta = (next(o for o in outputs if o.shape[-1] == width) for width in (1, 16))
    strides = {128: ((8, 2), (16, 6)), 192: ((4, 1),), 256: ((16, 2), (32, 6))}[size[0]]
    center = np.vstack([
        (cells(size[1] // stride, size[0] // stride, count) + 0.5) * stride
        for stride, count in strides])
    return sigmoid(score[:, 0].clip(-100, 100)), edges(center + delta[:, :2], delta[:, 2:4]), None


def decode_ssd(outputs, size):
    return outputs[0][:, 1], outputs[0][:, 2:] * (size * 2), None


def decode_ultralytics(outputs, size):
    rows = outputs[0].T.astype(np.float64)
    points = rows[:, 5:].reshape(-1, 5, 3)[:, :, :2] if rows.shape[1] > 5 else None
    return rows[:, 4], edges(rows[:, :2], rows[:, 2:4]), points


def decode_yolov5(outputs, size):
    rows = outputs[0].astype(np.float64)
    return rows[:, 4] * rows[:, 5], edges(rows[:, :2], rows[:, 2:4]), None


def decode_dbface(outputs, size):
    score, box, point, highest = outputs
    columns, rows = size[0] // 4, size[1] // 4
    center = cells(rows, columns, 1)
    scores = np.where(score == highest, score, 0).reshape(-1)
    distance, point = proposals(box, 4), proposals(point, 10) * 4
    point = np.where(abs(point) < 1, point * np.e, np.sign(point) * np.exp(abs(point)))
    points = (np.stack([point[:, :5], point[:, 5:]], -1) + center[:, None]) * 4
    return scores, np.hstack([center - distance[:, :2], center + distance[:, 2:]]) * 4, points


FAMILIES = {
    "scrfd": Family(decode_scrfd, "rgb", (127.5, 127.5, 127.5), 128, 0),
    "retinaface": Family(decode_retinaface, "rgb", (0, 0, 0), 1, 0),
    "ultraface": Family(decode_ultraface, "rgb", (127, 127, 127), 128, 127, (320, 240)),
    "yolov8": Family(decode_yolov8, "rgb", (0, 0, 0), 255, 114),
    "yunet": Family(decode_yunet, "bgr", (0, 0, 0), 1, 0),
    "centerface": Family(decode_centerface, "rgb", (0, 0, 0), 1, 0),
    "blazeface": Family(decode_blazeface, "rgb", (127.5, 127.5, 127.5), 127.5, 0),
    "ssd": Family(decode_ssd, "bgr", (123, 177, 104), 1, 0, (300, 300)),
    "yolo26": Family(decode_ultralytics, "rgb", (0, 0, 0), 255, 114),
    "yolov5": Family(decode_yolov5, "rgb", (0, 0, 0), 255, 114),
    "dbface": Family(
        decode_dbface, "bgr", (0.47 * 255, 0.447 * 255, 0.408 * 255),
        (0.278 * 255, 0.274 * 255, 0.289 * 255), 0, others=("hm",)),
    "yolo3": Family(decode_ssd, "rgb", (0, 0, 0), 255, 128, (320, 256)),
    "silent": Family(decode_ssd, "bgr", (123, 117, 104), 1, 0, (256, 144)),
}


def maps(outputs, channels):
    """The outputs of channels x rows x columns, by falling rows: rising stride."""
    found = [output for output in outputs if output.ndim == 3 and output.shape[0] == channels]
    return sorted(found, key=lambda output: -output.shape[1])


def proposals(output, width):
    """N x width of A * width planes; proposals by row, column and number in their cell."""
    planes = output.reshape(-1, width, *output.shape[1:])
    return planes.transpose(2, 3, 0, 1).reshape(-1, width).astype(np.float64)


def cells(rows, columns, count):
    """Column and row of each of N = rows * columns * count proposals."""
    row, column = np.mgrid[:rows, :columns]
    return np.repeat(np.stack([column, row], -1).reshape(-1, 2), count, axis=0)


def edges(center, size):
    return np.hstack([center - size / 2, center + size / 2])


def joined(scores, boxes, points):
    return np.concatenate(scores), np.vstack(boxes), np.vstack(points) if points else None


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def letterboxed(photo, fill, limit, fixed=False, stretched=False):
    """The photo as an input, and the factors and the padding at its left and top that made it.

    It is scaled to fit into `limit`, and padded evenly: to multiples of 32, or to `limit` if that
    is fixed. A stretched photo is scaled to `limit` and not padded.
    """
    sides = np.array(photo.shape[1::-1])
    factors = np.array(limit) / sides
    scaled = np.where(
        stretched | (factors == factors.min()), limit,
        np.maximum(1, np.int64(sides * factors.min())))
    size = np.array(limit) if fixed else -(-scaled // 32) * 32
    padding = (size - scaled) // 2
    canvas = np.full((size[1], size[0], 3), fill, np.uint8)
    canvas[padding[1]:padding[1] + scaled[1], padding[0]:padding[0] + scaled[0]] = cv2.resize(
        photo, scaled.tolist(), interpolation=cv2.INTER_LINEAR)
    return canvas, scaled / sides, padding


def tensor(picture, family):
    """The planes of a picture, whose pixels are blue, green and red."""
    planes = (picture[:, :, ::-1] - np.float32(family.mean)) / np.float32(family.divisor)
    if family.order == "bgr":
        planes = planes[:, :, ::-1]
    return np.ascontiguousarray(planes.transpose(2, 0, 1), np.float32)


class Network:
    """A network that gives the outputs that no layer reads, in the order of the .param, and others."""

    def __init__(self, param, weights, others):
        layers = [line.split() for line in Path(param).read_text().splitlines()[2:] if line.strip()]
        self.input = next(layer[4] for layer in layers if layer[0] == "Input")
        read, written = set(), []
        for _, _, inputs, outputs, *names in layers:
            read.update(names[:int(inputs)])
            written += names[int(inputs):int(inputs) + int(outputs)]
        # What a layer reads is extracted before the layer runs, for it is gone afterwards.
        self.outputs = list(others) + [name for name in written if name not in read]
        self.net = ncnn.Net()
        options = self.net.opt
        options.num_threads = 1
        options.use_fp16_packed = options.use_fp16_storage = options.use_fp16_arithmetic = False
        options.use_bf16_storage = options.use_winograd_convolution = False
        if self.net.load_param(str(param)) != 0 or self.net.load_model(str(weights)) != 0:
            raise SystemExit(f"{param}, {weights}: ncnn refuses them")

    def __call__(self, planes):
        extractor = self.net.create_extractor()
        extractor.input(self.input, ncnn.Mat(planes).clone())
        return [np.array(extractor.extract(name)[1]) for name in self.outputs]


def kept(scores, boxes, overlap):
    """The indices of the proposals, by falling score, that no better one overlaps by more."""
    order = np.argsort(-scores, kind="stable")
    areas = np.prod(boxes[:, 2:] - boxes[:, :2], axis=1)
    result = []
    while order.size:
        best, order = order[0], order[1:]
        result.append(best)
        low = np.maximum(boxes[best, :2], boxes[order, :2])
        high = np.minimum(boxes[best, 2:], boxes[order, 2:])
        shared = np.prod(np.maximum(high - low, 0), axis=1)
        order = order[shared <= overlap * (areas[best] + areas[order] - shared)]
    return result


def faces(network, family, photo, arguments):
    limit = arguments.size or family.size
    picture, scale, padding = letterboxed(
        photo, family.fill, limit or [arguments.long_side] * 2, fixed=limit is not None,
        stretched=family.size is not None and not arguments.pad)
    size = picture.shape[1], picture.shape[0]
    scores, boxes, points = family.decode(network(tensor(picture, family)), size)
    likely = scores >= arguments.score
    scores, boxes = scores[likely], boxes[likely]
    result = []
    for index in kept(scores, boxes, arguments.overlap):
        box = (boxes[index].reshape(2, 2) - padding) / scale
        face = {"score": round(float(scores[index]), 6), "box": box.reshape(-1).round(3).tolist()}
        if points is not None:
            face["landmarks"] = ((points[likely][index] - padding) / scale).round(3).tolist()
        result.append(face)
    return picture, result


def draw(photo, found):
    thickness = max(1, max(photo.shape) // 500)
    colors = [(0, 0, 255), (0, 255, 0), (255, 0, 0), (0, 255, 255), (255, 0, 255)]
    for face in found:
        low, high = np.int32(face["box"]).reshape(2, 2).tolist()
        cv2.rectangle(photo, low, high, (255, 255, 255), thickness)
        for point, color in zip(face.get("landmarks", []), colors):
            cv2.circle(photo, np.int32(point).tolist(), 2 * thickness, color, -1)
    return photo


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("param", type=Path)
    parser.add_argument("bin", type=Path)
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--long-side", type=int, default=640, help="the input's, where it is free")
    parser.add_argument(
        "--size", type=lambda text: tuple(map(int, text.split("x"))), metavar="WIDTHxHEIGHT",
        help="the input's")
    parser.add_argument(
        "--pad", action="store_true", help="do not stretch for a family that does")
    parser.add_argument("--score", type=float, default=0.3, help="the lowest that is kept")
    parser.add_argument("--overlap", type=float, default=0.45, help="the highest of two faces")
    parser.add_argument("--most", type=int, help="the most faces of a photo to list")
    parser.add_argument("--inputs", type=Path, help="a directory for the inputs")
    parser.add_argument("--drawings", type=Path, help="a directory for the photos with their faces")
    arguments = parser.parse_args()

    family = FAMILIES[arguments.family]
    network = Network(arguments.param, arguments.bin, family.others)
    pictures = []
    for path in arguments.photos:
        photo = cv2.imread(str(path))
        if photo is None:
            raise SystemExit(f"{path}: not a picture")
        picture, found = faces(network, family, photo, arguments)
        pictures.append({
            "image": path.name, "imageSize": [photo.shape[1], photo.shape[0]],
            "inputSize": [picture.shape[1], picture.shape[0]], "count": len(found),
            "faces": found[:arguments.most]})
        if arguments.inputs:
            cv2.imwrite(str(arguments.inputs / f"{path.stem}.input.png"), picture)
        if arguments.drawings:
            cv2.imwrite(str(arguments.drawings / f"{path.stem}.faces.png"), draw(photo, found))
    print(json.dumps({
        "family": arguments.family, "scoreThreshold": arguments.score,
        "iouThreshold": arguments.overlap, "pictures": pictures}))


if __name__ == "__main__":
    main()
