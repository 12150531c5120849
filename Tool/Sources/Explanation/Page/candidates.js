// SPDX-License-Identifier: Apache-2.0
"use strict";

// The candidates' section: two sliders that change what is kept, which candidate suppressed which, and what
// became of a face at a point.

const CANDIDATE_COLORS = { kept: "#40e060", suppressed: "#ff9f2e", below: "#8fb4ff" };
const MAXIMUM_ROWS = 60;

function fateOf(index) {
  const by = detection.result.suppressor[index];
  return by === KEPT ? "kept" : by === BELOW ? "below" : "suppressed";
}

function drawCandidates() {
  const { context, unit } = prepareView(byId("candidates-canvas"));
  drawPhoto(context, 0.75);
  const layers = { below: [], suppressed: [], kept: [] };
  for (const index of detection.order) {
    const fate = fateOf(index);
    if (byId("show-" + fate).checked) layers[fate].push(index);
  }
  for (const [fate, indices] of Object.entries(layers)) {
    context.globalAlpha = fate === "kept" ? 1 : indices.length > 2000 ? 0.3 : 0.7;
    for (const index of indices) {
      const { box } = detection.shown[index];
      const width = lineWidth(box, fate === "kept" ? 2.5 : 1.2, unit);
      drawBox(context, box, CANDIDATE_COLORS[fate], width);
    }
  }
  context.globalAlpha = 1;
  drawChosen(context, unit);
}

/// Draws the chosen candidate, the one that suppressed it or those that it suppressed, and the
/// point.
function drawChosen(context, unit) {
  const index = state.candidate;
  if (index !== null) {
    const { suppressor } = detection.result;
    const related = suppressor[index] >= 0 ? [suppressor[index]] : suppressedBy(index);
    for (const other of related) {
      const { box } = detection.shown[other];
      drawBox(context, box, CANDIDATE_COLORS[fateOf(other)], lineWidth(box, 2, unit));
    }
    const { box } = detection.shown[index];
    drawLandmarks(context, detection.shown[index], unit);
    drawBox(context, box, "#000", lineWidth(box, 3, unit) + 2 * unit);
    drawBox(context, box, CANDIDATE_COLORS[fateOf(index)], lineWidth(box, 3, unit));
    drawLabel(
      context, `${fixed(detection.shown[index].score, 3)} ${fateOf(index)}`, box.x, box.y, unit,
      CANDIDATE_COLORS[fateOf(index)]
    );
  }
  if (state.point !== null) {
    const { x, y } = state.point;
    context.strokeStyle = "#fff";
    context.lineWidth = 2 * unit;
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      context.beginPath();
      context.moveTo(x + 4 * unit * dx, y + 4 * unit * dy);
      context.lineTo(x + 14 * unit * dx, y + 14 * unit * dy);
      context.stroke();
    }
  }
}

function suppressedBy(index) {
  const { suppressor } = detection.result;
  return detection.order.filter((other) => suppressor[other] === index);
}

function countCandidates() {
  const { kept, admitted } = detection.result;
  const suppressed = admitted - kept.length;
  const below = detection.candidates.length - admitted;
  for (const [name, count] of Object.entries({ kept: kept.length, suppressed, below })) {
    byId("count-" + name).textContent = String(count);
  }
  byId("score-value").textContent = fixed(state.score, 3);
  byId("overlap-value").textContent = fixed(state.overlap, 3);
  byId("nms-time").textContent =
    `Suppression of ${counting(admitted, "candidate")} took ${duration(engine.exports.suppressionTime())} in the engine.`;
}

/// Lists the kept candidates and, below each, those that it suppressed; those of the chosen candidate or face come
/// first.
function listCandidates() {
  const { kept, suppressor, admitted } = detection.result;
  const rows = [];
  const chosen = chosenCandidate();
  const first = chosen !== null && suppressor[chosen] >= 0 ? suppressor[chosen] : chosen;
  const groups = kept.includes(first) ? [first, ...kept.filter((index) => index !== first)] : kept;
  if (first !== null && !kept.includes(first)) rows.push(candidateRow(first));
  for (const index of groups) {
    if (rows.length >= MAXIMUM_ROWS) break;
    rows.push(candidateRow(index));
    for (const other of suppressedBy(index)) rows.push(candidateRow(other));
  }
  const left = admitted - rows.length;
  if (left > 0) {
    rows.push(element("tr", {}, element("td", { colspan: 4 }, `and ${left} more: choose a face or a point for its own`)));
  }
  refill(byId("candidates"), rows);
}

function candidateRow(index) {
  const { score, cell } = detection.candidates[index];
  const head = report.heads[cell.head];
  const by = detection.result.suppressor[index];
  const fate = fateOf(index);
  const button = element("button", { type: "button" }, String(index));
  button.addEventListener("click", () => change({ candidate: index, point: null }));
  const text =
    by < 0
      ? fate
      : `by ${by}, IoU ${fixed(overlapOf(index, by).iou, 3)}`;
  const row = element(
    "tr", { class: fate },
    element("td", {}, button),
    element("td", {}, fixed(score, 3)),
    element("td", {}, `${head.stride}, ${anchorText(head, cell.anchor)}`),
    element("td", {}, text)
  );
  if (index === state.candidate) row.setAttribute("aria-current", "true");
  return row;
}

function setThresholds(score, overlap) {
  for (const [id, value] of Object.entries({ score, overlap })) {
    if (state[id] === value) continue;
    byId(id).value = value;
    byId(id).dispatchEvent(new Event("input"));
  }
}

function connectCandidates() {
  for (const [id, key] of [["score", "score"], ["overlap", "overlap"]]) {
    const slider = byId(id);
    slider.value = state[key];
    slider.addEventListener("input", () => {
      Object.assign(state, { [key]: Number(slider.value) });
      detectAgain();
      change({ [key]: state[key], face: 0 });
    });
  }
  for (const fate of ["kept", "suppressed", "below"]) {
    byId("show-" + fate).addEventListener("change", drawCandidates);
  }
  const canvas = byId("candidates-canvas");
  canvas.addEventListener("click", (event) => ask(pointAt(event, canvas)));
  connectAsking(canvas);
}
