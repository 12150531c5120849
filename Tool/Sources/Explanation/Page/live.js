// SPDX-License-Identifier: Apache-2.0
"use strict";

// The network in the page: a second engine, in a thread of its own, runs it on the report's picture, on another one, and with other weights.

const live = {
  engine: null, // the one that has opened the network, in a thread of its own
  work: null, // a promise of the last run's showing
  input: null, // what the network sees: width, height and four bytes a pixel
  blobs: new Map(), // those computed since the last change, by name
  file: null, // the reader's picture; null where it is the report's
  turn: 0, // counts the pictures that were asked for
  original: null, // the report's picture, letterbox, input and faces, to go back to
  weights: new Map(), // the model's own arrays that were replaced, by layer and number
  changes: [], // what the reader has changed, in words, and whether that is weights
};

/// The most blobs that are kept.
const MAXIMUM_BLOBS = 24;

/// Promises blobs of the network by their names, each with its shape and numbers.
async function computed(names) {
  const known = live.blobs;
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0) {
    const found = await live.engine.ask("compute", missing);
    if (known.size + missing.length > MAXIMUM_BLOBS) known.clear();
    missing.forEach((name, index) => {
      known.set(name, found[index]);
      blobs.find((blob) => blob.name === name).shape = found[index].shape;
    });
  }
  return names.every((name) => known.has(name)) ? names.map((name) => known.get(name)) : computed(names);
}

function pixelsOf(source, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  // Transparent pixels are seen on white, as the tool sees them.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  return { canvas, rgba: context.getImageData(0, 0, width, height).data, width, height };
}

/// Runs the network on its input as it is now and shows everything again.
function runAgain() {
  stopCoveringPieces();
  live.blobs = new Map();
  live.engine.ask("take", live.input);
  byId("live-note").textContent = "The network is running …";
  live.work = showRun(live.engine.ask("explain", report.heads.map(withoutValues), report.live.lowestScore));
  return live.work;
}

async function showRun(run) {
  const { lowestScore } = report.live;
  const { readings, candidates } = await run;
  // In tasks of their own, so that none is long.
  await nextTask();
  const shown = inPicture(candidates);
  await nextTask();
  const order = bestFirst(candidates);
  await nextTask();
  readings.forEach(({ values, ...grid }, number) => {
    Object.assign(report.heads[number], grid);
    headValues[number] = values;
  });
  Object.assign(report.candidates, { total: candidates.length, lowestScore });
  propose(candidates, shown, order);
  detectAgain();
  describeChanges();
  change({
    score: state.score, face: 0, candidate: null, point: null, layer: state.layer,
    runs: state.runs + 1,
  });
}

/// What the changes did to the faces of the report's own picture.
function describeChanges() {
  byId("changes").hidden = live.changes.length === 0;
  byId("change-list").textContent = live.changes.map(({ text }) => text).join("; ");
  const { shown, result } = detection;
  const faces = result.kept.map((index) => shown[index]);
  byId("change-effect").textContent =
    live.original.photo === photo
      ? effectOn(live.original.faces, faces)
      : `${counting(faces.length, "face")} in this picture.`;
}

const counting = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

/// How faces differ from those before, each compared with the one that overlaps it most.
function effectOn(before, after) {
  const pairs = engine.overlaps(before, after).flatMap(({ other, iou }, index) =>
    iou > 0.3 ? [{ face: before[index], other: after[other] }] : []
  );
  const added = after.length - new Set(pairs.map(({ other }) => other)).size;
  const changes = pairs.map(({ face, other }) => Math.abs(other.score - face.score));
  return (
    `Of the ${counting(before.length, "face")} before, ${pairs.length} still found; ` +
    `${counting(added, "new face")}.` +
    (pairs.length > 0 ? ` Largest change of a score: ${fixed(Math.max(...changes), 4)}.` : "")
  );
}

function noteChange(text, isOfWeights = false) {
  if (live.changes.at(-1)?.text !== text) live.changes.push({ text, isOfWeights });
}

/// Explains a picture of the reader's.
const replacePicture = (file) => explainPicture("another picture", async () => {
  const bitmap = await bitmapOf(file);
  return pixelsOf(bitmap, bitmap.width, bitmap.height);
}, file);

/// Explains the picture at another long side; where the page holds a smaller copy of it, that copy.
function explainAt(longSide) {
  byId("live-long-side").value = String(longSide);
  const copy = photo.width < picture.width ? ` (of the page’s copy, ${photo.width} × ${photo.height})` : "";
  return explainPicture(
    `a long side of ${longSide || "the model’s own"}${copy}`, () => pixelsOf(photo, picture.width, picture.height));
}

/// Explains a picture, by default the one that is shown, at the chosen long side, unless the reader asks for something
/// else before it is decoded.
async function explainPicture(change, open, file) {
  const turn = ++live.turn;
  byId("live-error").textContent = "";
  try {
    const { canvas, ...pixels } = await open();
    if (turn !== live.turn) return;
    const longSide = Number(byId("live-long-side").value);
    const { width, height } = pixels;
    const side = longSide > 0 ? { mode: 0, width: longSide, height: longSide } : {};
    const letterbox = fitted({ ...live.original.letterbox, imageWidth: width, imageHeight: height, ...side });
    const input = await live.engine.ask("inputOf", pixels, longSide, letterbox);
    if (turn !== live.turn) return;
    if (file) {
      takePicture(canvas, { width, height });
      live.file = file;
      showChosen(file);
    }
    Object.assign(report.letterbox, letterbox);
    live.input = input;
    noteChange(change);
    await runAgain();
  } catch (error) {
    if (turn !== live.turn) return;
    byId("live-error").textContent =
      error instanceof DOMException ? "The browser cannot read this file as a picture." : error.message;
  }
}

