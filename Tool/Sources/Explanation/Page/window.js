"use strict";

// How a number of a convolution comes about: the windows of its input, the kernels and their products.

const MAXIMUM_CHANNELS = 6; // of the input, those that contribute most

/// A sum in words; `held` is the blob's own number at that place.
function sumText({ bias, sum, result, terms }, held) {
  return (
    `${shortNumber(bias)} (bias) + ${terms.length} products = ${shortNumber(sum)}` +
    (result === sum ? "" : `; the activation makes ${shortNumber(result)} of it`) +
    `. The blob holds ${shortNumber(held)}.`
  );
}

/// The products by channel of the input, those that contribute most first, and a line about them.
function windowParts({ terms }, input) {
  const channels = Map.groupBy(terms, ({ channel }) => channel);
  const parts = [...channels].map(([channel, terms]) => ({
    channel, terms,
    part: terms.reduce((sum, { value, weight }) => sum + value * weight, 0),
  })).sort((a, b) => Math.abs(b.part) - Math.abs(a.part));
  const note =
    parts.length > MAXIMUM_CHANNELS
      ? `The ${MAXIMUM_CHANNELS} of ${parts.length} channels of the input that contribute most:`
      : "By channel of the input:";
  const rest = parts.slice(MAXIMUM_CHANNELS).reduce((sum, { part }) => sum + part, 0);
  const elements = parts.slice(0, MAXIMUM_CHANNELS).map((part) => partTable(part, input));
  if (parts.length > MAXIMUM_CHANNELS) {
    elements.push(element("p", { class: "note" }, `The others add ${shortNumber(rest)}.`));
  }
  return { note, elements };
}

/// One channel: where its window lies in the blob, its numbers, the kernel and the products.
function partTable({ channel, terms, part }, input) {
  const rows = [...Map.groupBy(terms, ({ row }) => row).values()];
  const largest = Math.max(...terms.map(({ value, weight }) => Math.abs(value * weight)), 1e-30);
  const table = (caption, numberOf, isTinted) => element(
    "table", { class: "grid" }, element("caption", {}, caption),
    ...rows.map((row) => element("tr", {}, ...row.map((term) => {
      const cell = element("td", {}, fixed(numberOf(term), 3));
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

/// A channel of the input as a small picture, with the window in it.
function windowMap(channel, terms, { shape, values }) {
  const [, height, width] = shape;
  const canvas = element("canvas", {
    role: "img", "aria-label": `channel ${channel} of the input with the window`, class: "window-map",
  });
  const numbers = values.subarray(channel * width * height, (channel + 1) * width * height);
  drawChannel(canvas, { width, height }, { ...rangeOf(numbers), values: numbers });
  const rows = terms.map(({ row }) => row);
  const columns = terms.map(({ column }) => column);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const context = canvas.getContext("2d");
  context.strokeStyle = "#fff";
  context.lineWidth = Math.max(1, width / 60);
  context.strokeRect(
    left - 0.5, top - 0.5, Math.max(...columns) - left + 2, Math.max(...rows) - top + 2
  );
  return canvas;
}

/// The lowest and the highest of numbers, of which NaN is neither.
function rangeOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : { low: 0, high: 0 };
}
