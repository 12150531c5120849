// SPDX-License-Identifier: Apache-2.0
"use strict";

// Drawing the picture and what was found in it. All positions are in the picture's pixels.

const picture = { width: report.picture.width, height: report.picture.height };
let photo = null;

const LANDMARK_COLORS = ["#e62828", "#28c828", "#3c6eff", "#fad228", "#e63cdc"];

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/// The window's height between what covers its edges; see page.css.
function freeHeight() {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  return window.innerHeight - (parseFloat(scrollPaddingTop) || 0) - (parseFloat(scrollPaddingBottom) || 0);
}

/// Sizes a canvas to its element's width and the given proportions, and returns its context with
/// one unit for one of `size`; `unit` is a screen pixel in it.
function prepare(canvas, size, maximumHeight = 0.75) {
  const limit = Math.max(240, freeHeight() * maximumHeight);
  const available = canvas.parentElement.clientWidth;
  const width = Math.min(available, (limit * size.width) / size.height);
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = width + "px";
  canvas.style.height = (width * size.height) / size.width + "px";
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round((width * ratio * size.height) / size.width));
  const context = canvas.getContext("2d");
  context.scale(canvas.width / size.width, canvas.height / size.height);
  return { context, unit: size.width / width };
}

/// A pointer's position, in units of `size`.
function positionOf(event, canvas, size) {
  const bounds = canvas.getBoundingClientRect();
  return {
    x: ((event.clientX - bounds.left) / bounds.width) * size.width,
    y: ((event.clientY - bounds.top) / bounds.height) * size.height,
  };
}

function drawPhoto(context, strength = 1) {
  if (photo === null) return;
  context.save();
  context.fillStyle = "#000";
  context.fillRect(0, 0, picture.width, picture.height);
  context.globalAlpha = strength;
  context.drawImage(photo, 0, 0, picture.width, picture.height);
  context.restore();
}

function drawBox(context, box, style, lineWidth, dash = []) {
  context.strokeStyle = style;
  context.lineWidth = lineWidth;
  context.setLineDash(dash);
  context.strokeRect(box.x, box.y, box.width, box.height);
  context.setLineDash([]);
}

const LABEL_HEIGHT = 17;

function labelFont(context, unit) {
  context.font = `600 ${12 * unit}px system-ui, sans-serif`;
}

function labelWidth(context, text, unit) {
  labelFont(context, unit);
  return context.measureText(text).width + 8 * unit;
}

/// Draws a label with its bottom left corner at a point, moved into the picture if it is outside.
function drawLabel(context, text, x, y, unit, ground, ink = "#000") {
  const width = labelWidth(context, text, unit);
  const left = Math.max(0, Math.min(x, picture.width - width));
  const top = Math.max(0, y - LABEL_HEIGHT * unit);
  context.fillStyle = ground;
  context.fillRect(left, top, width, LABEL_HEIGHT * unit);
  context.fillStyle = ink;
  context.fillText(text, left + 4 * unit, top + 13 * unit);
}

const shorterSide = ({ width, height }) => Math.min(width, height);

/// The width of a box's lines: finer on a small box, so that they do not hide the face.
const lineWidth = (box, usual, unit) =>
  Math.min(usual * unit, Math.max(unit, shorterSide(box) / 16));

/// Draws the landmarks as dots, unless they would be too small to see.
function drawLandmarks(context, face, unit, usual = 2.2) {
  const radius = Math.min(usual * unit, shorterSide(face.box) / 20);
  if (radius < 0.75 * unit) return;
  face.landmarks.forEach((point, index) => {
    context.beginPath();
    context.arc(point.x, point.y, radius, 0, 2 * Math.PI);
    context.fillStyle = LANDMARK_COLORS[index];
    context.fill();
    context.lineWidth = Math.min(unit, radius / 2);
    context.strokeStyle = "#000a";
    context.stroke();
  });
}

/// Draws the landmarks' names in a column beside the box, each with a line to its point.
function nameLandmarks(context, { box, landmarks }, unit) {
  const room = 110 * unit;
  const isRight = box.x + box.width + room < picture.width;
  const x = isRight ? box.x + box.width + 16 * unit : box.x - room;
  const order = landmarks.map((_, index) => index).sort((a, b) => landmarks[a].y - landmarks[b].y);
  order.forEach((index, place) => {
    const y = box.y + box.height / 2 + (place - 2) * 20 * unit;
    const point = landmarks[index];
    context.beginPath();
    context.moveTo(point.x, point.y);
    context.lineTo(isRight ? x : x + room - 16 * unit, y);
    context.lineWidth = 1.5 * unit;
    context.strokeStyle = LANDMARK_COLORS[index];
    context.stroke();
    const name = report.landmarkNames[index];
    drawLabel(context, name, x, y + 8.5 * unit, unit, "#000c", LANDMARK_COLORS[index]);
  });
}

/// Draws the scores of the listed faces above or below their boxes, not much wider than these,
/// where they cover no other box or score.
function drawScores(context, faces, unit) {
  const overlaps = (a, b) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const taken = [];
  const full = labelWidth(context, "0.000", unit);
  for (const { box, score } of faces.slice(0, MAXIMUM_FACES)) {
    const scale = Math.min(1, (1.25 * box.width) / full);
    if (scale < 0.7) continue; // too small to read
    const [width, height] = [full * scale, LABEL_HEIGHT * unit * scale];
    const x = Math.max(0, Math.min(box.x, picture.width - width));
    const places = [box.y - height, box.y + box.height, Math.max(0, box.y)];
    if (5 * height > box.height) places.pop();
    for (const y of places) {
      const area = { x, y, width, height };
      if (y < 0 || y + height > picture.height || taken.some((other) => overlaps(area, other)) ||
          faces.some((other) => other.box !== box && overlaps(area, other.box))) continue;
      taken.push(area);
      drawLabel(context, fixed(score, 3), x, y + height, unit * scale, "#40e060");
      break;
    }
  }
}

/// Draws the faces kept, with scores; the chosen one also with the names of its landmarks, if it is
/// large enough for them.
function drawFaces(context, unit, chosen) {
  const faces = detection.result.kept.map((index) => detection.shown[index]);
  drawScores(context, faces, unit);
  for (const face of faces) drawLandmarks(context, face, unit);
  for (const { box } of faces) drawBox(context, box, "#40e060", lineWidth(box, 2, unit));
  const face = faces[chosen];
  if (!face) return;
  drawBox(context, face.box, "#fff", lineWidth(face.box, 3, unit));
  drawLandmarks(context, face, unit, 4);
  if (shorterSide(face.box) >= 60 * unit) nameLandmarks(context, face, unit);
}
