# SPDX-License-Identifier: Apache-2.0
"""What the three heads of yolov5n-0.5-face say, for the network as for what reads its outputs."""

STRIDES = (8, 16, 32)
# Width and height in pixels, three for each stride.
ANCHORS = (
    ((4, 5), (8, 10), (13, 16)),
    ((23, 29), (43, 55), (73, 105)),
    ((146, 217), (231, 300), (335, 433)),
)
# What a head says of one anchor: box 4, objectness, landmarks 10, class.
VALUES = 16
OBJECTNESS = 4
LANDMARKS = slice(5, 15)
CLASS = 15
