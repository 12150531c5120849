"use strict";

// How a number of a feature map comes about: a convolution's sum of products, or the numbers that another
// layer reads at that place.

let walk = null; // the timer while the window moves by itself

/// Shows the chosen pixel of a blob.
function showPixel(blob, { channel, row, column }) {
  Object.assign(chosenPixel, { blob: blob.name, channel, row, column });
  markPixel();
  const number = layers.findIndex(({ outputs }) => outputs.some((output) => blobs[output] === blob));
  const layer = layers[number];
  const [{ shape, values }] = computed([blob.name]);
  const [, rows, columns] = axesOf(shape);
  const held = values[(channel * rows + row) * columns + column];
  byId("pixel").hidden = false;
  byId("pixel-place").textContent = `Channel ${channel}, row ${row}, column ${column}`;
  byId("pixel-sum").dataset.numbers = "";
  byId("pixel-note").textContent = "";
  byId("pixel-parts").replaceChildren();
  const isInt8 = layer.attributes.includes("int8 scales");
  const isConvolution = layer.kind.startsWith("Convolution") && !isInt8;
  byId("walk").hidden = !isConvolution;
  try {
    if (isConvolution) {
      const [input] = computedWindow(layer);
      const found = live.engine.look(number, { channel, row, column });
      const { note, elements } = windowParts(found, input);
      byId("pixel-sum").textContent = sumText(found, held);
      byId("pixel-sum").dataset.numbers = [found.result, held].join(" ");
      byId("pixel-note").textContent = note;
      byId("pixel-parts").replaceChildren(...elements);
    } else if (isInt8) {
      byId("pixel-sum").textContent =
        `The blob holds ${shortNumber(held)} here. The layer computes in int8: products are shown of layers in fp32.`;
    } else {
      byId("pixel-sum").textContent = readingText(layer, shape, { channel, row, column }, held);
    }
  } catch (error) {
    byId("pixel-sum").textContent = `The blob holds ${shortNumber(held)}: ${error.message}.`;
  }
}

/// What a convolution reads, computed last, as `look` needs it.
function computedWindow(layer) {
  return live.engine.compute([blobs[layer.inputs[0]].name]);
}

/// What a layer that is no convolution makes of the numbers at the same place.
function readingText(layer, shape, { channel, row, column }, held) {
  if (MOVES[layer.kind]) return `The blob holds ${shortNumber(held)} here. ${MOVES[layer.kind]}`;
  const inputs = computed(layer.inputs.map((blob) => blobs[blob].name));
  const isAlike = inputs.length > 0 && inputs.every((input) => shapeText(input.shape) === shapeText(shape));
  if (!isAlike) return `The blob holds ${shortNumber(held)} here.`;
  const [, rows, columns] = axesOf(shape);
  const read = inputs.map(({ values }) => shortNumber(values[(channel * rows + row) * columns + column]));
  return `${layer.kind} of ${read.join(" and ")} is ${shortNumber(held)}.`;
}

const MOVES = {
  Pooling: "It is the largest number, or the mean, of a window of the blob that is read.",
  Interp: "Rows and columns of the blob that is read are repeated or interpolated.",
  Concat: "It is copied from one of the blobs that are read, whose channels follow each other.",
  Slice: "It is copied from the blob that is read.",
  ShuffleChannel: "It is copied from the blob that is read, whose channels change places.",
  Reshape: "It is copied: the same numbers under another shape.",
  Permute: "It is copied: the same numbers with their axes in another order.",
  Input: "It is a colour of the picture, normalised.",
};

/// Marks the chosen pixel in its map.
function markPixel() {
  const { channel, row, column } = chosenPixel;
  const first = Number(byId("maps-first").value);
  for (const [place, figure] of [...byId("maps").children].entries()) {
    const canvas = figure.querySelector("canvas");
    figure.querySelector(".mark")?.remove();
    if (first + place !== channel) continue;
    const mark = element("span", { class: "mark" });
    placeMark(mark, { x: column, y: row }, canvas);
    canvas.parentElement.append(mark);
  }
}

/// Puts a mark around a pixel of a canvas in the same frame.
function placeMark(mark, { x, y }, canvas) {
  mark.style.left = `${(100 * x) / canvas.width}%`;
  mark.style.top = `${(100 * y) / canvas.height}%`;
  mark.style.width = `${100 / canvas.width}%`;
  mark.style.height = `${100 / canvas.height}%`;
}

/// Moves the chosen pixel, at the end of a row to the next one.
function stepPixel(rows, columns) {
  const blob = blobs.find(({ name }) => name === chosenPixel.blob);
  const [, height, width] = axesOf(blob.shape);
  const place = (chosenPixel.row + rows) * width + chosenPixel.column + columns;
  const inside = ((place % (height * width)) + height * width) % (height * width);
  showPixel(blob, {
    channel: chosenPixel.channel, row: Math.floor(inside / width), column: inside % width,
  });
}

function stopWalk() {
  clearInterval(walk);
  walk = null;
  byId("walk").textContent = "Walk over the map";
}

function connectPixel() {
  byId("walk").addEventListener("click", () => {
    if (walk !== null) return stopWalk();
    byId("walk").textContent = "Stop";
    walk = setInterval(() => stepPixel(0, 1), 250);
  });
  byId("pixel").addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!moves[event.key]) return;
    event.preventDefault();
    stepPixel(...moves[event.key]);
  });
  watch(["layer", "runs"], stopWalk);
}
