# SPDX-License-Identifier: Apache-2.0
"""What the network is taught: YOLOv5's targets, CIoU and Wasserstein distance for boxes, wing loss for
landmarks.

Faces are rows of 18 float32 numbers, pixels of the network's input: picture, centre x, centre y,
width, height, five points x, y (the person's right eye, left eye, nose, right and left mouth
corner), weight of the landmarks (0 where they are unknown), 1 where the face is to be ignored, and
weight of the box.
An ignored face is neither taught nor counted as background.
"""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from heads import ANCHORS, CLASS, LANDMARKS, OBJECTNESS, STRIDES

COLUMNS = 18
BOX, POINTS, LANDMARK_WEIGHT, IGNORED, BOX_WEIGHT = slice(1, 5), slice(5, 15), 15, 16, 17

# A face is taught to the anchors that differ from it by less than this factor in both sides.
ANCHOR_RATIO = 4.0
# Cells of small strides are many and nearly all background, which makes their mean loss small.
OBJECTNESS_BALANCE = (4.0, 1.0, 0.4)
BOX_GAIN, OBJECTNESS_GAIN, LANDMARK_GAIN = 0.075, 0.75, 0.04
# How much a teacher's score counts beside the labels, for background, for every face of a crowd and
# elsewhere for faces up to this size: it knows which of them can be told from noise.
BACKGROUND_SHARE, CROWD_SHARE, SMALL_SHARE, SMALL_FACE = 0.9, 0.9, 0.6, 32.0
# What a proposal that the labels leave open counts.
OPEN_WEIGHT = 0.6
# Pixels of distance that count as one unit, but for large boxes.
TINY = 12.8


