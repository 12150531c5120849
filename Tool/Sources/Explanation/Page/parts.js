// SPDX-License-Identifier: Apache-2.0
"use strict";

// The network folded by its structure, whatever the model: the backbone, which only gets coarser; the neck, from
// the first layer that makes maps larger again; and the heads, from the last convolution before each output.

/// Whether rows and columns of a shape are those of the picture, in about its proportions.
function isMap([_, height, width]) {
  const { inputWidth, inputHeight } = report.letterbox;
  return width > 0 && height > 1 && Math.abs(Math.log((height * inputWidth) / (width * inputHeight))) < 0.5;
}

/// The part and the stride of each layer.
function partsOf({ layers, blobs }, heads, inputHeight) {
  const { sources, targets, order } = linear;
  const isLarger = (index) =>
    layers[index].kind === "Interp" || /Deconvolution|PixelShuffle/.test(layers[index].kind);
  const comesAfter = (isFirst) => {
    const found = layers.map(() => false);
    for (const index of order) found[index] = isFirst(index) || sources[index].some((source) => found[source]);
    return found;
  };
  const strides = layers.map(({ outputs }) => {
    const shape = blobs[outputs[0]]?.shape ?? [];
    return isMap(shape) ? 2 ** Math.round(Math.log2(inputHeight / shape[1])) : null;
  });
  const headOf = headLayers(layers, blobs, heads, linear);
  for (const [index, head] of headOf) strides[index] = heads[head].stride;
  for (const index of order) strides[index] ??= strides[sources[index][0]] ?? 1;
  const rises = comesAfter(isLarger);
  const finest = Math.min(...order.filter((index) => rises[index] && strides[index]).map((index) => strides[index]));
  const isCoarserAgain = (index) =>
    rises[index] && strides[index] > finest &&
    sources[index].some((source) => rises[source] && strides[source] < strides[index]);
  const sinks = comesAfter(isCoarserAgain);
  return layers.map((_, index) => ({
    part: headOf.has(index) ? "heads" : sinks[index] ? "neck, down again" : rises[index] ? "neck" : "backbone",
    stride: strides[index],
  }));
}

/// The head of each layer from the last convolution before an output on; of several heads that a layer joins, the last.
function headLayers(layers, blobs, heads, { sources, order }) {
  const found = new Map();
  heads.forEach(({ blobs: names }, head) => {
    let open = layers.flatMap(({ outputs }, index) =>
      outputs.some((output) => names.includes(blobs[output].name)) ? [index] : []);
    while (open.length > 0) {
      const index = open.pop();
      found.set(index, head);
      if (!/onvolution|InnerProduct/.test(layers[index].kind)) open = open.concat(sources[index]);
    }
  });
  for (const index of order) {
    const before = sources[index].flatMap((source) => found.get(source) ?? []);
    if (!found.has(index) && before.length > 0) found.set(index, Math.max(...before));
  }
  return found;
}

const PART_NOTES = {
  backbone: "finds ever larger patterns on ever coarser maps",
  neck: "brings what the coarse maps know back to fine ones",
  "neck, down again": "and what the fine maps know back to coarse ones",
  heads: "turn each cell into numbers of boxes",
};

/// A group of layers with its last map and its facts, and the layers themselves once it is unfolded.
function groupCell(group) {
  if (group.length === 0) return element("td", {});
  const last = group.at(-1);
  const blob = [...group].reverse().map((index) => blobs[layers[index].outputs[0]])
    .find(({ shape }) => isMap(shape));
  const map = blob?.shape;
  const sum = (name) => group.reduce((total, index) => total + layers[index][name], 0);
  const summary = element(
    "summary", {}, element("b", {}, counting(group.length, "layer")),
    ` ${map ? shapeText(map) : ""}`, element("br"),
    element("span", { class: "note" }, `${counted(sum("multiplyAdds"))} multiply-adds`)
  );
  const details = element("details", { "data-last": last }, summary);
  details.addEventListener("toggle", () => {
    if (!details.open || details.children.length > 1) return;
    const buttons = group.map((index) => {
      const button = element("button", { type: "button", class: familyOf(layers[index].kind) }, layers[index].name);
      button.addEventListener("click", () => goToLayer(index));
      return element("li", {}, button, ` ${layers[index].kind}`);
    });
    details.append(element("ul", { class: "plain" }, ...buttons));
  });
  const cell = element("td", { "data-group": group.join(" ") }, details);
  if (blob) {
    const canvas = element("canvas", { "data-blob": blob.name });
    const button = element("button", { type: "button", class: "part-map", "aria-label": `Enlarge a map of ${blob.name}` }, canvas);
    button.addEventListener("click", () => enlarge(blob.name));
    cell.prepend(button);
  }
  return cell;
}

