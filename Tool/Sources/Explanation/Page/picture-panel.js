// SPDX-License-Identifier: Apache-2.0
"use strict";

// The picture and the faces that are found in it.

const MAXIMUM_FACES = 200; // more rows would make the sliders slow

/// What else a page draws over the picture, and what it asks where a click meets no face.
const overPicture = { draw() {}, ask() {} };

function drawPicture() {
  const { context, unit } = prepareView(byId("picture-canvas"));
  drawPhoto(context);
  drawFaces(context, unit, state.face);
  overPicture.draw(context, unit);
}

function listFaces() {
  const { kept } = detection.result;
  const listed = kept.slice(0, MAXIMUM_FACES);
  const count = kept.length === 1 ? "1 face" : `${kept.length} faces`;
  byId("face-count").textContent =
    listed.length < kept.length ? `${count}, of which the best ${listed.length} are listed` : count;
  const rows = listed.map((index, number) => faceRow(detection.shown[index], number));
  refill(byId("faces"), rows);
  const face = detection.shown[kept[state.face]];
  byId("landmarks-title").textContent = face ? "Landmarks of the chosen face" : "The closest candidate";
  const points = (face?.landmarks ?? []).map((point, index) => landmarkItem(point, index));
  const none = face ? "The model finds no landmarks." : noFaceText();
  byId("landmarks").replaceChildren(...(points.length > 0 ? points : [element("li", {}, none)]));
}

/// How close the best candidate comes, where candidates are known.
function noFaceText() {
  const best = detection.candidates?.[detection.order[0]];
  if (!best) {
    const least = fixed(report.candidates?.lowestScore ?? 0, 3);
    return report.candidates
      ? `No face at these thresholds, and no candidate with a score of ${least} or more.`
      : "No face at these thresholds.";
  }
  const { x, y } = centerOf(boxInPicture(best.box));
  return (
    `No face at these thresholds. The closest candidate, around (${fixed(x)}, ${fixed(y)}), scores ` +
    `${fixed(best.score, 3)}: a threshold of ${fixed(Math.floor(best.score * 1000) / 1000, 3)} would show it.`
  );
}

function chooseFace(number) {
  change({ face: number, candidate: null, point: null });
}

/// Chooses the smallest face around a point of the picture; where there is none, asks why.
function chooseFaceAt({ x, y }) {
  const around = detection.result.kept
    .map((index, number) => ({ number, box: detection.shown[index].box }))
    .filter(({ box }) => holds(box, { x, y }))
    .sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height);
  if (around.length > 0) chooseFace(around[0].number);
  else overPicture.ask({ x, y });
}

function connectPicture() {
  const canvas = byId("picture-canvas");
  canvas.addEventListener("click", (event) => chooseFaceAt(pointAt(event, canvas)));
}

function faceRow(face, number) {
  const { x, y, width, height } = face.box;
  const button = element("button", { type: "button" }, String(number + 1));
  button.addEventListener("click", () => chooseFace(number));
  const row = element(
    "tr",
    { "data-score": face.score, "data-box": [x, y, width, height].join(" ") },
    element("td", {}, button),
    element("td", {}, fixed(face.score, 3)),
    element("td", {}, `${fixed(x)}, ${fixed(y)}`),
    element("td", {}, `${fixed(width)} × ${fixed(height)}`)
  );
  if (number === state.face) row.setAttribute("aria-current", "true");
  return row;
}

function landmarkItem(point, index) {
  const dot = element("span", { class: "dot" });
  dot.style.background = LANDMARK_COLORS[index];
  return element(
    "li", {}, dot, element("b", {}, report.landmarkNames[index]),
    ` ${fixed(point.x)}, ${fixed(point.y)}`
  );
}
