// SPDX-License-Identifier: Apache-2.0
"use strict";

// How a number of a convolution comes about: the windows of its input, the kernels and their products.

const MAXIMUM_CHANNELS = 6; // of the input, those with the largest weights
const SHOWN_SIDE = 16; // of the input around the window

/// A sum in words; `held` is the blob's own number at that place. Of int8, the products are of whole numbers.
function sumText({ bias, sum, result, terms, inputScale, weightScale, outputScale }, held) {
  const end = `. The blob holds ${shortNumber(held)}.`;
  if (Number.isNaN(inputScale)) {
    return (
      `${shortNumber(bias)} (bias) + ${terms.length} products = ${shortNumber(sum)}` +
      (result === sum ? "" : `; the activation makes ${shortNumber(result)} of it`) + end
    );
  }
  const value = sum / (inputScale * weightScale) + bias;
  return (
    `${terms.length} products of int8 numbers = ${shortNumber(sum, 9)}. Divided by ${shortNumber(inputScale)} (scale of the ` +
    `input) · ${shortNumber(weightScale)} (of the weights), + ${shortNumber(bias)} (bias) = ${shortNumber(value)}` +
    (Number.isNaN(outputScale)
      ? shortNumber(result) === shortNumber(value) ? "" : `; the activation makes ${shortNumber(result)} of it`
      : `; the activation, times ${shortNumber(outputScale)} (scale of the output) and rounded, makes ${result} of it`) + end
  );
}

/// The products by channel of the input, in its order, and a line about them. Which channels are shown depends on the
/// kernel alone, so that they stay where they are as the window moves.
function windowParts({ terms, inputScale }, input) {
  const channels = Map.groupBy(terms, ({ channel }) => channel);
  const parts = [...channels].map(([channel, terms]) => ({
    channel, terms,
    part: terms.reduce((sum, { value, weight }) => sum + value * weight, 0),
    size: terms.reduce((sum, { weight }) => sum + Math.abs(weight), 0),
  })).sort((a, b) => b.size - a.size);
  const rounding = Number.isNaN(inputScale) ? "" :
    `The input’s numbers are multiplied by ${shortNumber(inputScale)} and rounded to whole numbers from −127 to 127. `;
  const note = rounding + (parts.length > MAXIMUM_CHANNELS
    ? `The ${MAXIMUM_CHANNELS} of ${parts.length} channels of the input with the largest weights:`
    : "By channel of the input:");
  const rest = parts.slice(MAXIMUM_CHANNELS).reduce((sum, { part }) => sum + part, 0);
  const shown = parts.slice(0, MAXIMUM_CHANNELS).sort((a, b) => a.channel - b.channel);
  const elements = shown.map((part) => partTable(part, input));
  if (parts.length > MAXIMUM_CHANNELS) {
    elements.push(element("p", { class: "note" }, `The others add ${shortNumber(rest)}.`));
  }
  return { note, elements };
}

/// One channel: where its window lies in the blob, its numbers, the kernel and the products.
function partTable({ channel, terms, part }, input) {
  const rows = [...Map.groupBy(terms, ({ row }) => row).values()];
  const largest = Math.max(...terms.map(({ value, weight }) => Math.abs(value * weight)), 1e-30);
  const areWhole = terms.every(({ value, weight }) => Number.isInteger(value) && Number.isInteger(weight));
  const table = (caption, numberOf, isTinted) => element(
    "table", { class: "grid" }, element("caption", {}, caption),
    ...rows.map((row) => element("tr", {}, ...row.map((term) => {
      const cell = element("td", {}, fixed(numberOf(term), areWhole ? 0 : 3));
      const strength = Math.round((45 * Math.abs(term.value * term.weight)) / largest);
      if (isTinted) {
        const ground = term.value * term.weight < 0 ? "#3c6eff" : "#e6802a";
        cell.style.background = `color-mix(in srgb, ${ground} ${strength}%, transparent)`;
      }
      return cell;
    })))
  );
  return element(
    "div", { class: "part" },
    element("figure", {}, windowMap(channel, terms, input), element("figcaption", {}, input.names?.[channel] ?? `channel ${channel}`)),
    table("input", ({ value }) => value), "×", table("kernel", ({ weight }) => weight), "=",
    table("products", ({ value, weight }) => value * weight, true), `sum ${shortNumber(part)}`
  );
}

/// A channel of the input around the window, enlarged, with the window in it. It moves on by half its side, so that one
/// sees the window move.
function windowMap(channel, terms, { shape, values }) {
  const [, height, width] = shape;
  const numbers = values.subarray(channel * width * height, (channel + 1) * width * height);
  const [rows, columns] = [terms.map(({ row }) => row), terms.map(({ column }) => column)];
  const [top, left] = [rows, columns].map((places) => SHOWN_SIDE / 2 * Math.floor(Math.min(...places) / (SHOWN_SIDE / 2)) - SHOWN_SIDE / 4);
  const side = Math.max(SHOWN_SIDE, Math.max(...rows) - top + 2, Math.max(...columns) - left + 2);
  const shown = Float32Array.from({ length: side * side }, (_, place) => {
    const [row, column] = [top + Math.floor(place / side), left + (place % side)];
    return row < 0 || column < 0 || row >= height || column >= width ? NaN : numbers[row * width + column];
  });
  const canvas = element("canvas", { role: "img", "aria-label": `channel ${channel} of the input around the window`, class: "window-map" });
  drawChannel(canvas, { width: side, height: side }, { limit: limitOf(numbers), values: shown });
  const mark = element("span", { class: "mark" });
  placeMark(mark, { x: Math.min(...columns) - left, y: Math.min(...rows) - top }, canvas, {
    width: Math.max(...columns) - Math.min(...columns) + 1, height: Math.max(...rows) - Math.min(...rows) + 1,
  });
  return element("div", { class: "frame" }, canvas, mark);
}

/// Puts a mark around pixels of a canvas in the same frame.
function placeMark(mark, { x, y }, canvas, { width, height } = { width: 1, height: 1 }) {
  mark.style.left = `${(100 * x) / canvas.width}%`;
  mark.style.top = `${(100 * y) / canvas.height}%`;
  mark.style.width = `${(100 * width) / canvas.width}%`;
  mark.style.height = `${(100 * height) / canvas.height}%`;
}

/// The lowest and the highest of numbers, of which NaN is neither.
function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (let place = 0; place < values.length; place++) {
    if (values[place] < low) low = values[place];
    if (values[place] > high) high = values[place];
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}
