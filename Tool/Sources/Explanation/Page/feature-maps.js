// SPDX-License-Identifier: Apache-2.0
"use strict";

// A layer's blobs as pictures. Where the page holds the engine, that computes them; otherwise the report
// holds them as grey atlases with the numbers that black and white stand for.

/// Colours for 0 to 1, from dark through violet and orange to pale yellow.
const COLOR_STOPS = [
  [8, 6, 32], [62, 18, 102], [135, 35, 106], [203, 70, 74], [243, 133, 38], [250, 205, 66],
  [252, 250, 190],
];

function colorOf(value) {
  const place = Math.max(0, Math.min(1, value)) * (COLOR_STOPS.length - 1);
  const index = Math.min(COLOR_STOPS.length - 2, Math.floor(place));
  const rest = place - index;
  return COLOR_STOPS[index].map((from, part) =>
    Math.round(from + rest * (COLOR_STOPS[index + 1][part] - from))
  );
}

/// Numbers below zero are blue, above it orange, in maps as in weights and products.
const NEGATIVE = [60, 110, 255], POSITIVE = [230, 128, 42];

/// The colour of a share of the largest number, −1 to 1.
const signedColour = (share) =>
  (share < 0 ? NEGATIVE : POSITIVE).map((part) => Math.round(245 + Math.min(1, Math.abs(share)) * (part - 245)));

/// The same in 255 steps, as the bytes of a pixel.
const COLORS = new Uint32Array(
  new Uint8Array(Array.from({ length: 255 }, (_, value) => [...signedColour(value / 127 - 1), 255]).flat()).buffer
);

/// What the strongest colour stands for: the 1st or the 99th percentile, whichever is further from 0, of at most
/// 2,000 of the numbers.
function limitOf(values) {
  const step = Math.ceil(values.length / 2000);
  const some = Float32Array.from({ length: Math.ceil(values.length / step) }, (_, index) => values[index * step])
    .filter(Number.isFinite).sort();
  const at = (share) => Math.abs(some[Math.floor(share * (some.length - 1))] ?? 0);
  return Math.max(at(0.01), at(0.99)) || Math.max(...Object.values(rangeOf(values)).map(Math.abs)) || 1;
}

/// The grey levels of each channel that the report holds.
async function channelsOfReport(maps) {
  const image = await imageOf(maps.png);
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const ranges = floatsOf(maps.ranges);
  return Array.from({ length: maps.shown }, (_, channel) => {
    const [low, high] = [ranges[2 * channel], ranges[2 * channel + 1]];
    const left = (channel % maps.columns) * maps.width;
    const top = Math.floor(channel / maps.columns) * maps.height;
    const values = new Float32Array(maps.width * maps.height);
    for (let row = 0; row < maps.height; row++) {
      for (let column = 0; column < maps.width; column++) {
        const grey = data[4 * ((top + row) * image.width + left + column)];
        values[row * maps.width + column] = low + (grey / 255) * (high - low);
      }
    }
    return { low, high, limit: limitOf(values), values };
  });
}

/// The most channels of a computed blob that are shown at once.
const SHOWN_CHANNELS = 64;

/// How a blob is shown: each channel as a map; from a shape of one or two axes, rows of a single channel. `toMap` and
/// `toBlob` are the ways between the maps' channels, rows and columns and the blob's own.
function planesOf(blob) {
  const [channels, height, width] = axesOf(blob.shape);
  const same = (place) => place;
  return unfolded(blob) ?? { channels, height, width, toMap: same, toBlob: same, name: String };
}

/// The planes of a head's output, anchors × cells × numbers, and of what it is transposed from: for each anchor and
/// each number a map of the head's rows and columns. Null for any other blob.
function unfolded(blob) {
  const maker = layers.find(({ kind, inputs }) => kind === "Permute" && blobs[inputs[0]] === blob);
  const names = [blob.name, ...(maker?.outputs ?? []).map((output) => blobs[output].name)];
  const head = report.heads.find((head) => head.blobs.some((name) => names.includes(name)));
  if (head === undefined || blob.shape.length !== 3) return null;
  const { rows: height, columns: width, anchors } = head;
  const [count, second, third] = blob.shape;
  const cells = width * height;
  if (count !== anchors.length || (second !== cells && third !== cells)) return null;
  const isByCell = second === cells;
  const numbers = isByCell ? third : second;
  return {
    channels: count * numbers, height, width, numbers,
    name: (channel) => `${anchorText(head, Math.floor(channel / numbers))}, t${channel % numbers}`,
    toMap({ channel, row, column }) {
      const [cell, number] = isByCell ? [row, column] : [column, row];
      return { channel: channel * numbers + number, row: Math.floor(cell / width), column: cell % width };
    },
    toBlob({ channel, row, column }) {
      const [cell, number] = [row * width + column, channel % numbers];
      const anchor = Math.floor(channel / numbers);
      return { channel: anchor, row: isByCell ? cell : number, column: isByCell ? number : cell };
    },
  };
}

