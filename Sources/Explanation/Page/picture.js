"use strict";

// Drawing the picture and what was found in it. All positions are in the picture's pixels.

const picture = { width: report.picture.width, height: report.picture.height };
let photo = null;

const LANDMARK_COLORS = ["#e62828", "#28c828", "#3c6eff", "#fad228", "#e63cdc"];

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

/// Sizes a canvas to its element's width and the given proportions, and returns its context with one
/// unit for one of `size`; `unit` is a screen pixel in it.
function prepare(canvas, size, maximumHeight = 0.75) {
  const limit = Math.max(240, window.innerHeight * maximumHeight);
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

/// Where a pointer is, in units of `size`.
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

function drawLabel(context, text, x, y, unit, ground, ink = "#000") {
  context.font = `600 ${12 * unit}px system-ui, sans-serif`;
  const width = context.measureText(text).width + 8 * unit;
  const left = Math.max(0, Math.min(x, picture.width - width));
  const top = Math.max(0, y - 17 * unit);
  context.fillStyle = ground;
  context.fillRect(left, top, width, 17 * unit);
  context.fillStyle = ink;
  context.fillText(text, left + 4 * unit, top + 13 * unit);
}

function drawLandmarks(context, face, unit, withNames) {
  face.landmarks.forEach((point, index) => {
    context.beginPath();
    context.arc(point.x, point.y, (withNames ? 4 : 2.2) * unit, 0, 2 * Math.PI);
    context.fillStyle = LANDMARK_COLORS[index];
    context.fill();
    context.lineWidth = unit;
    context.strokeStyle = "#000a";
    context.stroke();
  });
  if (withNames) nameLandmarks(context, face, unit);
}

/// The names in a column beside the box, each with a line to its point.
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

/// The faces kept, with scores; one of them with the names of its landmarks.
function drawFaces(context, unit, chosen) {
  const { kept } = detection.result;
  kept.forEach((index) => {
    const face = detection.shown[index];
    drawBox(context, face.box, "#40e060", 2 * unit);
    drawLandmarks(context, face, unit, false);
    if (kept.length <= 40) {
      drawLabel(context, fixed(face.score, 3), face.box.x, face.box.y, unit, "#40e060");
    }
  });
  const face = detection.shown[kept[chosen]];
  if (face) {
    drawBox(context, face.box, "#fff", 3 * unit);
    drawLandmarks(context, face, unit, true);
  }
}
