"use strict";

// A layer's blobs as pictures: the report holds them as grey atlases with the numbers that black
// and white stand for.

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

const COLORS = Array.from({ length: 256 }, (_, value) => colorOf(value / 255));

/// The grey levels of each shown channel, from the report.
async function channelsOf(maps) {
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

function drawChannel(canvas, maps, { low, high, values }) {
  canvas.width = maps.width;
  canvas.height = maps.height;
  const context = canvas.getContext("2d");
  const pixels = context.createImageData(maps.width, maps.height);
  values.forEach((value, index) => {
    const level = high > low ? Math.round(((value - low) / (high - low)) * 255) : 0;
    const [red, green, blue] = COLORS[Math.max(0, Math.min(255, level))];
    pixels.data.set([red, green, blue, 255], 4 * index);
  });
  context.putImageData(pixels, 0, 0);
}

let drawnMaps = 0;

/// Shows the maps of a blob, unless another blob is requested before they are decoded.
async function showMaps(blob) {
  const turn = ++drawnMaps;
  const host = byId("maps");
  const maps = report.network.maps[blob.maps];
  byId("maps-note").textContent = maps ? mapsNote(blob, maps) : "This blob cannot be shown.";
  if (!maps) return host.replaceChildren();
  const channels = await channelsOf(maps);
  if (turn !== drawnMaps) return;
  const isShared = byId("shared-scale").checked;
  const low = Math.min(...channels.map((channel) => channel.low));
  const high = Math.max(...channels.map((channel) => channel.high));
  const canvases = channels.map((channel, index) => {
    const canvas = element("canvas", { role: "img", "aria-label": `channel ${index}` });
    drawChannel(canvas, maps, isShared ? { low, high, values: channel.values } : channel);
    canvas.style.imageRendering = "pixelated";
    canvas.addEventListener("pointermove", (event) => {
      const { x, y } = positionOf(event, canvas, maps);
      const [row, column] = [Math.floor(y), Math.floor(x)];
      const value = channel.values[row * maps.width + column];
      if (value === undefined) return;
      byId("maps-value").textContent =
        `channel ${index}, row ${row * maps.reduction}, column ${column * maps.reduction}: ` +
        `about ${Number(value.toPrecision(3))}`;
    });
    const range = `${Number(channel.low.toPrecision(2))} … ${Number(channel.high.toPrecision(2))}`;
    return element("figure", {}, canvas, element("figcaption", {}, `${index}: ${range}`));
  });
  const isWide = maps.width > 3 * maps.height;
  host.style.setProperty("--map-width", isWide || channels.length <= 3 ? "11rem" : "5.6rem");
  host.dataset.blob = blob.name;
  host.replaceChildren(...canvases);
}

function mapsNote(blob, maps) {
  const count =
    maps.shown < maps.channels
      ? `The first ${maps.shown} of ${maps.channels} channels`
      : `All ${maps.channels} channels`;
  const mean =
    maps.reduction > 1 ? `, each pixel the mean of ${maps.reduction} × ${maps.reduction}` : "";
  return `${count} of ${shapeText(blob.shape)}${mean}. Below each its lowest and highest value.`;
}
