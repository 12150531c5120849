"use strict";

// The candidates that the tool decoded, and the way from the network's input to the picture.

/// All candidates of the report, in network input pixels, by head, anchor, row and column.
function readCandidates() {
  const { cells, scores } = report.candidates;
  const boxes = doublesOf(report.candidates.boxes);
  const points = doublesOf(report.candidates.landmarks);
  const count = report.landmarkNames.length;
  return Array.from(floatsOf(scores), (score, index) => {
    const [head, anchor, row, column] = cells.slice(4 * index, 4 * index + 4);
    const [x, y, width, height] = boxes.subarray(4 * index, 4 * index + 4);
    const landmarks = [];
    for (let number = index * count; number < (index + 1) * count; number++) {
      const point = { x: points[2 * number], y: points[2 * number + 1] };
      if (!Number.isNaN(point.x)) landmarks.push(point);
    }
    return { score, box: { x, y, width, height }, landmarks, cell: { head, anchor, row, column } };
  });
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
