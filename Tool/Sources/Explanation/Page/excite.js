// SPDX-License-Identifier: Apache-2.0
"use strict";

// What a channel looks for: the places, in the pictures that the page holds, at which its numbers are largest.

const EXCITING_PLACES = 9;

/// The inputs of the report's own picture and of a reader's, and the page's other pictures.
async function excitingPictures() {
  const others = await Promise.all((report.pictures ?? []).map(async ({ name, png }) => {
    const image = await imageOf(png);
    const { canvas: _, ...pixels } = pixelsOf(image, image.width, image.height);
    return { name, pixels, fit: { ...report.letterbox, imageWidth: image.width, imageHeight: image.height } };
  }));
  const own = heldFiles.includes(live.file) ? [] : [{ name: live.file.name, input: live.input }];
  return [{ name: report.title, input: live.original.input }, ...own, ...others];
}

const showExciting = latest(async (isLatest) => {
  const { blob, channel } = chosenPixel;
  byId("exciting").replaceChildren(element("p", { class: "note" }, "The network is running …"));
  const pictures = await excitingPictures();
  const found = await live.engine.ask("excite", pictures, blob, channel, EXCITING_PLACES, live.input);
  if (!isLatest()) return;
  const places = found.flatMap(({ places, ...picture }, index) => places.map((place) => ({ ...place, ...picture, name: pictures[index].name })));
  places.sort((a, b) => b.value - a.value);
  byId("exciting").replaceChildren(
    element("p", { class: "note" }, `The ${EXCITING_PLACES} places of ${counting(pictures.length, "picture")} at which channel ${channel} of ${blob} is largest, from the input:`),
    element("div", { class: "bar" }, ...places.slice(0, EXCITING_PLACES).map(placeFigure)));
});

/// The input around a place of a map, at least 32 pixels of it.
function placeFigure({ name, input, rows, columns, row, column, value }) {
  const side = Math.max(32, Math.round((6 * input.width) / columns));
  const canvas = element("canvas", { width: side, height: side, role: "img", "aria-label": `${shortNumber(value, 3)} in ${name}, row ${row}, column ${column}` });
  const [x, y] = [((column + 0.5) * input.width) / columns, ((row + 0.5) * input.height) / rows];
  canvas.getContext("2d").putImageData(
    new ImageData(input.rgba, input.width, input.height), Math.round(side / 2 - x), Math.round(side / 2 - y));
  return element("figure", {}, canvas, element("figcaption", {}, `${shortNumber(value, 3)}, ${name}`));
}
