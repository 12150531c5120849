// SPDX-License-Identifier: Apache-2.0
"use strict";

// The playground: a picture or the camera, the engine, and what the page shows of its faces.

const MAXIMUM_ROWS = 60;
const detection = { shown: [], result: { kept: [] } };
const frame = { canvas: document.createElement("canvas"), rgba: null };

function say(text, isError = false) {
  byId("message").textContent = text;
  byId("message").classList.toggle("error", isError);
}

/// Takes over a picture from anything that a canvas can draw.
function take(source, width, height) {
  Object.assign(picture, { width, height });
  Object.assign(report.picture, { width, height });
  Object.assign(view, { x: 0, y: 0, scale: 1 });
  Object.assign(frame.canvas, { width, height });
  const context = frame.canvas.getContext("2d", { willReadFrequently: true });
  // Transparent pixels are seen on white, as the tool sees them.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.drawImage(source, 0, 0, width, height);
  frame.rgba = context.getImageData(0, 0, width, height).data;
  photo = frame.canvas;
}

/// The engine that has opened the network, in a thread of its own.
let network = null;
let looking = null; // a promise of the run in progress
let isStale = false; // whether something has changed since it began

/// Runs the network on the picture and shows its faces, once more where something changes meanwhile.
function look() {
  isStale = true;
  looking ??= lookWhileStale().finally(() => (looking = null));
  return looking;
}

async function lookWhileStale() {
  while (isStale) {
    isStale = false;
    await lookOnce();
  }
}

async function lookOnce() {
  if (network === null || frame.rgba === null) return;
  const options = {
    longSide: Number(byId("long-side").value), score: state.score, overlap: state.overlap,
  };
  try {
    const start = performance.now();
    detection.shown = await network.ask("detect", { ...picture, rgba: frame.rgba }, options);
    const time = performance.now() - start;
    detection.result.kept = detection.shown.map((_, index) => index);
    say(`${picture.width} × ${picture.height} pixels, ${fixed(time)} ms in this browser`);
  } catch (error) {
    detection.shown = [];
    detection.result.kept = [];
    say(String(error.message ?? error), true);
  }
  byId("results").hidden = false;
  if (state.face >= detection.shown.length) state.face = 0;
  draw();
  if (byId("inside").open && camera === null) await openLayer();
}

function draw() {
  if (frame.rgba === null) return;
  drawPicture();
  listFaces();
  drawCoordinates();
}

/// Counts the reader's requests, so that what arrives late does not replace what a later one asked for.
let turn = 0;

/// Opens a file that the browser can decode, turned upright as its Exif says.
async function open(file) {
  stopCamera();
  showChosen(file);
  const mine = turn;
  try {
    const bitmap = await bitmapOf(file);
    if (mine === turn) {
      take(bitmap, bitmap.width, bitmap.height);
      Object.assign(detection, { shown: [], result: { kept: [] } });
      change({ face: 0 });
      await look();
    }
    bitmap.close();
  } catch (error) {
    if (mine !== turn) return;
    const isUnreadable = error instanceof DOMException;
    say(isUnreadable ? "The browser cannot read this file as a picture." : error.message, true);
  }
}

let camera = null;

async function startCamera() {
  stopCamera();
  const mine = turn;
  const video = document.createElement("video");
  let stream = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: true });
    video.srcObject = stream;
    video.muted = true;
    await video.play();
  } catch {
    endStream(stream);
    if (mine === turn) say("The camera is not available, or the page may not use it.", true);
    return;
  }
  if (mine !== turn) return endStream(stream);
  camera = stream;
  byId("camera").textContent = "Stop the camera";
  // Its text changes with every frame.
  byId("message").setAttribute("aria-live", "off");
  const step = async () => {
    if (camera !== stream) return;
    if (video.videoWidth > 0) {
      take(video, video.videoWidth, video.videoHeight);
      await look();
    }
    requestAnimationFrame(step);
  };
  step();
}

function endStream(stream) {
  stream?.getTracks().forEach((track) => track.stop());
}

/// Stops the camera, and drops whatever else is on its way.
function stopCamera() {
  turn += 1;
  endStream(camera);
  camera = null;
  byId("camera").textContent = "Use the camera";
  byId("message").setAttribute("aria-live", "polite");
}

function connectSlider(id, key) {
  const input = byId(id);
  input.value = state[key];
  byId(id + "-value").textContent = fixed(state[key], 2);
  input.addEventListener("input", () => {
    state[key] = Number(input.value);
    byId(id + "-value").textContent = fixed(state[key], 2);
    look();
  });
}

function connectPictures() {
  const drop = byId("drop");
  byId("file").addEventListener("change", (event) => {
    if (event.target.files.length > 0) open(event.target.files[0]);
  });
  offerPictures(report.pictures.map(fileOf), open);
  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      const file = name === "drop" ? event.dataTransfer.files[0] : null;
      if (file) open(file);
    });
  }
  document.addEventListener("paste", (event) => {
    const file = event.clipboardData.files[0];
    if (file) open(file);
  });
  byId("camera").addEventListener("click", () => (camera === null ? startCamera() : stopCamera()));
}

function connectLongSide() {
  const select = byId("long-side");
  const sides = fillLongSides(select, report.files.longSides, report.longSide);
  select.disabled = sides.length === 1;
  select.addEventListener("input", look);
}

async function start() {
  connectSlider("score", "score");
  connectSlider("overlap", "overlap");
  connectLongSide();
  connectPictures();
  connectPicture();
  connectViews();
  byId("placement").value = "aspectFill";
  connectCoordinates();
  connectInside();
  watch(["face", "view"], draw);
  window.addEventListener("resize", draw);
  byId("model").textContent = report.model;
  byId("terms").textContent = report.terms;
  try {
    engine = await Engine.start(report.engine);
    network = await RemoteEngine.start(report.engine, report.files);
    await listConvolutions();
  } catch (error) {
    engine = null;
    network = null;
    return say(`The engine does not start here: ${error.message}`, true);
  }
  await open(heldFiles[0]);
}

const started = start();
