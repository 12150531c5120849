// SPDX-License-Identifier: Apache-2.0
"use strict";

// What the tool measured; see Explanation.swift. Texts in it come from file names and model files:
// they are shown by textContent only, never as HTML.
const report = JSON.parse(document.getElementById("report").textContent);
/// For people: “right eye”, where programs read `rightEye`.
const inWords = (name) => name.replace(/[A-Z]/g, (letter) => " " + letter.toLowerCase());
report.landmarkNames = report.landmarkNames.map(inWords);

/// Decodes fp32 in the machine's byte order, which is little-endian wherever browsers run.
function floatsOf(base64) {
  return new Float32Array(bytesOf(base64).buffer);
}

/// Decodes fp64, likewise.
function doublesOf(base64) {
  return new Float64Array(bytesOf(base64).buffer);
}

function imageOf(base64) {
  const image = new Image();
  image.src = "data:image/png;base64," + base64;
  return image.decode().then(() => image);
}

const byId = (id) => document.getElementById(id);

/// The files of the pictures that the page holds; null for the one that a report was made of.
let heldFiles = [];

function offerPictures(files, open) {
  heldFiles = files;
  const select = byId("pictures");
  select.replaceChildren(...files.map((file) => element("option", {}, file?.name ?? report.title)));
  select.addEventListener("change", () => open(files[select.selectedIndex]));
}

/// Nothing is chosen where the file is the reader's own.
const showChosen = (file) => (byId("pictures").selectedIndex = heldFiles.indexOf(file));

const fileOf = ({ name, png }) => new File([bytesOf(png)], name, { type: "image/png" });

/// An element with attributes and children; texts become text nodes.
function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/// Fills a list with an engine's long sides and the one in use, which is selected; 0 stands for the model's only
/// size. Returns the sides.
function fillLongSides(select, longSides, used) {
  const isFixed = longSides.includes(0);
  const sides = isFixed ? longSides : [...new Set([...longSides, used])].sort((a, b) => a - b);
  select.replaceChildren(
    ...sides.map((side) => element("option", { value: side }, side === 0 ? "the model’s own" : String(side)))
  );
  select.value = String(isFixed ? 0 : used);
  return sides;
}

/// With a minus sign, not a hyphen, and none before zero.
function fixed(number, decimals = 1) {
  const text = number.toFixed(decimals);
  return text.replace("-", Number(text) === 0 ? "" : "−");
}

/// Five significant digits, or as many as are wanted.
function shortNumber(number, digits = 5) {
  return String(Number(number.toPrecision(digits))).replaceAll("-", "−");
}

const titled = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/// 1234567 as 1.23 M.
function counted(number) {
  if (number >= 1e6) return fixed(number / 1e6, 2) + " M";
  return number >= 1e4 ? fixed(number / 1e3, 1) + " k" : String(number);
}

function duration(microseconds) {
  if (microseconds === undefined) return "—";
  return microseconds >= 1000 ? fixed(microseconds / 1000, 2) + " ms" : fixed(microseconds, 0) + " µs";
}

/// A shape of one to three axes as channels, rows and columns.
const axesOf = (shape) => [...[1, 1, 1].slice(shape.length), ...shape];

/// A blob's number at a place.
function numberIn({ shape, values }, { channel, row, column }) {
  const [, rows, columns] = axesOf(shape);
  return values[(channel * rows + row) * columns + column];
}

const shapeText = (shape) => shape.join(" × ");

/// Replaces the rows of a table of buttons; the one that had the focus keeps it.
function refill(body, rows) {
  const focused = body.contains(document.activeElement) ? document.activeElement.textContent : null;
  body.replaceChildren(...rows);
  rove(body);
  if (focused === null) return;
  const buttons = [...body.querySelectorAll("button")];
  const same = buttons.find(({ textContent }) => textContent === focused);
  (same ?? buttons[0])?.focus({ preventScroll: true });
}

/// Makes the buttons of a table one stop of the tab order, within which arrow keys move.
function rove(body) {
  const buttons = [...body.querySelectorAll("button")];
  const current = body.querySelector("[aria-current] button") ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === current ? 0 : -1;
  body.onkeydown = (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const next = buttons[buttons.indexOf(document.activeElement) + steps[event.key]];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
}

/// A function that waits for something; what comes after is left to its latest call, of which `isLatest` tells.
function latest(body) {
  let turn = 0;
  return (...values) => {
    const mine = ++turn;
    return track(body(() => mine === turn, ...values));
  };
}

/// Promises of what the page has yet to show.
const unfinished = new Set();

function track(work) {
  unfinished.add(work);
  work.finally(() => unfinished.delete(work));
  return work;
}

/// Waits until the page shows everything.
async function settled() {
  while (unfinished.size > 0) await Promise.allSettled(unfinished);
}

const nextTask = () => new Promise((done) => setTimeout(done));

const LONGEST_PIECE = 30; // milliseconds

/// Runs one function after another; where they take long, the page answers in between.
async function inPieces(functions) {
  let start = performance.now();
  for (const run of functions) {
    if (performance.now() - start > LONGEST_PIECE) {
      await nextTask();
      start = performance.now();
    }
    run();
  }
}

/// What the reader has chosen; each part of the page that shows some of it registers a function
/// that redraws it.
const state = {
  score: report.scoreThreshold,
  overlap: report.overlapThreshold,
  face: 0, // among those kept
  candidate: null, // a number among all candidates
  point: null, // in the picture's pixels
  layer: report.network.steps[0]?.layers[0] ?? 0, // the first that a step computes
  runs: 0, // how often the page has run the network itself
};
const watchers = [];
const stale = new Set(); // functions that have yet to draw what changed
let isDrawing = false;

function watch(keys, draw) {
  watchers.push({ keys, draw });
}

/// Changes what is chosen. What shows it is drawn afterwards, in pieces; `settled` waits for it.
function change(values) {
  Object.assign(state, values);
  for (const { keys, draw } of watchers) {
    if (keys.some((key) => key in values)) stale.add(draw);
  }
  if (!isDrawing) track(drawStale());
}

async function drawStale() {
  isDrawing = true;
  try {
    while (stale.size > 0) {
      await nextTask();
      const draws = [...stale];
      stale.clear();
      await inPieces(draws);
    }
  } finally {
    isDrawing = false;
  }
}