/// Chooses a layer and shows its panel.
function goToLayer(layer) {
  change({ layer });
  byId("layer-name").scrollIntoView({ block: "center" });
}

/// Of each blob the channel whose numbers vary most; without the engine, the first that the report holds.
async function liveliest(names) {
  if (live.engine !== null) return live.engine.ask("liveliest", names);
  return Promise.all(names.map(async (name) => {
    const maps = report.network.maps[blobs.find((blob) => blob.name === name).maps];
    return maps && { ...maps, channel: 0, values: (await channelsOfReport(maps))[0].values };
  }));
}

/// Draws a map in each group.
const showPartMaps = latest(async (isLatest) => {
  const canvases = [...byId("parts").querySelectorAll("canvas")];
  const found = await liveliest(canvases.map(({ dataset }) => dataset.blob));
  if (!isLatest()) return;
  await inPieces(canvases.map((canvas, index) => () => found[index] && drawMap(canvas, found[index])));
  joinParts();
});

const drawMap = (canvas, map) => drawChannel(canvas, map, { limit: limitOf(map.values), values: map.values });

/// Draws a line from each group's map to those that read it.
function joinParts() {
  const cells = [...byId("parts").querySelectorAll("[data-group]")];
  const cellOf = new Map(cells.flatMap((cell) => cell.dataset.group.split(" ").map((layer) => [Number(layer), cell])));
  const pairs = new Set(linear.sources.flatMap((list, index) =>
    list.map((source) => `${cells.indexOf(cellOf.get(source))} ${cells.indexOf(cellOf.get(index))}`)));
  const origin = byId("part-lines").getBoundingClientRect();
  byId("part-lines").replaceChildren(...[...pairs].flatMap((pair) => {
    const [from, to] = pair.split(" ").map((index) => (cells[index]?.firstChild ?? cells[index])?.getBoundingClientRect());
    if (!from || !to || /^(\d+) \1$/.test(pair)) return [];
    const [x0, y0, x1, y1] = [from, to].flatMap(({ left, top, width, height }) =>
      [left + width / 2 - origin.left, top + height / 2 - origin.top]);
    const bend = x0 === x1 ? "" : `C${(x0 + x1) / 2} ${y0} ${(x0 + x1) / 2} ${y1} `;
    return [vector("path", { d: `M${x0} ${y0} ${bend || "L"}${x1} ${y1}` })];
  }));
}

/// Shows a map of a blob over half the window.
async function enlarge(name) {
  const [map] = await liveliest([name]);
  drawMap(byId("large-map-canvas"), map);
  byId("large-map-title").textContent = `${name}, channel ${map.channel} of ${map.channels}`;
  const { low, high } = rangeOf(map.values);
  byId("large-map-note").textContent = `${map.height} rows, ${map.width} columns, from ${shortNumber(low, 3)} to ${shortNumber(high, 3)}. White is 0.`;
  byId("large-map-layer").onclick = () => {
    byId("large-map").close();
    goToLayer(layers.findIndex(({ outputs }) => outputs.some((blob) => blobs[blob].name === name)));
  };
  byId("large-map").showModal();
}

/// A row for each stride, a column for each part that the network has.
function showParts() {
  const found = partsOf(report.network, report.heads, report.letterbox.inputHeight);
  const parts = Object.keys(PART_NOTES).filter((name) => found.some(({ part }) => part === name));
  const strides = [...new Set(found.map(({ stride }) => stride))].sort((a, b) => a - b);
  byId("part-titles").replaceChildren(
    element("th", { scope: "col" }, "Stride"),
    ...parts.map((part) =>
      element("th", { scope: "col" }, titled(part), element("br"), element("span", { class: "note" }, PART_NOTES[part])))
  );
  byId("parts").replaceChildren(...strides.map((stride) =>
    element(
      "tr", {}, element("th", { scope: "row" }, String(stride)),
      ...parts.map((part) => groupCell(
        linear.order.filter((index) => found[index].part === part && found[index].stride === stride)))
    )
  ));
  new ResizeObserver(joinParts).observe(byId("parts"));
}