/// Some of a blob's planes as pictures.
function channelsOfBlob(blob, { values }, first) {
  const planes = planesOf(blob);
  const { channels, height, width, numbers } = planes;
  const size = width * height;
  const shown = Math.min(channels - first, SHOWN_CHANNELS);
  const plane = (channel) => {
    if (numbers === undefined) return values.subarray(channel * size, (channel + 1) * size);
    return Float32Array.from({ length: size }, (_, cell) => {
      return numberIn(
        { shape: blob.shape, values }, planes.toBlob({ channel, row: Math.floor(cell / width), column: cell % width }));
    });
  };
  return {
    maps: { ...planes, shown, first, reduction: 1 },
    channels: Array.from({ length: shown }, (_, index) => {
      const found = plane(first + index);
      return { ...rangeOf(found), limit: limitOf(found), values: found };
    }),
  };
}

function drawChannel(canvas, maps, { limit, values }) {
  canvas.width = maps.width;
  canvas.height = maps.height;
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(maps.width, maps.height);
  const colours = new Uint32Array(pixels.data.buffer);
  for (let index = 0; index < values.length; index++) {
    // NaN is shown as 0.
    const level = Math.round((values[index] / limit) * 127) || 0;
    colours[index] = COLORS[Math.max(0, Math.min(254, level + 127))];
  }
  context.putImageData(pixels, 0, 0);
}

const chosenPixel = { blob: null, channel: 0, row: 0, column: 0 };

/// The first of the channels that the reader wants to see, of a blob with more than are shown at once.
function firstChannel(blob) {
  const select = byId("maps-first");
  const { channels } = planesOf(blob);
  const parts = Math.ceil(channels / SHOWN_CHANNELS);
  select.parentElement.hidden = live.engine === null || parts < 2;
  if (select.dataset.blob !== blob.name) {
    select.dataset.blob = blob.name;
    select.replaceChildren(...Array.from({ length: parts }, (_, part) => {
      const first = part * SHOWN_CHANNELS;
      const last = Math.min(channels, first + SHOWN_CHANNELS) - 1;
      return element("option", { value: first }, `${first} to ${last}`);
    }));
  }
  return Number(select.value);
}

/// The pictures of a blob; null where it cannot be shown.
async function picturesOf(blob) {
  const first = firstChannel(blob);
  if (live.engine !== null) return channelsOfBlob(blob, (await computed([blob.name]))[0], first);
  const maps = report.network.maps[blob.maps];
  return maps ? { maps: { ...planesOf(blob), ...maps, first: 0 }, channels: await channelsOfReport(maps) } : null;
}

/// Shows the maps of a blob, unless another blob is requested before they are decoded.
const showMaps = latest(async (isLatest, blob) => {
  const host = byId("maps");
  let pictures = null;
  const isStarting = report.live && live.engine === null;
  let refusal = isStarting ? "The engine is starting." : "This blob cannot be shown.";
  try {
    pictures = await picturesOf(blob);
  } catch (error) {
    refusal = error.message;
  }
  if (!isLatest()) return;
  byId("maps-scale").hidden = pictures === null;
  byId("maps-note").textContent = pictures === null ? refusal : mapsNote(blob, pictures.maps);
  if (pictures === null) return host.replaceChildren();
  const { maps, channels } = pictures;
  const isShared = byId("shared-scale").checked;
  const limit = Math.max(...channels.map((channel) => channel.limit));
  byId("maps-low").textContent = isShared ? shortNumber(-limit, 2) : "below 0";
  byId("maps-high").textContent = isShared ? shortNumber(limit, 2) : "above 0";
  const figures = channels.map((channel, place) => {
    const index = maps.first + place;
    const canvas = element("canvas", { role: "img", "aria-label": `channel ${index}` });
    drawChannel(canvas, maps, isShared ? { limit, values: channel.values } : channel);
    canvas.addEventListener("pointermove", (event) => {
      const { x, y } = positionOf(event, canvas, maps);
      tellPixel(maps, channel, { channel: index, row: Math.floor(y), column: Math.floor(x) });
    });
    if (live.engine !== null) {
      canvas.addEventListener("click", (event) => {
        const { x, y } = positionOf(event, canvas, maps);
        showPixel(blob, maps.toBlob({ channel: index, row: Math.floor(y), column: Math.floor(x) }));
      });
    }
    const range = `${shortNumber(channel.low, 2)} … ${shortNumber(channel.high, 2)}`;
    const frame = element("div", { class: "frame" }, canvas);
    return element("figure", {}, frame, element("figcaption", {}, `${maps.name(index)}: ${range}`));
  });
  const isWide = maps.width > 3 * maps.height;
  host.style.setProperty("--map-width", isWide || channels.length <= 3 ? "11rem" : "5.6rem");
  host.dataset.blob = blob.name;
  host.replaceChildren(...figures);
  if (live.engine === null) return;
  host.onkeydown = (event) => chooseChannel(event, (place) => showPixel(blob, strongest(channels[place], place, maps)));
  return showPixel(blob, await pixelToShow(blob, channels, maps));
});

