// SPDX-License-Identifier: Apache-2.0
"use strict";

// What did the network look at? A grey square covers one piece of its input after the other, and each time it runs
// again: where the chosen candidate's score falls, it needs what is there.

/// The scores of a candidate, given by its number, with each square covered; `run` is null unless squares are covered;
/// `own` is the reader's last square.
const occlusion = { index: null, run: null, cells: [], before: 0, own: null };

/// The squares that change the score most are quartered.
const QUARTERED = 9;

/// What is drawn, in each direction.
const TILES = 28;

/// How far the squares reach from the middle of a box, and how many they are in each direction.
const reachOf = ({ box }) => Math.max(box.width, box.height);
const PIECES = 7;

/// A square half as wide again as its distance to the next, by its middle and side, in pixels of the input.
const squareAt = (x, y, pitch) => ({ x, y, pitch, side: Math.max(1, Math.round(1.5 * pitch)) });

/// Squares over twice the box.
function squaresAround(candidate, { width, height }) {
  const reach = reachOf(candidate);
  const pitch = Math.max(2, (2 * reach) / PIECES);
  const { x, y } = centerOf(candidate.box);
  return Array.from({ length: PIECES ** 2 }, (_, index) => squareAt(
    x - reach + ((index % PIECES) + 0.5) * pitch, y - reach + (Math.floor(index / PIECES) + 0.5) * pitch, pitch
  )).filter((place) => place.x >= 0 && place.y >= 0 && place.x < width && place.y < height);
}

const quartersOf = ({ x, y, pitch }) => [[-1, -1], [1, -1], [-1, 1], [1, 1]]
  .map(([across, down]) => squareAt(x + (across * pitch) / 4, y + (down * pitch) / 4, pitch / 2));

const changeOf = ({ score }) => Math.abs(score - occlusion.before);

/// Runs the network with a square covered and shows what that does; false where the reader has gone on.
async function coverSquare(square) {
  const { run, index } = occlusion;
  const { cell: proposal } = detection.candidates[index];
  const score = await live.engine.ask(
    "scoreCovered", live.input, square, report.letterbox.fill, report.heads.map(withoutValues), proposal);
  if (occlusion.run !== run) return false;
  occlusion.cells.push({ ...square, score });
  drawOcclusion();
  return true;
}

/// Covers a single square around a point of the picture.
async function coverAt(point) {
  if (!startCovering()) return;
  const { x, y } = pointInInput(point);
  if (!(await coverSquare(squareAt(x, y, (2 * reachOf(detection.candidates[occlusion.index])) / PIECES)))) return;
  occlusion.own = occlusion.cells.at(-1);
  stopCoveringPieces();
  drawOcclusion();
}

function startCovering() {
  if (occlusion.run !== null || occlusion.index === null) return false;
  byId("occlude").textContent = "Stop";
  return Object.assign(occlusion, { run: {}, before: detection.candidates[occlusion.index].score });
}

async function coverPieces() {
  if (occlusion.run !== null) return stopCoveringPieces();
  forgetOcclusion();
  if (!startCovering()) return;
  const squares = squaresAround(detection.candidates[occlusion.index], live.input);
  for (const square of squares) if (!(await coverSquare(square))) return;
  const strongest = occlusion.cells.toSorted((a, b) => changeOf(b) - changeOf(a)).slice(0, QUARTERED);
  for (const quarter of strongest.flatMap(quartersOf)) if (!(await coverSquare(quarter))) return;
  stopCoveringPieces();
}

/// A head as the engine needs it to read its numbers, without those of the report.
const withoutValues = ({ anchors, quantities }) =>
  ({ anchors, quantities: quantities.map(({ name }) => ({ name })) });

function stopCoveringPieces() {
  occlusion.run = null;
  byId("occlude").textContent = "Cover piece by piece";
}

/// The map belongs to one candidate of one run.
function forgetOcclusion() {
  stopCoveringPieces();
  Object.assign(occlusion, { index: chosenCandidate(), cells: [], own: null });
  byId("occlude").disabled = occlusion.index === null;
  drawOcclusion();
  showEvidence();
}

/// The part of the picture that the squares reach.
function occludedPart() {
  if (occlusion.index === null) return { x: 0, y: 0, ...picture };
  const reach = reachOf(detection.shown[occlusion.index]);
  const { x, y } = centerOf(detection.shown[occlusion.index].box);
  const [left, top] = [Math.max(0, x - reach), Math.max(0, y - reach)];
  return { x: left, y: top, width: Math.min(picture.width, x + reach) - left, height: Math.min(picture.height, y + reach) - top };
}

