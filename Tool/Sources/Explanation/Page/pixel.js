// SPDX-License-Identifier: Apache-2.0
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
  for (const id of ["walk", "walk-row", "walk-pause"]) byId(id).disabled = !isConvolution;
  byId("excite").hidden = !isMap(blob.shape);
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
  const isConvolution = layer.kind.startsWith("Convolution");
  try {
    const [output] = await computed([blob.name]);
    const held = numberIn(output, { channel, row, column });
    if (!isConvolution) return { isConvolution, ...(await readingOf(layer, output.shape, { channel, row, column }, held)) };
    const read = layer.inputs[0];
    const { input, found } = await live.engine.ask("window", number, { channel, row, column }, blobs[read].name);
    if (isInput(read)) input.names = report.inputColors;
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

/// What a layer that is no convolution makes of the numbers that it reads.
async function readingOf(layer, shape, place, held) {
  const inputs = await computed(layer.inputs.map((blob) => blobs[blob].name));
  const [, height, width] = axesOf(shape);
  const holds = `The blob holds ${shortNumber(held)} here.`;
  const moved = movedFrom(layer, inputs, place, held);
  if (moved) return moved;
  if (layer.kind === "Pooling") return { text: holds, parts: poolingParts(layer, inputs[0], place, held) };
  if (MOVES[layer.kind]) return { text: `${holds} ${MOVES[layer.kind]}` };
  const isAlike = inputs.length > 0 && inputs.every((input) => shapeText(input.shape) === shapeText(shape));
  if (!isAlike) return { text: holds };
  const read = inputs.map((input) => numberIn(input, place));
  const text = `${layer.kind} of ${read.map((number) => shortNumber(number)).join(" and ")} is ${shortNumber(held)}.`;
  if (inputs.length > 1 || familyOf(layer.kind) !== "activation") return { text };
  // Whatever the function is, the channel's own numbers lie on it.
  const { values } = (await computed([blobs[layer.outputs[0]].name]))[0];
  const [start, size] = [place.channel * height * width, height * width];
  const line = Array.from({ length: size }, (_, cell) => [inputs[0].values[start + cell], values[start + cell]])
    .sort(([a], [b]) => a - b).filter((_, index) => index % Math.ceil(size / 400) === 0 || index === size - 1);
  const title = `${FORMULAS[layer.kind] ?? layer.kind}, the numbers of this channel`;
  return { text, parts: [element("div", { class: "curves" }, curveFigure(title, line, { raw: read[0], value: held }))] };
}

const FORMULAS = {
  ReLU: "max(t, 0), or a slope below 0", PReLU: "max(t, 0), and a slope below 0", Swish: "t · σ(t)", Sigmoid: "σ(t) = 1 / (1 + e⁻ᵗ)", TanH: "tanh(t)",
  HardSwish: "t · min(max(t + 3, 0), 6) / 6", HardSigmoid: "min(max(t + 3, 0), 6) / 6", Clip: "t between two bounds",
  Mish: "t · tanh(ln(1 + eᵗ))", ELU: "t, or eᵗ − 1 below 0",
};

/// The window of which a number of a pooling layer is the largest or the mean.
function poolingParts({ attributes }, { shape, values }, { channel, row, column }, held) {
  const facts = Object.fromEntries(rowsInTwo(attributes));
  const sides = (text = "1 × 1") => text.split(" × ").map(Number);
  const [across, down] = sides(facts.kernel);
  const [stepX, stepY] = sides(facts.stride);
  const [, height, width] = shape;
  const isMean = facts.takes?.includes("average");
  for (let border = 0; border < Math.max(across, down) && facts.kernel; border++) {
    const terms = Array.from({ length: across * down }, (_, tap) => ({
      row: row * stepY - border + Math.floor(tap / across), column: column * stepX - border + (tap % across),
    })).filter((tap) => tap.row >= 0 && tap.column >= 0 && tap.row < height && tap.column < width)
      .map((tap) => ({ ...tap, value: numberIn({ shape, values }, { ...tap, channel }) }));
    const numbers = terms.map(({ value }) => value);
    const result = isMean ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length : Math.max(...numbers);
    if (Math.abs(result - held) > 1e-4 * Math.max(1, Math.abs(held))) continue;
    const table = element("table", { class: "grid" }, ...[...Map.groupBy(terms, ({ row }) => row).values()].map((line) =>
      element("tr", {}, ...line.map(({ value }) => element("td", { class: value === held ? "chosen" : "" }, fixed(value, 3))))));
    return [element("div", { class: "part" }, element("figure", {}, windowMap(channel, terms, { shape, values })),
      isMean ? "mean" : "max", table, `= ${shortNumber(result)}`)];
  }
  return [element("p", { class: "note" }, MOVES.Pooling)];
}

/// Where a number was copied from, with a link to it: of a Concat of channels, a Slice and a Split.
function movedFrom(layer, inputs, { channel, row, column }, held) {
  let from = channel;
  const sizes = (list) => list.map((blob) => axesOf(blobs[blob].shape)[0]);
  let source = 0;
  if (layer.kind === "Concat") {
    const channels = sizes(layer.inputs);
    while (source < channels.length - 1 && from >= channels[source]) from -= channels[source++];
  } else if (layer.kind === "Slice") {
    const before = layer.outputs.findIndex((blob) => blobs[blob].name === chosenPixel.blob);
    from += sizes(layer.outputs.slice(0, before)).reduce((sum, size) => sum + size, 0);
  } else if (layer.kind !== "Split") return null;
  if (numberIn(inputs[source], { channel: from, row, column }) !== held) return null;
  const blob = blobs[layer.inputs[source]];
  const button = element("button", { type: "button" }, `${blob.name}, channel ${from}`);
  button.addEventListener("click", () => {
    Object.assign(chosenPixel, { blob: blob.name, channel: from, row, column });
    change({ layer: layers.findIndex(({ outputs }) => outputs.includes(layer.inputs[source])) });
  });
  return { text: `The blob holds ${shortNumber(held)} here, copied from`, parts: [element("p", {}, button)] };
}

const MOVES = {
  Pooling: "It is the largest number, or the mean, of a window of the blob that is read.",
  Interp: "Rows and columns of the blob that is read are repeated or interpolated.",
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
    const large = byId("pixel-map");
    Object.assign(large, { width: canvas.width, height: canvas.height });
    large.getContext("2d").drawImage(canvas, 0, 0);
    placeMark(byId("pixel-mark"), { x: column, y: row }, large);
  }
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
  clearTimeout(walk);
  walk = null;
  byId("walk").textContent = "Walk over the map";
}

function connectPixel() {
  byId("walk").addEventListener("click", () => {
    if (walk !== null) return stopWalk();
    byId("walk").textContent = "Stop";
    const step = async () => {
      await stepPixel(0, 1);
      if (walk !== null) walk = setTimeout(step, Number(byId("walk-pause").value));
    };
    walk = setTimeout(step);
  });
  byId("excite").addEventListener("click", showExciting);
  watch(["layer", "runs"], () => byId("exciting").replaceChildren());
  byId("walk-row").addEventListener("click", () => stepPixel(1, 0));
  byId("pixel").addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!moves[event.key]) return;
    event.preventDefault();
    stepPixel(...moves[event.key]);
  });
  watch(["layer", "runs"], stopWalk);
}