/// A letterbox with what the engine makes of its picture and mode.
const fitted = (fit) => ({ ...fit, ...engine.letterbox(fit) });

function takePicture(source, size) {
  photo = source;
  Object.assign(picture, size);
  Object.assign(report.picture, size);
  Object.assign(view, { x: 0, y: 0, scale: 1 });
}

/// Paints a grey square over a part of the network's input.
function coverInput({ x, y }) {
  cover(live.input, { x, y, side: brushSide() }, report.letterbox.fill);
}

const brushSide = () => Math.round(Math.max(live.input.width, live.input.height) / 16);

/// Replaces a layer's array of weights; keeps the model's own to go back to.
async function replaceWeights(layer, array, values, text) {
  const key = `${layer} ${array}`;
  const own = await live.engine.ask("weights", layer, array);
  await live.engine.ask("replaceWeights", layer, array, values);
  if (!live.weights.has(key)) live.weights.set(key, own);
  noteChange(text, true);
  await runAgain();
}

function undoChanges() {
  for (const [key, values] of live.weights) {
    live.engine.ask("replaceWeights", ...key.split(" ").map(Number), values);
  }
  live.weights.clear();
  live.changes = [];
  return showOwnPicture();
}

/// Goes back to the picture that the report was made of.
function showOwnPicture() {
  live.changes = live.changes.filter(({ isOfWeights }) => isOfWeights);
  live.file = null;
  showChosen(null);
  live.turn += 1;
  byId("live-file").value = "";
  const { picture: size, letterbox, input, photo: source } = live.original;
  takePicture(source, size);
  Object.assign(report.letterbox, letterbox);
  live.input = { ...input, rgba: input.rgba.slice() };
  showLongSide();
  return runAgain();
}

/// Covers parts of the input with the pointer, or with the arrow keys and Enter.
function connectCovering() {
  const canvas = byId("letterbox-canvas");
  const at = { x: live.input.width / 2, y: live.input.height / 2 };
  let isDown = false;
  const cover = (event) => {
    Object.assign(at, positionOf(event, canvas, live.input));
    coverInput(at);
    drawLetterbox();
  };
  const finish = () => {
    noteChange("a part of the input covered");
    runAgain();
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (!byId("cover").checked) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    isDown = true;
    cover(event);
  });
  canvas.addEventListener("pointermove", (event) => isDown && cover(event));
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, () => {
      if (isDown) finish();
      isDown = false;
    });
  }
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!byId("cover").checked || (!move && event.key !== "Enter")) return;
    event.preventDefault();
    if (move) {
      at.x = Math.max(0, Math.min(live.input.width, at.x + (move[0] * brushSide()) / 2));
      at.y = Math.max(0, Math.min(live.input.height, at.y + (move[1] * brushSide()) / 2));
      drawLetterbox();
      drawBrush(at);
    } else {
      coverInput(at);
      finish();
    }
  });
  byId("cover").addEventListener("change", () => {
    const isOn = byId("cover").checked;
    canvas.classList.toggle("covering", isOn);
    canvas.tabIndex = isOn ? 0 : -1;
  });
}

function drawBrush({ x, y }) {
  const canvas = byId("letterbox-canvas");
  const context = canvas.getContext("2d");
  const side = brushSide();
  drawBox(
    context, { x: x - side / 2, y: y - side / 2, width: side, height: side }, color("accent"),
    (2 * live.input.width) / canvas.clientWidth
  );
}

/// Offers the long sides for the reader's picture, with the one in use selected.
function showLongSide() {
  const { inputWidth, inputHeight } = report.letterbox;
  fillLongSides(
    byId("live-long-side"), report.live.model.longSides, Math.max(inputWidth, inputHeight));
}

function connectLive() {
  const select = byId("live-long-side");
  showLongSide();
  select.addEventListener("change", () => explainAt(Number(select.value)));
  offerPictures(
    [null, ...report.pictures.map(fileOf)],
    (file) => (file === null ? showOwnPicture() : replacePicture(file)));
  byId("live-file").addEventListener("change", (event) => {
    if (event.target.files.length > 0) replacePicture(event.target.files[0]);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) replacePicture(event.dataTransfer.files[0]);
  });
  byId("undo").addEventListener("click", undoChanges);
  connectCovering();
}

/// Opens the network, once the picture is there.
async function startLive() {
  if (!report.live) return;
  try {
    const remote = await RemoteEngine.start(report.engine, report.live.model);
    const image = await imageOf(report.live.input);
    const { canvas: _, ...pixels } = pixelsOf(image, image.width, image.height);
    live.input = pixels;
    await remote.ask("take", pixels);
    live.engine = remote;
  } catch (error) {
    live.engine = null;
    byId("live-note").textContent = `The network does not run in this browser: ${error.message}`;
    return;
  }
  live.original = {
    picture: { ...picture }, letterbox: { ...report.letterbox }, photo,
    input: { ...live.input, rgba: live.input.rgba.slice() },
    faces: detection.result.kept.map((index) => detection.shown[index]),
  };
  for (const node of document.querySelectorAll(".live")) node.hidden = false;
  connectLive();
  connectOcclusion();
  change({ runs: state.runs + 1, layer: state.layer });
}
