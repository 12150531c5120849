// SPDX-License-Identifier: Apache-2.0
"use strict";

// Inside the network: a convolution's channels as maps, and how a number of one comes about.

const inside = { layers: [], inputs: [], layer: null, channel: 0, cell: null, input: null, output: null };

async function listConvolutions() {
  const layers = await network.ask("layers");
  inside.inputs = layers.filter(({ kind }) => kind === "Input").flatMap(({ outputs }) => outputs);
  inside.layers = layers
    .map((layer, index) => ({ ...layer, index }))
    .filter(({ kind }) => kind.startsWith("Convolution"));
  const options = inside.layers.map(({ name, kind }, index) =>
    element("option", { value: index }, kind === "Convolution" ? name : `${name} (depthwise)`)
  );
  byId("inside-layer").replaceChildren(...options);
}

/// Computes what the chosen layer reads and makes of the picture.
const openLayer = latest(async (isLatest) => {
  if (frame.rgba === null || inside.layers.length === 0) return;
  const layer = inside.layers[Number(byId("inside-layer").value)];
  try {
    const [input, output] = await network.ask("compute", [layer.inputs[0], layer.outputs[0]]);
    if (!isLatest()) return;
    Object.assign(inside, { layer, input, output });
  } catch (error) {
    byId("inside-note").textContent = error.message;
    return;
  }
  if (inside.inputs.includes(layer.inputs[0])) inside.input.names = report.inputColors;
  const channels = inside.output.shape[0];
  inside.channel = Math.min(inside.channel, channels - 1);
  byId("inside-channel").max = channels - 1;
  byId("inside-channel").value = inside.channel;
  inside.cell = strongestCell();
  return showInside();
});

function valueAt({ row, column }) {
  const [, rows, columns] = inside.output.shape;
  return inside.output.values[(inside.channel * rows + row) * columns + column];
}

/// The cell of the channel's largest number.
function strongestCell() {
  const [, rows, columns] = inside.output.shape;
  let best = { row: 0, column: 0 };
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (valueAt({ row, column }) > valueAt(best)) best = { row, column };
    }
  }
  return best;
}

function showInside() {
  const [channels, rows, columns] = inside.output.shape;
  byId("inside-channel-value").textContent = `${inside.channel + 1} of ${channels}`;
  byId("inside-note").textContent =
    `${inside.layer.kind} ${inside.layer.parameters}: ${shapeText(inside.input.shape)} to ` +
    `${shapeText(inside.output.shape)}. Click on a pixel of the map, or use the arrow keys.`;
  drawMap(rows, columns);
  return showSum();
}

function drawMap(rows, columns) {
  const canvas = byId("inside-canvas");
  const { context, unit } = prepare(canvas, { width: columns, height: rows }, 0.5);
  const values = inside.output.values.subarray(
    inside.channel * rows * columns, (inside.channel + 1) * rows * columns
  );
  const limit = limitOf(values);
  const map = new OffscreenCanvas(columns, rows);
  drawChannel(map, { width: columns, height: rows }, { limit, values });
  context.imageSmoothingEnabled = false;
  context.drawImage(map, 0, 0);
  const { row, column } = inside.cell;
  drawBox(context, { x: column, y: row, width: 1, height: 1 }, "#fff", 2 * unit);
  byId("inside-low").textContent = shortNumber(-limit, 2);
  byId("inside-high").textContent = shortNumber(limit, 2);
}

/// The products of the chosen cell, by the channels of the input that contribute most.
const showSum = latest(async (isLatest) => {
  const { row, column } = inside.cell;
  const held = valueAt(inside.cell);
  byId("inside-sum").dataset.numbers = "";
  byId("inside-parts-note").textContent = "";
  byId("inside-parts").replaceChildren();
  try {
    const place = { channel: inside.channel, ...inside.cell };
    const { found } = await network.ask("window", inside.layer.index, place, inside.layer.inputs[0]);
    if (!isLatest()) return;
    const { note, elements } = windowParts(found, inside.input);
    byId("inside-sum").textContent = `Row ${row}, column ${column}: ${sumText(found, held)}`;
    byId("inside-sum").dataset.numbers = [found.result, held].join(" ");
    byId("inside-parts-note").textContent = note;
    byId("inside-parts").replaceChildren(...elements);
  } catch (error) {
    if (!isLatest()) return;
    byId("inside-sum").textContent = `Row ${row}, column ${column}: ${shortNumber(held)}; ${error.message}.`;
  }
});

function moveCell(rows, columns) {
  const [, height, width] = inside.output.shape;
  inside.cell = {
    row: Math.max(0, Math.min(height - 1, inside.cell.row + rows)),
    column: Math.max(0, Math.min(width - 1, inside.cell.column + columns)),
  };
  return showInside();
}

function connectInside() {
  byId("inside").addEventListener("toggle", () => {
    if (byId("inside").open) openLayer();
  });
  byId("inside-layer").addEventListener("input", openLayer);
  byId("inside-channel").addEventListener("input", () => {
    inside.channel = Number(byId("inside-channel").value);
    inside.cell = strongestCell();
    showInside();
  });
  const canvas = byId("inside-canvas");
  canvas.addEventListener("click", (event) => {
    const [, rows, columns] = inside.output.shape;
    const { x, y } = positionOf(event, canvas, { width: columns, height: rows });
    inside.cell = { row: 0, column: 0 };
    moveCell(Math.floor(y), Math.floor(x));
  });
  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!moves[event.key] || inside.cell === null) return;
    event.preventDefault();
    moveCell(...moves[event.key]);
  });
}
