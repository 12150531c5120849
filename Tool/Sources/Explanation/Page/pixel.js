"use strict";

// How a number of a feature map comes about: a convolution's sum of products, or the numbers that another
// layer reads at that place.

let walk = null; // the timer while the window moves by itself

/// Shows the chosen pixel of a blob.
const showPixel = latest(async (isLatest, blob, { channel, row, column }) => {
  Object.assign(chosenPixel, { blob: blob.name, channel, row, column });
  markPixel();
  const number = layers.findIndex(({ outputs }) => outputs.some((output) => blobs[output] === blob));
  byId("pixel").hidden = false;
  byId("pixel-place").textContent = placeText(blob, { channel, row, column });
  const { isConvolution, text, note, parts, numbers } = await originOf(blob, number, { channel, row, column });
  if (!isLatest()) return;
  byId("walk").hidden = !isConvolution;
  byId("pixel-sum").textContent = text;
  byId("pixel-sum").dataset.numbers = numbers?.join(" ") ?? "";
  byId("pixel-note").textContent = note ?? "";
  byId("pixel-parts").replaceChildren(...(parts ?? []));
});

/// A place of a blob in words; of an unfolded one, its place in the map and in the blob.
function placeText(blob, place) {
  const text = ({ row, column }) => `row ${row}, column ${column}`;
  if (unfolded(blob) === null) return `Channel ${place.channel}, ${text(place)}`;
  const { toMap, name } = planesOf(blob);
  const shown = toMap(place);
  return `Anchor ${name(shown.channel)}, ${text(shown)}: in the blob, table ${place.channel}, ${text(place)}`;
}

/// How a pixel of a layer's blob comes about, in words and, of a convolution, with its products.
async function originOf(blob, number, { channel, row, column }) {
  const layer = layers[number];
  const isInt8 = layer.attributes.includes("int8 scales");
  const isConvolution = layer.kind.startsWith("Convolution") && !isInt8;
  try {
    const [{ shape, values }] = await computed([blob.name]);
    const [, rows, columns] = axesOf(shape);
    const held = values[(channel * rows + row) * columns + column];
    if (isInt8) {
      const text = "The layer computes in int8: products are shown of layers in fp32.";
      return { isConvolution, text: `The blob holds ${shortNumber(held)} here. ${text}` };
    }
    if (!isConvolution) {
      return { isConvolution, text: await readingText(layer, shape, { channel, row, column }, held) };
    }
    const read = layer.inputs[0];
    const { input, found } = await live.engine.ask("window", number, { channel, row, column }, blobs[read].name);
    if (isInput(read)) input.names = report.inputColours;
    const { note, elements } = windowParts(found, input);
    return {
      isConvolution, text: sumText(found, held), numbers: [found.result, held], note, parts: elements,
    };
  } catch (error) {
    return { isConvolution, text: `${titled(error.message)}.` };
  }
}

/// Whether a blob is the network's input, or a copy of it.
function isInput(blob) {
  const { kind, inputs } = layers.find(({ outputs }) => outputs.includes(blob));
  return kind === "Input" || (kind === "Split" && isInput(inputs[0]));
}

/// What a layer that is no convolution makes of the numbers at the same place.
async function readingText(layer, shape, { channel, row, column }, held) {
  if (MOVES[layer.kind]) return `The blob holds ${shortNumber(held)} here. ${MOVES[layer.kind]}`;
  const inputs = await computed(layer.inputs.map((blob) => blobs[blob].name));
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
  const blob = blobs.find(({ name }) => name === chosenPixel.blob);
  const { channel, row, column } = planesOf(blob).toMap(chosenPixel);
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
  return showPixel(blob, {
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
    let isReady = true; // to take the next step
    walk = setInterval(async () => {
      if (!isReady) return;
      isReady = false;
      await stepPixel(0, 1);
      isReady = true;
    }, 250);
  });
  byId("pixel").addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!moves[event.key]) return;
    event.preventDefault();
    stepPixel(...moves[event.key]);
  });
  watch(["layer", "runs"], stopWalk);
}
