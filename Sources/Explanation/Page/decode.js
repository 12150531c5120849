"use strict";

// The arithmetic of DetectionHead.swift, in doubles as there: a score is rounded to fp32.

const VALUES_PER_ANCHOR = 16;
const OBJECTNESS = 4;
const LANDMARKS = 5;
const CLASS = 15;

function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}

/// The face that one anchor of one cell proposes, in network input pixels.
function decode(t, { head, anchor, row, column }) {
  const { stride, anchors } = report.heads[head];
  const [anchorWidth, anchorHeight] = anchors[anchor];
  const objectness = sigmoid(t[OBJECTNESS]);
  const relativeWidth = 2 * sigmoid(t[2]);
  const relativeHeight = 2 * sigmoid(t[3]);
  const width = relativeWidth * relativeWidth * anchorWidth;
  const height = relativeHeight * relativeHeight * anchorHeight;
  const centerX = (2 * sigmoid(t[0]) - 0.5 + column) * stride;
  const centerY = (2 * sigmoid(t[1]) - 0.5 + row) * stride;
  const landmarks = [];
  for (let index = LANDMARKS; index < CLASS; index += 2) {
    landmarks.push({
      x: t[index] * anchorWidth + column * stride,
      y: t[index + 1] * anchorHeight + row * stride,
    });
  }
  return {
    score: Math.fround(objectness * sigmoid(t[CLASS])),
    objectness: Math.fround(objectness),
    box: { x: centerX - width / 2, y: centerY - height / 2, width, height },
    landmarks,
  };
}

/// All candidates of the report, by head, anchor, row and column.
function decodeAll() {
  const { cells, values } = report.candidates;
  const numbers = floatsOf(values);
  const candidates = [];
  for (let index = 0; 4 * index < cells.length; index++) {
    const [head, anchor, row, column] = cells.slice(4 * index, 4 * index + 4);
    const cell = { head, anchor, row, column };
    const t = numbers.subarray(index * VALUES_PER_ANCHOR, (index + 1) * VALUES_PER_ANCHOR);
    candidates.push({ ...decode(t, cell), cell, raw: t });
  }
  return candidates;
}

/// From network input pixels to the picture's, see Letterbox.swift.
function unmapPoint({ x, y }) {
  const { horizontalScale, verticalScale, padLeft, padTop } = report.letterbox;
  return { x: (x - padLeft) / horizontalScale, y: (y - padTop) / verticalScale };
}

function mapPoint({ x, y }) {
  const { horizontalScale, verticalScale, padLeft, padTop } = report.letterbox;
  return { x: x * horizontalScale + padLeft, y: y * verticalScale + padTop };
}

/// The rectangle between two opposite corners, wherever a mapping puts them.
function mapBox(box, map) {
  const a = map({ x: box.x, y: box.y });
  const b = map({ x: box.x + box.width, y: box.y + box.height });
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
}

/// A face in the picture's pixels.
function unmapFace(face) {
  return { ...face, box: mapBox(face.box, unmapPoint), landmarks: face.landmarks.map(unmapPoint) };
}
