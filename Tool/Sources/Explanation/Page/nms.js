"use strict";

// The decisions of NonMaximumSuppression.swift, in the same arithmetic and order, so that the page
// keeps the boxes that the tool keeps at the same thresholds.

/// Indices of the candidates, best score first, among equal scores the lower index first.
function orderByScore(candidates) {
  return candidates
    .map((_, index) => index)
    .sort((a, b) => candidates[b].score - candidates[a].score || a - b);
}

/// The boxes' edges and areas, in plain arrays for speed.
function edgesOf(candidates) {
  const count = candidates.length;
  const edges = {
    minX: new Float64Array(count),
    minY: new Float64Array(count),
    maxX: new Float64Array(count),
    maxY: new Float64Array(count),
    area: new Float64Array(count),
  };
  candidates.forEach(({ box }, index) => {
    edges.minX[index] = box.x;
    edges.minY[index] = box.y;
    edges.maxX[index] = box.x + box.width;
    edges.maxY[index] = box.y + box.height;
    edges.area[index] =
      Math.max(0, edges.maxX[index] - edges.minX[index]) *
      Math.max(0, edges.maxY[index] - edges.minY[index]);
  });
  return edges;
}

function intersection(edges, a, b) {
  const width = Math.min(edges.maxX[a], edges.maxX[b]) - Math.max(edges.minX[a], edges.minX[b]);
  const height = Math.min(edges.maxY[a], edges.maxY[b]) - Math.max(edges.minY[a], edges.minY[b]);
  return width > 0 && height > 0 ? width * height : 0;
}

function intersectionOverUnion(edges, a, b) {
  const both = intersection(edges, a, b);
  return both > 0 ? both / (edges.area[a] + edges.area[b] - both) : 0;
}

/// Greedy non-maximum suppression.
///
/// Returns the candidates kept, best first, how many reach the score, and for each candidate the
/// one that suppressed it, or −1.
function suppress(order, candidates, edges, scoreThreshold, overlapThreshold) {
  const lowestScore = Math.fround(scoreThreshold);
  const suppressor = new Int32Array(candidates.length).fill(-1);
  const kept = [];
  let admitted = 0;
  for (const index of order) {
    if (!(candidates[index].score >= lowestScore)) break;
    admitted++;
    const by = firstOverlapping(kept, edges, index, overlapThreshold);
    if (by < 0) kept.push(index);
    else suppressor[index] = by;
  }
  return { kept, admitted, suppressor };
}

function firstOverlapping(kept, edges, index, threshold) {
  const area = edges.area[index];
  if (!(threshold < 1) || !(area > 0 && area < Infinity)) return -1;
  for (const other of kept) {
    const both = intersection(edges, other, index);
    if (both > threshold * (edges.area[other] + area - both)) return other;
  }
  return -1;
}

/// All candidates; which are kept depends on the thresholds.
const detection = { result: { kept: [], admitted: 0, suppressor: new Int32Array(0) }, milliseconds: 0 };

function propose(candidates) {
  Object.assign(detection, {
    candidates,
    shown: candidates.map(unmapFace), // in the picture's pixels
    order: orderByScore(candidates),
    edges: edgesOf(candidates),
  });
}

propose(readCandidates());

function detectAgain() {
  const { order, candidates, edges } = detection;
  const start = performance.now();
  detection.result = suppress(order, candidates, edges, state.score, state.overlap);
  detection.milliseconds = performance.now() - start;
}
