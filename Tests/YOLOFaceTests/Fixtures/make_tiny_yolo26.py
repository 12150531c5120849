#!/usr/bin/env python3
"""Writes tiny-yolo26, a network of random weights that ends in Ultralytics' attention and head of YOLO26.

    python3 -m venv venv && venv/bin/pip install pnnx ultralytics
    venv/bin/python make_tiny_yolo26.py

Its one output holds decoded boxes, scores and points, as in `yolo export format=ncnn`, and attention fixes the
input's size. `make_families.py` finds the faces in that output.
"""

import subprocess
import tempfile
from pathlib import Path

import torch
from torch import nn
from ultralytics.nn.modules import Attention
from ultralytics.nn.modules.head import Pose26

SIDE = 160


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.means = nn.ModuleList([nn.AvgPool2d(8), nn.AvgPool2d(2), nn.AvgPool2d(2)])
        self.widen = nn.ModuleList(nn.Conv2d(3, 8, 1) for _ in range(3))
        self.attention = Attention(8, num_heads=2)
        self.head = Pose26(nc=1, kpt_shape=(5, 3), reg_max=1, ch=(8, 8, 8))
        self.head.stride = torch.tensor([8.0, 16.0, 32.0])
        self.head.export, self.head.format = True, "ncnn"
        # Faces differ in score, size and shape.
        for widen in self.widen:
            nn.init.normal_(widen.weight, std=6)
        for scores, boxes, points in zip(self.head.cv3, self.head.cv2, self.head.cv4_kpts):
            nn.init.normal_(scores[-1].weight, std=2)
            nn.init.constant_(boxes[-1].bias, 2.5)
            for last in (boxes[-1], points):
                nn.init.normal_(last.weight, std=0.5)

    def forward(self, picture):
        maps = []
        for mean, widen in zip(self.means, self.widen):
            picture = mean(picture)
            maps.append(widen(picture))
        maps[2] = maps[2] + self.attention(maps[2])
        return self.head(maps)


def main():
    torch.manual_seed(5)
    network = Network().eval()
    network.head.fuse()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tiny.pt"
        picture = torch.rand(1, 3, SIDE, SIDE)
        network(picture)
        torch.jit.trace(network, picture, strict=False).save(file)
        subprocess.run(
            ["pnnx", file, f"inputshape=[1,3,{SIDE},{SIDE}]"], check=True, cwd=folder)
        for kind in ("param", "bin"):
            Path(__file__).with_name(f"tiny-yolo26.{kind}").write_bytes(
                Path(folder, f"tiny.ncnn.{kind}").read_bytes())


if __name__ == "__main__":
    main()
