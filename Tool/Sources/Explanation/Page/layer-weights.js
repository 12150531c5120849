// SPDX-License-Identifier: Apache-2.0
"use strict";

// A layer's weights: their histogram, the kernels as a picture, one weight to change, and a file to save.

const HISTOGRAM_BINS = 61;
const chosenWeight = { layer: -1, array: 0, index: 0, values: null };

const showWeights = latest(async (isLatest) => {
  const { weights } = layers[state.layer];
  byId("weights").hidden = live.engine === null || weights.length === 0;
  if (byId("weights").hidden) return;
  if (chosenWeight.layer !== state.layer) {
    Object.assign(chosenWeight, { layer: state.layer, array: 0, index: 0, values: null });
    const options = weights.map(({ name, shape }, index) =>
      element("option", { value: index }, `${name}, ${shapeText(shape)}`)
    );
    byId("weights-array").replaceChildren(...options);
  }
  const values = await live.engine.ask("weights", state.layer, chosenWeight.array);
  if (!isLatest()) return;
  chosenWeight.values = values;
  drawHistogram(values);
  drawKernels(values);
  showWeight();
});

const chosenShape = () => layers[chosenWeight.layer].weights[chosenWeight.array].shape;

function drawHistogram(values) {
  const { low, high } = rangeOf(values);
  const limit = Math.max(Math.abs(low), Math.abs(high), 1e-30);
  const bins = new Array(HISTOGRAM_BINS).fill(0);
  let [sum, squares, zeros] = [0, 0, 0];
  for (const value of values) {
    sum += value;
    squares += value * value;
    if (value === 0) zeros++;
    const place = Math.floor(((value / limit + 1) / 2) * HISTOGRAM_BINS);
    if (place >= 0) bins[Math.min(HISTOGRAM_BINS - 1, place)]++;
  }
  const mean = sum / values.length;
  const deviation = Math.sqrt(Math.max(0, squares / values.length - mean * mean));
  byId("weights-facts").textContent =
    `${values.length} numbers from ${shortNumber(low)} to ${shortNumber(high)}, mean ` +
    `${shortNumber(mean)}, standard deviation ${shortNumber(deviation)}, ` +
    `${zeros === 0 ? "none" : zeros} of them 0.`;
  const canvas = byId("histogram");
  const { context } = prepare(canvas, { width: HISTOGRAM_BINS, height: 14 });
  const most = Math.max(...bins);
  bins.forEach((count, bin) => {
    const isMiddle = bin === Math.floor(HISTOGRAM_BINS / 2);
    const ground = isMiddle ? [140, 140, 140] : bin < HISTOGRAM_BINS / 2 ? NEGATIVE : POSITIVE;
    context.fillStyle = `rgb(${ground.join(" ")})`;
    // The square root keeps rare values visible.
    const height = 14 * Math.sqrt(count / most);
    context.fillRect(bin + 0.08, 14 - height, 0.84, height);
  });
  byId("histogram-low").textContent = shortNumber(-limit);
  byId("histogram-high").textContent = shortNumber(limit);
}

/// Outputs from top to bottom, inputs from left to right, a kernel each; an array of one axis is a row, and
/// kernels of one input, as of a depthwise convolution, fill rows of 16.
function kernelLayout(shape) {
  const [outputs, inputs, rows, columns] =
    shape.length === 1 ? [1, shape[0], 1, 1] : [...shape, 1, 1].slice(0, 4);
  const across = inputs === 1 ? Math.min(16, outputs) : inputs;
  const gap = rows * columns > 1 ? 1 : 0;
  const [width, height] = [columns + gap, rows + gap];
  return {
    width: across * width - gap,
    height: Math.ceil((outputs * inputs) / across) * height - gap,
    /// The pixel of a weight.
    place(index) {
      const kernel = Math.floor(index / (rows * columns));
      const tap = index % (rows * columns);
      return {
        x: (kernel % across) * width + (tap % columns),
        y: Math.floor(kernel / across) * height + Math.floor(tap / columns),
      };
    },
    /// The weight at a pixel; −1 in a gap.
    index({ x, y }) {
      const [column, row] = [Math.floor(x) % width, Math.floor(y) % height];
      const kernel = Math.floor(Math.floor(y) / height) * across + Math.floor(Math.floor(x) / width);
      if (column >= columns || row >= rows || kernel >= outputs * inputs) return -1;
      return kernel * rows * columns + row * columns + column;
    },
  };
}