/// Like `prepare`, for that part, with the photo in it.
function prepareOccluded(canvas, strength) {
  const part = occludedPart();
  const { context, unit } = prepare(canvas, part, 0.6);
  context.translate(-part.x, -part.y);
  drawPhoto(context, strength);
  return { context, unit };
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/// How much of the score points of the picture cost: the mean of the squares over each, as shares of the largest change
/// by one of their size.
function changesIn(points) {
  const { cells, before } = occlusion;
  const squares = cells.map(({ x, y, side }) => ({ box: { x: x - side / 2, y: y - side / 2, width: side, height: side } }));
  const boxes = engine.mapToPicture(squares, report.letterbox).map(({ box }) => box);
  const largestOf = ({ pitch }) => Math.max(...cells.filter((cell) => cell.pitch === pitch).map(changeOf)) || 1;
  const shares = cells.map((cell) => (before - cell.score) / largestOf(cell));
  return points.map((point) => ({ ...point, change: mean(shares.filter((_, index) => holds(boxes[index], point))) }));
}

function drawOcclusion() {
  if (live.engine === null) return;
  const { context, unit } = prepareOccluded(byId("occlusion-canvas"), 0.8);
  const part = occludedPart();
  const tile = { width: part.width / TILES, height: part.height / TILES };
  const changes = changesIn(Array.from({ length: TILES ** 2 }, (_, index) => (
    { x: part.x + ((index % TILES) + 0.5) * tile.width, y: part.y + (Math.floor(index / TILES) + 0.5) * tile.height })));
  const largest = Math.max(...changes.map(({ change }) => Math.abs(change))) || 1;
  for (const { x, y, change } of changes) {
    const [red, green, blue] = change > 0 ? POSITIVE : NEGATIVE;
    context.fillStyle = `rgb(${red} ${green} ${blue} / ${(0.8 * Math.abs(change)) / largest})`;
    context.fillRect(x - tile.width / 2, y - tile.height / 2, tile.width, tile.height);
  }
  if (occlusion.index !== null) drawBox(context, detection.shown[occlusion.index].box, "#fff", 2 * unit);
  byId("occlusion-progress").value = occlusion.cells.length / (PIECES ** 2 + 4 * QUARTERED);
  byId("occlusion-text").textContent = occlusionText();
}

function occlusionText() {
  const { index, cells, own, before } = occlusion;
  if (index === null) return "There is no face at these thresholds: choose a candidate, or lower the score threshold.";
  if (cells.length === 0) return "";
  const effect = (square) => {
    const [point] = pointsInPicture([square]);
    return `${placeOf(point, detection.shown[index])}: the score goes from ${fixed(before, 3)} to ${fixed(square.score, 3)}`;
  };
  const worst = cells.reduce((a, b) => (b.score < a.score ? b : a));
  return (
    (own === null ? "" : `Your square is ${effect(own)}. `) +
    `${counting(cells.length, "square")} covered. The one that costs most is ${effect(worst)}. Each colour is the mean of all squares over ` +
    "its place, large and small ones alike, so the strongest may be beside it."
  );
}

/// A point in words, by the landmarks that it is nearest to.
function placeOf(point, { box, landmarks }) {
  const { x, y } = point;
  if (y < box.y) return "above the box";
  if (y > box.y + box.height) return "below the box";
  if (x < box.x || x > box.x + box.width) return "beside the box";
  if (landmarks.length < 5) return `around (${fixed(x, 0)}, ${fixed(y, 0)})`;
  const towards = (a, b, share = 0.5) => ({ x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) });
  const [rightEye, leftEye, nose, rightMouth, leftMouth] = landmarks;
  const [eyes, mouth] = [towards(rightEye, leftEye), towards(rightMouth, leftMouth)];
  const places = {
    "at the right eye": rightEye, "at the left eye": leftEye, "at the nose": nose, "at the mouth": mouth,
    "between the eyes": eyes, "between the eyes and the nose": towards(eyes, nose),
    "between the nose and the mouth": towards(nose, mouth), "on the right cheek": towards(rightEye, rightMouth, 0.6),
    "on the left cheek": towards(leftEye, leftMouth, 0.6), "on the forehead": towards(mouth, eyes, 1.7),
    "on the chin": towards(eyes, mouth, 1.6),
  };
  const distance = (name) => Math.hypot(places[name].x - x, places[name].y - y);
  return Object.keys(places).reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

function connectOcclusion() {
  const canvas = byId("occlusion-canvas");
  byId("occlude").addEventListener("click", coverPieces);
  canvas.addEventListener("click", (event) => {
    const part = occludedPart();
    const { x, y } = positionOf(event, canvas, part);
    coverAt({ x: part.x + x, y: part.y + y });
  });
  forgetOcclusion();
  connectEvidence();
  watch(["runs"], forgetOcclusion);
  watch(["candidate", "face", "score", "overlap"], () => chosenCandidate() !== occlusion.index && forgetOcclusion());
}
