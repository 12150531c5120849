"use strict";

// The network folded by its structure, whatever the model: the backbone, which only gets coarser; the neck, from
// the first layer that makes maps larger again; and the heads, from the last convolution before each output.

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
    return shape.length === 3 ? 2 ** Math.round(Math.log2(inputHeight / shape[1])) : null;
  });
  const headOf = headLayers(layers, blobs, heads, linear);
  for (const [index, head] of headOf) strides[index] = heads[head].stride;
  const rises = comesAfter(isLarger);
  const finest = Math.min(...order.filter((index) => rises[index] && strides[index]).map((index) => strides[index]));
  const isCoarserAgain = (index) =>
    rises[index] && strides[index] > finest &&
    sources[index].some((source) => rises[source] && strides[source] < strides[index]);
  const sinks = comesAfter(isCoarserAgain);
  return layers.map((_, index) => ({
    part: headOf.has(index) ? "heads" : sinks[index] ? "neck, down again" : rises[index] ? "neck" : "backbone",
    stride: strides[index] ?? strides[sources[index][0]] ?? 1,
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

/// A group of layers as a button with its facts, and the layers themselves once it is unfolded.
function groupCell(group) {
  if (group.length === 0) return element("td", {});
  const last = group.at(-1);
  const map = [...group].reverse().map((index) => blobs[layers[index].outputs[0]].shape)
    .find((shape) => shape.length === 3 && shape[1] > 1);
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
      button.addEventListener("click", () => change({ layer: index }));
      return element("li", {}, button, ` ${layers[index].kind}`);
    });
    details.append(element("ul", { class: "plain" }, ...buttons));
  });
  return element("td", {}, details);
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
}
