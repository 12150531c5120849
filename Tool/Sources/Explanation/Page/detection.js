// SPDX-License-Identifier: Apache-2.0
"use strict";

// The candidates and what the engine's suppression makes of them, and the way between the network's input and
// the picture.

/// Candidates in pixels of the network's input, and `shown`, the same in the picture's; `order` is best first.
const detection = {
  candidates: [], shown: [], order: [], result: { kept: [], admitted: 0, suppressor: [] },
};

/// The report's candidates, by head, anchor, row and column.
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

const inPicture = (candidates) => engine.mapToPicture(candidates, report.letterbox);

/// Where any overlap is allowed, all are kept.
const bestFirst = (candidates) => engine.suppress(candidates, { score: -Infinity, overlap: 1 }).kept;

function propose(candidates, shown = inPicture(candidates), order = bestFirst(candidates)) {
  Object.assign(detection, { candidates, shown, order });
}

function detectAgain() {
  detection.result = engine.suppress(detection.candidates, state);
}

/// How two candidates overlap.
function overlapOf(index, other) {
  return engine.overlaps([detection.candidates[index]], [detection.candidates[other]])[0];
}

const pointBox = ({ x, y }) => ({ box: { x, y, width: 0, height: 0 } });

/// Boxes and points of the network's input in the picture, and a point of the picture in the input.
const boxInPicture = (box) => engine.mapToPicture([{ box }], report.letterbox)[0].box;
const pointsInPicture = (points) =>
  engine.mapToPicture(points.map(pointBox), report.letterbox).map(({ box }) => box);
const pointInInput = (point) => engine.mapToInput([pointBox(point)], report.letterbox)[0].box;
