"""What the network is taught: YOLOv5's targets, CIoU and Wasserstein distance for boxes, wing loss for
landmarks.

Faces are rows of 18 float32 numbers, pixels of the network's input: picture, centre x, centre y,
width, height, five points x, y (the person's right eye, left eye, nose, right and left mouth
corner), weight of the landmarks (0 where they are unknown), 1 where the face is to be ignored, and
weight of the box.
An ignored face is neither taught nor counted as background.
"""

import math

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
# How much a teacher's score counts beside the labels, on heads of up to this stride, for background and for
# faces up to this size: it knows which of them can be told from noise.
TEACHER_SHARE, TEACHER_STRIDE, TEACHER_FACE = 0.6, 16, 32.0
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


def assign(faces, stride, anchors, height, width):
    """The cells that learn a face: the one of its centre and the two nearest neighbours.

    Returns the faces' rows, their anchors, and the cells' rows and columns, each of length n.
    """
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
    return (
        row[chosen], anchor[chosen], cells[:, 1].clamp(0, height - 1),
        cells[:, 0].clamp(0, width - 1))


def background(ignored, pictures, stride, height, width):
    """1 where a cell may count as background, 0 inside an ignored face: N × H × W."""
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


def detection_loss(outputs, rows, taught=None):
    """The loss's three parts, box, objectness and landmarks, already weighted: scalars.

    `taught` are a teacher's scores for each output, N × 3 × H × W.
    """
    faces, ignored = rows[rows[:, IGNORED] == 0], rows[rows[:, IGNORED] != 0]
    parts = [torch.zeros(()), torch.zeros(()), torch.zeros(())]
    levels = zip(outputs, STRIDES, ANCHORS, OBJECTNESS_BALANCE, taught or [None] * len(outputs))
    for output, stride, sizes, balance, scores in levels:
        output = output.float()
        pictures, _, height, width, _ = output.shape
        anchors = torch.tensor(sizes, dtype=torch.float32)
        counts = background(ignored, pictures, stride, height, width)[:, None].repeat(1, 3, 1, 1)
        objectness = torch.zeros(output.shape[:-1])
        share = torch.full_like(objectness, TEACHER_SHARE)
        row, anchor, y, x = assign(faces, stride, anchors, height, width)
        if len(row):
            face, picture = faces[row], faces[row, 0].long()
            said, size = output[picture, anchor, y, x], anchors[anchor]
            cell = torch.stack([x, y], 1).float() * stride
            box = torch.cat([
                (said[:, :2].sigmoid() * 2 - 0.5) * stride + cell,
                (said[:, 2:4].sigmoid() * 2).pow(2) * size], 1)
            weight = face[:, BOX_WEIGHT]
            overlap = complete_iou(box, face[:, BOX])
            likeness = (overlap + closeness(box, face[:, BOX])) / 2
            parts[0] = parts[0] + ((1 - likeness) * weight).sum() / weight.sum()
            parts[0] = parts[0] + 0.05 * F.softplus(-said[:, CLASS]).mean()
            objectness[picture, anchor, y, x] = overlap.detach().clamp(0)
            counts[picture, anchor, y, x] = weight
            is_small = face[:, 3:5].amax(1) < TEACHER_FACE
            share[picture, anchor, y, x] = torch.where(is_small, TEACHER_SHARE, 0.0)
            points = said[:, LANDMARKS].view(-1, 5, 2) * size[:, None] + cell[:, None]
            errors = points - face[:, POINTS].view(-1, 5, 2)
            errors = errors / face[:, 3:5].prod(1).sqrt()[:, None, None]
            weights = face[:, LANDMARK_WEIGHT]
            parts[2] = parts[2] + (wing(errors).mean((1, 2)) * weights).sum() / (
                weights.sum() + 1)
        if scores is not None and stride <= TEACHER_STRIDE:
            # What the labels leave open is up to the teacher.
            share = torch.where(counts == 0, 1.0, share)
            counts = counts.clamp(min=TEACHER_SHARE)
            objectness = torch.lerp(objectness, scores, share)
        entropy = F.binary_cross_entropy_with_logits(
            output[..., OBJECTNESS], objectness, reduction="none")
        parts[1] = parts[1] + balance * (entropy * counts).sum() / counts.sum()
    return BOX_GAIN * parts[0], OBJECTNESS_GAIN * parts[1], LANDMARK_GAIN * parts[2]