function drawKernels(values) {
  const layout = kernelLayout(chosenShape());
  const { low, high } = rangeOf(values);
  const limit = Math.max(Math.abs(low), Math.abs(high), 1e-30);
  const canvas = byId("kernels");
  Object.assign(canvas, { width: layout.width, height: layout.height });
  // As large as the column, but no pixel larger than 12.
  canvas.style.width = `${12 * layout.width}px`;
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(layout.width, layout.height);
  values.forEach((value, index) => {
    const { x, y } = layout.place(index);
    const colour = signedColour(Math.sign(value) * Math.sqrt(Math.abs(value) / limit));
    pixels.data.set([...colour, 255], 4 * (y * layout.width + x));
  });
  context.putImageData(pixels, 0, 0);
}

/// Where a weight stands, in words.
function weightPlace(index) {
  const shape = chosenShape();
  if (shape.length === 1) return `${layers[chosenWeight.layer].weights[chosenWeight.array].name} ${index}`;
  const [, inputs, rows = 1, columns = 1] = shape;
  const tap = index % (rows * columns);
  const kernel = Math.floor(index / (rows * columns));
  const words = [`output ${Math.floor(kernel / inputs)}`];
  if (inputs > 1) words.push(`input ${kernel % inputs}`);
  if (rows * columns > 1) words.push(`row ${Math.floor(tap / columns)}, column ${tap % columns}`);
  return words.join(", ");
}

function showWeight() {
  if (chosenWeight.values === null) return;
  placeMark(byId("weight-mark"), kernelLayout(chosenShape()).place(chosenWeight.index), byId("kernels"));
  byId("weight-place").textContent = weightPlace(chosenWeight.index);
  byId("weight-value").value = String(chosenWeight.values[chosenWeight.index]);
  byId("silence").hidden = chosenShape().length === 1;
}

/// Changes the chosen weight, or all those of its output, where the reader says so.
async function changeWeights(from, to, value, text) {
  byId("weights-error").textContent = "";
  const values = chosenWeight.values.slice();
  values.fill(value, from, to);
  const { name } = layers[chosenWeight.layer];
  try {
    await replaceWeights(chosenWeight.layer, chosenWeight.array, values, `${name}: ${text}`);
  } catch (error) {
    byId("weights-error").textContent = error.message;
  }
}

/// The array as a file of version 1.0 of NumPy’s format, NPY.
function numpyFile(values, shape) {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const words = `{'descr': '<f4', 'fortran_order': False, 'shape': ${tuple}, }`;
  const header = words.padEnd(Math.ceil((10 + words.length + 1) / 64) * 64 - 11) + "\n";
  const length = new Uint8Array([header.length & 255, header.length >> 8]);
  return new Blob([
    new Uint8Array([0x93]), "NUMPY", new Uint8Array([1, 0]), length, header, values,
  ]);
}

function saveWeights() {
  const { name, weights } = layers[chosenWeight.layer];
  const address = URL.createObjectURL(numpyFile(chosenWeight.values, chosenShape()));
  const array = weights[chosenWeight.array].name;
  element("a", { href: address, download: `${name}-${array}.npy`.replace(/[^\w.-]+/g, "-") }).click();
  URL.revokeObjectURL(address);
}

function connectWeights() {
  byId("weights-array").addEventListener("change", (event) => {
    Object.assign(chosenWeight, { array: Number(event.target.value), index: 0, values: null });
    showWeights();
  });
  const canvas = byId("kernels");
  canvas.addEventListener("click", (event) => {
    const index = kernelLayout(chosenShape()).index(positionOf(event, canvas, canvas));
    if (index >= 0) chooseWeight(index);
  });
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (!steps[event.key]) return;
    event.preventDefault();
    const count = chosenShape().reduce((product, size) => product * size, 1);
    chooseWeight((chosenWeight.index + steps[event.key] + count) % count);
  });
  byId("change-weight").addEventListener("click", () => {
    const value = byId("weight-value").valueAsNumber;
    if (chosenWeight.values === null) return;
    if (Number.isNaN(value)) {
      byId("weights-error").textContent = "Give a number.";
      return;
    }
    const { index } = chosenWeight;
    changeWeights(index, index + 1, value, `${weightPlace(index)} is ${shortNumber(value)}`);
  });
  byId("silence").addEventListener("click", () => {
    if (chosenWeight.values === null) return;
    const [outputs, ...rest] = chosenShape();
    const size = rest.reduce((product, size) => product * size, 1);
    const output = Math.floor(chosenWeight.index / size);
    const text = `all weights of output ${output} of ${outputs} are 0`;
    changeWeights(output * size, (output + 1) * size, 0, text);
  });
  byId("save-weights").addEventListener("click", saveWeights);
}

function chooseWeight(index) {
  chosenWeight.index = index;
  byId("weights-error").textContent = "";
  showWeight();
}