def complete_iou(a, b):
    """CIoU (https://arxiv.org/abs/1911.08287) of boxes given as centre, width and height: n."""
    a_low, a_high = a[:, :2] - a[:, 2:] / 2, a[:, :2] + a[:, 2:] / 2
    b_low, b_high = b[:, :2] - b[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2
    overlap = (torch.min(a_high, b_high) - torch.max(a_low, b_low)).clamp(0).prod(1)
    iou = overlap / (a[:, 2:].prod(1) + b[:, 2:].prod(1) - overlap + 1e-9)
    diagonal = (torch.max(a_high, b_high) - torch.min(a_low, b_low)).pow(2).sum(1) + 1e-9
    distance = (a[:, :2] - b[:, :2]).pow(2).sum(1)
    angles = torch.atan(b[:, 2] / (b[:, 3] + 1e-9)) - torch.atan(a[:, 2] / (a[:, 3] + 1e-9))
    aspect = 4 / math.pi**2 * angles.pow(2)
    with torch.no_grad():
        weight = aspect / (aspect - iou + 1 + 1e-9)
    return iou - distance / diagonal - weight * aspect


def closeness(a, b):
    """1 where boxes are the same, falling with their Wasserstein distance as Gaussians
    (https://arxiv.org/abs/2110.13389): n. The IoU of tiny boxes falls to half within a pixel; this does
    not. Distances of large boxes, b's, count in halves of their sides, as for IoU."""
    centres, sides = (a - b).pow(2).split(2, 1)
    distance = (centres.sum(1) + sides.sum(1) / 4 + 1e-6).sqrt()
    return torch.exp(-distance / (b[:, 2:].prod(1).sqrt() / 2).clamp(min=TINY))


def wing(x, width=0.10, curvature=0.02):
    """Wing loss (https://arxiv.org/abs/1711.06753) of errors in face sizes, in units of `width`."""
    size = x.abs()
    outside = math.log(1 + width / curvature) + (size - width) / width
    return torch.where(size < width, torch.log(1 + size / curvature), outside)


@dataclass
class Head:
    """What one head says, N × 3 × H × W × 16, and what its numbers stand for."""

    values: torch.Tensor
    stride: int
    anchors: torch.Tensor

    @property
    def cells(self):
        """Its height and width."""
        return self.values.shape[2:4]

    def boxes(self, where):
        """Centre, width and height in pixels of the proposals at these pictures, anchors, rows and
        columns: n × 4."""
        said, (_, anchor, y, x) = self.values[where], where
        centre = (said[:, :2].sigmoid() * 2 - 0.5 + torch.stack([x, y], 1)) * self.stride
        return torch.cat([centre, (said[:, 2:4].sigmoid() * 2).pow(2) * self.anchors[anchor]], 1)

    def points(self, where):
        """Their landmarks in pixels: n × 5 × 2."""
        said, (_, anchor, y, x) = self.values[where], where
        corner = torch.stack([x, y], 1) * self.stride
        return said[:, LANDMARKS].view(-1, 5, 2) * self.anchors[anchor, None] + corner[:, None]


@dataclass
class Objectness:
    """What a head's objectness is taught, how much that counts, and how much of it is a teacher's score:
    N × 3 × H × W each."""

    labels: torch.Tensor
    weights: torch.Tensor
    share: torch.Tensor

    def mix_in(self, scores, faces, where, crowds):
        """Mixes in a teacher's scores, N × 3 × H × W; `where` are the proposals that learn a face each. What
        the labels leave open is up to the teacher alone."""
        is_small = faces[:, 3:5].amax(1) < SMALL_FACE
        self.share[where] = torch.where(
            crowds[where[0]], CROWD_SHARE, torch.where(is_small, SMALL_SHARE, 0.0))
        self.share[self.weights == 0] = 1
        self.weights.clamp_(min=OPEN_WEIGHT)
        self.labels = torch.lerp(self.labels, scores, self.share)

    def loss(self, head):
        entropy = F.binary_cross_entropy_with_logits(
            head.values[..., OBJECTNESS], self.labels, reduction="none")
        return mean(entropy, self.weights)


def assign(faces, head):
    """The proposals that learn a face: at the cell of its centre and the two nearest neighbours.

    Returns the faces' rows, and the proposals' pictures, anchors, rows and columns, each of length n.
    """
    (height, width), stride, anchors = head.cells, head.stride, head.anchors
    ratio = faces[:, None, 3:5] / anchors[None]
    row, anchor = (torch.max(ratio, 1 / ratio).amax(2) < ANCHOR_RATIO).nonzero(as_tuple=True)
    centre = faces[row, 1:3] / stride
    size = torch.tensor([width, height])
    near_low = (centre % 1 < 0.5) & (centre > 1)
    near_high = ((size - centre) % 1 < 0.5) & (size - centre > 1)
    chosen = [torch.arange(len(row))]
    cells = [centre]
    for mask, step in (
        (near_low[:, 0], (-0.5, 0.0)), (near_low[:, 1], (0.0, -0.5)),
        (near_high[:, 0], (0.5, 0.0)), (near_high[:, 1], (0.0, 0.5))):
        chosen.append(mask.nonzero()[:, 0])
        cells.append(centre[mask] + torch.tensor(step))
    chosen, cells = torch.cat(chosen), torch.cat(cells).long()
    learning = faces[row[chosen]]
    return learning, (
        learning[:, 0].long(), anchor[chosen], cells[:, 1].clamp(0, height - 1),
        cells[:, 0].clamp(0, width - 1))


def background(ignored, head):
    """1 where a cell may count as background, 0 inside an ignored face: N × H × W."""
    (height, width), stride, pictures = head.cells, head.stride, len(head.values)
    half = ignored[:, 3:5] / 2
    limit = torch.tensor([width, height])
    x0, y0 = torch.minimum(((ignored[:, 1:3] - half) / stride).floor().clamp(0), limit).long().T
    x1, y1 = torch.minimum(((ignored[:, 1:3] + half) / stride).ceil().clamp(0), limit).long().T
    picture = ignored[:, 0].long()
    # The number of faces over each cell, from what changes at the corners.
    changes = torch.zeros(pictures, height + 1, width + 1)
    for y, x, change in ((y0, x0, 1.0), (y0, x1, -1.0), (y1, x0, -1.0), (y1, x1, 1.0)):
        changes.index_put_((picture, y, x), torch.tensor(change), accumulate=True)
    return (changes.cumsum(1).cumsum(2)[:, :-1, :-1] < 0.5).float()


def mean(values, weights):
    return (values * weights).sum() / weights.sum()


def learn_faces(head, faces, where, objectness):
    """The loss of boxes and of landmarks at proposals that learn a face each; notes their objectness."""
    boxes = head.boxes(where)
    overlap = complete_iou(boxes, faces[:, BOX])
    likeness = (overlap + closeness(boxes, faces[:, BOX])) / 2
    weight = faces[:, BOX_WEIGHT]
    box = mean(1 - likeness, weight) + 0.05 * F.softplus(-head.values[where][:, CLASS]).mean()
    objectness.labels[where], objectness.weights[where] = overlap.detach().clamp(0), weight
    errors = head.points(where) - faces[:, POINTS].view(-1, 5, 2)
    errors = wing(errors / faces[:, 3:5].prod(1).sqrt()[:, None, None]).mean((1, 2))
    weight = faces[:, LANDMARK_WEIGHT]
    return box, (errors * weight).sum() / (weight.sum() + 1)


def detection_loss(outputs, rows, crowds, scores=None):
    """The loss's three parts, box, objectness and landmarks, already weighted: scalars.

    `crowds` says which of the N pictures are of crowds, and `scores` are a teacher's for each output,
    N × 3 × H × W.
    """
    faces, ignored = rows[rows[:, IGNORED] == 0], rows[rows[:, IGNORED] != 0]
    parts = [torch.zeros(()), torch.zeros(()), torch.zeros(())]
    for level, output in enumerate(outputs):
        head = Head(output.float(), STRIDES[level], torch.tensor(ANCHORS[level], dtype=torch.float32))
        weights = background(ignored, head)[:, None].repeat(1, 3, 1, 1)
        objectness = Objectness(
            torch.zeros_like(weights), weights, torch.full_like(weights, BACKGROUND_SHARE))
        learning, where = assign(faces, head)
        if len(learning):
            box, landmarks = learn_faces(head, learning, where, objectness)
            parts[0], parts[2] = parts[0] + box, parts[2] + landmarks
        if scores:
            objectness.mix_in(scores[level], learning, where, crowds)
        parts[1] = parts[1] + OBJECTNESS_BALANCE[level] * objectness.loss(head)
    return BOX_GAIN * parts[0], OBJECTNESS_GAIN * parts[1], LANDMARK_GAIN * parts[2]
