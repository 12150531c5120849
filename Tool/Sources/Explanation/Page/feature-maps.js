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

/// The same in 256 steps, as the bytes of a pixel.
const COLORS = new Uint32Array(
  new Uint8Array(Array.from({ length: 256 }, (_, value) => [...colorOf(value / 255), 255]).flat()).buffer
);

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
    return { low, high, values };
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
    name: (channel) => `${anchors[Math.floor(channel / numbers)].join(" × ")}, t${channel % numbers}`,
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
  const [, rows, columns] = axesOf(blob.shape);
  const plane = (channel) => {
    if (numbers === undefined) return values.subarray(channel * size, (channel + 1) * size);
    return Float32Array.from({ length: size }, (_, cell) => {
      const place = planes.toBlob({ channel, row: Math.floor(cell / width), column: cell % width });
      return values[(place.channel * rows + place.row) * columns + place.column];
    });
  };
  return {
    maps: { ...planes, shown, first, reduction: 1 },
    channels: Array.from({ length: shown }, (_, index) => {
      const found = plane(first + index);
      return { ...rangeOf(found), values: found };
    }),
  };
}

function drawChannel(canvas, maps, { low, high, values }) {
  canvas.width = maps.width;
  canvas.height = maps.height;
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(maps.width, maps.height);
  const colours = new Uint32Array(pixels.data.buffer);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    // The quotient of infinities is NaN.
    const level = value === Infinity ? 255 : Math.round(((value - low) / (high - low)) * 255) || 0;
    colours[index] = COLORS[Math.max(0, Math.min(255, level))];
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
  const low = Math.min(...channels.map((channel) => channel.low));
  const high = Math.max(...channels.map((channel) => channel.high));
  byId("maps-low").textContent = isShared ? shortNumber(low) : "lowest";
  byId("maps-high").textContent = isShared ? shortNumber(high) : "highest";
  const figures = channels.map((channel, place) => {
    const index = maps.first + place;
    const canvas = element("canvas", { role: "img", "aria-label": `channel ${index}` });
    drawChannel(canvas, maps, isShared ? { low, high, values: channel.values } : channel);
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
  host.onkeydown = (event) => chooseChannel(event, (place) => showPixel(blob, brightest(channels[place], place, maps)));
  return showPixel(blob, pixelToShow(blob, channels, maps));
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

/// The blob's place of a channel's largest number.
function brightest({ values, high }, place, maps) {
  const cell = Math.max(0, values.indexOf(high));
  return maps.toBlob({ channel: maps.first + place, row: Math.floor(cell / maps.width), column: cell % maps.width });
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

/// The pixel that was chosen, if the blob is the same, or the brightest of the first channel shown.
function pixelToShow(blob, channels, maps) {
  const { channel, row, column } = maps.toMap(chosenPixel);
  const isShown = channel >= maps.first && channel < maps.first + maps.shown;
  const isThere = isShown && row < maps.height && column < maps.width;
  if (chosenPixel.blob === blob.name && isThere) return maps.toBlob({ channel, row, column });
  return brightest(channels[0], 0, maps);
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
