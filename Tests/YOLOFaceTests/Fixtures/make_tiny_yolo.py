#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes networks of random weights that end in upstream's heads of YOLO26 and YOLOv5, to this folder.

    python3 -m venv venv && venv/bin/pip install pnnx ultralytics yolov5 'setuptools<81'
    venv/bin/python make_tiny_yolo.py

Their one output holds decoded faces, as upstream exports them. Attention fixes the size of YOLO26's input.
`make_families.py` finds the faces.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from ultralytics.nn.modules import Attention
from ultralytics.nn.modules.head import Pose26
from yolov5.models.yolo import Detect

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))
from orderly import replace  # noqa: E402

SIDE = 160
STRIDES = torch.tensor([8.0, 16.0, 32.0])
# Others than those that YOLOv5 has by default.
ANCHORS = [[6, 9, 8, 7, 12, 15], [18, 14, 22, 30, 35, 24], [40, 56, 60, 48, 90, 110]]


class Network(nn.Module):
    def __init__(self, head, attention):
        super().__init__()
        self.means = nn.ModuleList([nn.AvgPool2d(8), nn.AvgPool2d(2), nn.AvgPool2d(2)])
        self.widen = nn.ModuleList(nn.Conv2d(3, 8, 1) for _ in range(3))
        for widen in self.widen:
            nn.init.normal_(widen.weight, std=6)
        self.attention = attention
        self.head = head
        self.head.stride, self.head.export = STRIDES, True

    def forward(self, picture):
        maps = []
        for mean, widen in zip(self.means, self.widen):
            picture = mean(picture)
            maps.append(widen(picture))
        if self.attention:
            maps[2] = maps[2] + self.attention(maps[2])
        found = self.head(maps)
        return found[0] if isinstance(found, tuple) else found


def yolo26():
    head = Pose26(nc=1, kpt_shape=(5, 3), reg_max=1, ch=(8, 8, 8))
    head.format = "ncnn"
    # Faces differ in score, size and shape.
    for scores, boxes, points in zip(head.cv3, head.cv2, head.cv4_kpts):
        nn.init.normal_(scores[-1].weight, std=20)
        nn.init.constant_(boxes[-1].bias, 5)
        for last in (boxes[-1], points):
            nn.init.normal_(last.weight, std=0.5)
    network = Network(head, Attention(8, num_heads=2)).eval()
    head.fuse()
    return network


def yolov5():
    head = Detect(nc=1, anchors=ANCHORS, ch=(8, 8, 8))
    head.anchors /= STRIDES.view(-1, 1, 1)
    for last in head.m:
        nn.init.normal_(last.weight, std=0.3)
    return Network(head, None).eval()


def write(name, network):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiny.pt"
        picture = torch.rand(1, 3, SIDE, SIDE)
        network(picture)
        torch.jit.trace(network, picture, strict=False).save(file)
        subprocess.run(["pnnx", file, f"inputshape=[1,3,{SIDE},{SIDE}]"], check=True, cwd=folder)
        for kind in ("param", "bin"):
            replace(Path(__file__).with_name(f"tiny-{name}.{kind}"),
                    Path(folder, f"tiny.ncnn.{kind}").read_bytes())


def main():
    for name, make in (("yolo26", yolo26), ("yolov5", yolov5)):
        torch.manual_seed(5)
        write(name, make())


if __name__ == "__main__":
    main()
