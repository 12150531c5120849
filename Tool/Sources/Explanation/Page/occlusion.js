"use strict";

// What did the network look at? A grey square covers one piece of its input after the other, and each time it runs
// again: where the chosen candidate's score falls, it needs what is there.

/// The scores of a candidate, given by its number, with each square covered.
const occlusion = { index: null, isRunning: false, cells: [], before: 0 };

/// Squares over twice the box, each half as wide again as their distance: by their middles and side, in pixels of the
/// input.
function squaresAround({ box }, { width, height }, pieces = 7) {
  const reach = Math.max(box.width, box.height);
  const pitch = Math.max(2, (2 * reach) / pieces);
  const { x, y } = centerOf(box);
  const squares = [];
  for (let row = 0; row < pieces; row++) {
    for (let column = 0; column < pieces; column++) {
      const place = { x: x - reach + (column + 0.5) * pitch, y: y - reach + (row + 0.5) * pitch };
      const isInside = place.x >= 0 && place.y >= 0 && place.x < width && place.y < height;
      if (isInside) squares.push({ ...place, side: Math.round(1.5 * pitch), pitch });
    }
  }
  return squares;
}

async function coverPieces() {
  const index = chosenCandidate();
  if (occlusion.isRunning || index === null) return stopCoveringPieces();
  const candidate = detection.candidates[index];
  const [input, turn] = [live.input, state.runs];
  Object.assign(occlusion, { index, isRunning: true, cells: [], before: candidate.score });
  byId("occlude").textContent = "Stop";
  const squares = squaresAround(candidate, input);
  for (const square of squares) {
    const { fill } = report.letterbox;
    const score = await live.engine.ask(
      "scoreCovered", input, square, fill, report.heads.map(withoutValues), candidate.cell);
    if (!occlusion.isRunning || occlusion.index !== index || state.runs !== turn) return;
    occlusion.cells.push({ ...square, score });
    byId("occlusion-progress").value = occlusion.cells.length / squares.length;
    drawOcclusion();
  }
  stopCoveringPieces();
}

/// A head as the engine needs it to read its numbers, without those of the report.
const withoutValues = ({ anchors, quantities }) =>
  ({ anchors, quantities: quantities.map(({ name }) => ({ name })) });

function stopCoveringPieces() {
  occlusion.isRunning = false;
  byId("occlude").textContent = "Cover piece by piece";
}

/// The map belongs to one candidate of one run.
function forgetOcclusion() {
  stopCoveringPieces();
  Object.assign(occlusion, { index: chosenCandidate(), cells: [] });
  byId("occlusion-progress").value = 0;
  drawOcclusion();
}

function drawOcclusion() {
  if (live.engine === null) return;
  const canvas = byId("occlusion-canvas");
  const { context, unit } = prepare(canvas, picture, 0.6);
  drawPhoto(context, 0.8);
  const largest = Math.max(...occlusion.cells.map(({ score }) => Math.abs(score - occlusion.before)));
  for (const { x, y, pitch, score } of occlusion.cells) {
    const change = score - occlusion.before;
    const part = { x: x - pitch / 2, y: y - pitch / 2, width: pitch, height: pitch };
    const { x: left, y: top, width, height } = boxInPicture(part);
    const [red, green, blue] = change < 0 ? POSITIVE : NEGATIVE;
    context.fillStyle = `rgb(${red} ${green} ${blue} / ${(0.8 * Math.abs(change)) / largest})`;
    context.fillRect(left, top, width, height);
  }
  const index = chosenCandidate();
  if (index !== null) drawBox(context, detection.shown[index].box, "#fff", 2 * unit);
  byId("occlusion-text").textContent = occlusionText();
}

function occlusionText() {
  if (occlusion.cells.length === 0) return "";
  const worst = occlusion.cells.reduce((a, b) => (b.score < a.score ? b : a));
  const [{ x, y }] = pointsInPicture([worst]);
  return (
    `${occlusion.cells.length} squares covered. The one around (${fixed(x, 0)}, ${fixed(y, 0)}) costs most: the score ` +
    `falls from ${fixed(occlusion.before, 3)} to ${fixed(worst.score, 3)}.`
  );
}

function connectOcclusion() {
  byId("occlude").addEventListener("click", coverPieces);
  drawOcclusion();
  watch(["runs"], forgetOcclusion);
  watch(["candidate", "face", "score", "overlap"], () => chosenCandidate() !== occlusion.index && forgetOcclusion());
}