/// Arrow keys choose a channel among those shown.
function chooseChannel(event, choose) {
  const figures = [...byId("maps").children];
  const across = figures.filter(({ offsetTop }) => offsetTop === figures[0].offsetTop).length;
  const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across };
  if (!steps[event.key]) return;
  event.preventDefault();
  const chosen = Math.max(0, figures.findIndex((figure) => figure.querySelector(".mark")));
  const next = Math.max(0, Math.min(figures.length - 1, chosen + steps[event.key]));
  figures[next].scrollIntoView({ block: "nearest" });
  choose(next);
}

/// The blob's place of a channel's number furthest from 0: at the left edge of the chosen face, if there is one.
function strongest({ values }, place, maps) {
  const { inputWidth, inputHeight } = report.letterbox;
  const { x, y, width, height } = detection.candidates[detection.result.kept[state.face]]?.box ?? {};
  const isAtEdge = (row, column) =>
    Math.abs(((column + 0.5) * inputWidth) / maps.width - x) < Math.max(width / 8, inputWidth / maps.width) &&
    Math.abs(((row + 0.5) * inputHeight) / maps.height - y - height / 2) < Math.max(height / 4, inputHeight / maps.height);
  let [best, most] = [0, -1];
  values.forEach((value, cell) => {
    const size = Math.abs(value) * (isAtEdge(Math.floor(cell / maps.width), cell % maps.width) ? 1e6 : 1);
    if (size > most) [best, most] = [cell, size];
  });
  return maps.toBlob({ channel: maps.first + place, row: Math.floor(best / maps.width), column: best % maps.width });
}

/// Among the channels shown, that whose kernel differs most between left and right and sums up to least: it finds
/// edges. The first where the layer has no such kernels.
async function edgeChannel(maps) {
  const { kind, weights } = layers[state.layer];
  const [, inputs, rows, columns] = weights[0]?.shape ?? [];
  if (!kind.startsWith("Convolution") || !(columns > 1)) return 0;
  const values = await live.engine.ask("weights", state.layer, 0);
  const size = inputs * rows * columns;
  const scores = Array.from({ length: maps.shown }, (_, place) => {
    let [left, right, all] = [0, 0, 0];
    values.subarray((maps.first + place) * size, (maps.first + place + 1) * size).forEach((weight, index) => {
      const column = index % columns;
      if (column < (columns - 1) / 2) left += weight;
      if (column > (columns - 1) / 2) right += weight;
      all += Math.abs(weight);
    });
    return (Math.abs(left - right) - Math.abs(left + right)) / all || 0;
  });
  return scores.indexOf(Math.max(...scores));
}

/// The number under the pointer.
function tellPixel(maps, { values }, { channel, row, column }) {
  const value = values[row * maps.width + column];
  if (value === undefined) return;
  const about = live.engine === null ? "about " : "";
  byId("maps-value").textContent =
    `channel ${channel}, row ${row * maps.reduction}, column ${column * maps.reduction}: ` +
    about + shortNumber(value);
}

/// The pixel that was chosen, if the blob is the same, or one at which a walk may begin.
async function pixelToShow(blob, channels, maps) {
  const { channel, row, column } = maps.toMap(chosenPixel);
  const isShown = channel >= maps.first && channel < maps.first + maps.shown;
  const isThere = isShown && row < maps.height && column < maps.width;
  if (chosenPixel.blob === blob.name && isThere) return maps.toBlob({ channel, row, column });
  const place = await edgeChannel(maps);
  return strongest(channels[place], place, maps);
}

function mapsNote(blob, maps) {
  const count =
    maps.shown < maps.channels
      ? `${maps.first === 0 ? "The first " : ""}${maps.shown} of ${maps.channels} channels`
      : `All ${maps.channels} channels`;
  const mean =
    maps.reduction > 1 ? `, each pixel the mean of ${maps.reduction} × ${maps.reduction}` : "";
  const click = live.engine === null ? "" : " Click on a pixel to see how its number comes about.";
  const unfolding = unfolded(blob) === null ? "" :
    ": the table unfolded, for each anchor and each number t a map of the head’s cells";
  return `${count} of ${shapeText(blob.shape)}${unfolding}${mean}. Below each its lowest and highest value.${click}`;
}
