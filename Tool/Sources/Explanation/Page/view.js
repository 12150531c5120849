// SPDX-License-Identifier: Apache-2.0
"use strict";

// The part of the picture that its canvases show: all of it, or a part that the reader enlarges. All of them
// show the same part.

const view = { x: 0, y: 0, scale: 1 }; // the left top corner, in the picture's pixels
const LARGEST_SCALE = 24;
const VIEWED = ["picture-canvas", "heat-canvas", "candidates-canvas"];

/// Like `prepare`, for the part of the picture that is shown.
function prepareView(canvas) {
  const { context, unit } = prepare(canvas, picture);
  context.scale(view.scale, view.scale);
  context.translate(-view.x, -view.y);
  return { context, unit: unit / view.scale };
}

/// A pointer's position, in the picture's pixels.
function pointAt(event, canvas) {
  const { x, y } = positionOf(event, canvas, picture);
  return { x: view.x + x / view.scale, y: view.y + y / view.scale };
}

/// Shows another part, no larger than the picture.
function moveView({ x = view.x, y = view.y, scale = view.scale }) {
  view.scale = Math.max(1, Math.min(LARGEST_SCALE, scale));
  const room = 1 - 1 / view.scale;
  view.x = Math.max(0, Math.min(picture.width * room, x));
  view.y = Math.max(0, Math.min(picture.height * room, y));
  for (const node of document.querySelectorAll(".zoom-whole")) node.disabled = view.scale === 1;
  change({ view: view.scale });
}

/// Enlarges about a point of the picture, which stays where it is.
function zoomView(factor, { x, y } = { x: picture.width / 2, y: picture.height / 2 }) {
  const scale = Math.max(1, Math.min(LARGEST_SCALE, view.scale * factor));
  const ratio = view.scale / scale;
  moveView({ scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio });
}

const viewCenter = () => ({
  x: view.x + picture.width / view.scale / 2, y: view.y + picture.height / view.scale / 2,
});

const holds = ({ x, y, width, height }, point) =>
  point.x >= x && point.y >= y && point.x <= x + width && point.y <= y + height;

const centerOf = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

/// Shows a box and some room around it.
function zoomTo(box) {
  const share = Math.max(box.width / picture.width, box.height / picture.height);
  const scale = Math.max(1, Math.min(LARGEST_SCALE, 0.3 / share));
  const { x, y } = centerOf(box);
  moveView({ scale, x: x - picture.width / scale / 2, y: y - picture.height / scale / 2 });
}

/// One pointer drags an enlarged picture, two enlarge it, as does the wheel with Control.
function connectView(canvas) {
  const pointers = new Map();
  let moved = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, event);
    moved += Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY);
    if (before > 0) zoomView(spread() / before, pointAt(event, canvas));
    if (pointers.size !== 1 || moved < 4 || view.scale === 1) return;
    const [from, to] = [pointAt(last, canvas), pointAt(event, canvas)];
    moveView({ x: view.x + from.x - to.x, y: view.y + from.y - to.y });
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  // A drag ends with a click, which would choose what is under it.
  canvas.addEventListener(
    "click", (event) => moved >= 4 && view.scale > 1 && event.stopImmediatePropagation(), true
  );
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      zoomView(Math.exp(-event.deltaY / 300), pointAt(event, canvas));
    },
    { passive: false }
  );
}

function connectViews() {
  for (const id of VIEWED) {
    const canvas = byId(id);
    if (canvas === null) continue;
    const actions = [
      ["+", "Enlarge the picture", () => zoomView(1.5, viewCenter())],
      ["−", "Make the picture smaller", () => zoomView(1 / 1.5, viewCenter())],
      ["Whole", "Show the whole picture", () => moveView({ scale: 1 })],
      ["Face", "Enlarge the chosen face", () => {
        const face = detection.shown[detection.result.kept[state.face]];
        if (face) zoomTo(face.box);
      }],
    ];
    const buttons = actions.map(([text, label, action]) => {
      const button = element("button", { type: "button", "aria-label": label, title: label }, text);
      button.addEventListener("click", action);
      return button;
    });
    buttons[2].classList.add("zoom-whole");
    buttons[2].disabled = true;
    canvas.parentElement.after(element("div", { class: "bar zoom" }, "Zoom", ...buttons));
    connectView(canvas);
  }
}
