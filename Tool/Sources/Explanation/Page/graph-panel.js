// SPDX-License-Identifier: Apache-2.0
"use strict";

// The network's section: a graph that can be panned and zoomed, and the facts about the chosen
// layer.

const { layers, steps, blobs } = report.network;
const linear = layOut(report.network);
let plan = linear;
const stepOfLayer = new Map(
  steps.flatMap((step, index) => step.layers.map((layer) => [layer, index]))
);
const camera = { x: 0, y: 0, scale: 1 };
let nodeElements = [];
let stepElements = [];

function vector(name, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/// A text cut to so many characters: by code points, since half of one cannot be shown.
const shortened = (text, length) => {
  const letters = [...text];
  return letters.length > length ? letters.slice(0, length - 1).join("") + "…" : text;
};

/// Presses a line together that may be wider than its box.
const pressed = (line, width) =>
  [...line].length * 6.8 > width - 20 ? { textLength: width - 20, lengthAdjust: "spacingAndGlyphs" } : {};

/// A box with lines of text.
function card({ x, y }, width, classes, title, ...lines) {
  return vector(
    "g", { class: classes, transform: `translate(${x} ${y})` },
    vector("rect", { width, height: NODE.height, rx: 6 }),
    vector("text", { x: 10, y: 17, class: "title" }, shortened(title, Math.floor(width / 8))),
    ...lines.map((line, index) =>
      vector("text", { x: 10, y: 32 + 14 * index, ...pressed(line, width) }, shortened(line, 40))
    )
  );
}

/// Draws a layout and keeps it as `plan`.
function buildGraph(layout) {
  plan = layout;
  const edges = plan.sources.flatMap((list, index) =>
    list.map((source) =>
      vector("path", {
        class: "edge", d: edgePath(plan.nodes[source], plan.nodes[index], plan.bandPitch),
      })
    )
  );
  const covers = steps.flatMap((step, index) =>
    step.layers.map((layer) =>
      vector("path", {
        class: "cover", "data-step": index, d: coverPath(plan.nodes[layer], plan.stepNodes[index]),
      })
    )
  );
  nodeElements = layers.map((layer, index) => {
    const shape = (blobs[layer.outputs[0]]?.shape ?? []).join("×");
    const numbers = [counted(layer.parameters), counted(layer.multiplyAdds)];
    const isFree = stepOfLayer.has(index) ? "" : " free";
    const node = card(
      plan.nodes[index], NODE.width, `layer ${familyOf(layer.kind)}${isFree}`, layer.name,
      `${layer.kind} ${shape}`, `${numbers.join(" · ")} · ${duration(layer.microseconds)}`
    );
    node.dataset.layer = index;
    const words = `${numbers[0]} parameters, ${numbers[1]} multiply-adds`;
    node.append(vector("title", {}, `${layer.name}: ${layer.kind}, ${shape}, ${words}`));
    return node;
  });
  stepElements = steps.map((step, index) => {
    const node = card(
      plan.stepNodes[index], NODE.stepWidth, "step", step.kind,
      `${layerCount(step)} in ${duration(step.microseconds)}`,
      step.multiplyAdds > 0 ? `${counted(step.multiplyAdds)} multiply-adds` : ""
    );
    node.dataset.step = index;
    return node;
  });
  byId("graph-content").replaceChildren(...covers, ...edges, ...nodeElements, ...stepElements);
  markLayer();
}

const layerCount = ({ layers: covered }) =>
  covered.length === 1 ? "1 layer" : `${covered.length} layers`;

function moveCamera(changes) {
  Object.assign(camera, changes);
  camera.scale = Math.max(0.04, Math.min(3, camera.scale));
  byId("graph-content").setAttribute(
    "transform", `translate(${camera.x} ${camera.y}) scale(${camera.scale})`
  );
  drawOverview();
}

/// Zooms about a point of the screen.
function zoom(factor, x = byId("graph").clientWidth / 2, y = byId("graph").clientHeight / 2) {
  const scale = Math.max(0.04, Math.min(3, camera.scale * factor));
  const ratio = scale / camera.scale;
  moveCamera({ scale, x: x - (x - camera.x) * ratio, y: y - (y - camera.y) * ratio });
}

/// Shows all of the graph, in as many bands as suit the panel's shape.
function fitGraph() {
  const { clientWidth, clientHeight } = byId("graph");
  const [width, height] = [clientWidth - 24, clientHeight - 24];
  buildGraph(layOutWhole(report.network, width, height));
  const scale = Math.min(1, width / plan.width, height / plan.height);
  moveCamera({
    scale, x: (clientWidth - plan.width * scale) / 2,
    y: (clientHeight - plan.height * scale) / 2,
  });
}

/// Shows the graph in one band as large as the width allows, at the chosen layer.
function fitWidth() {
  buildGraph(linear);
  showWidth();
}

function showWidth() {
  const scale = Math.max(byId("graph").clientWidth < 500 ? 1 : 0.65, Math.min(1, byId("graph").clientWidth / (plan.width + 30)));
  moveCamera({ scale, x: 12 * scale, y: 16 });
  reveal(state.layer);
}

/// Moves the camera if the layer is out of sight.
function reveal(index) {
  const { clientWidth, clientHeight } = byId("graph");
  const { x, y } = plan.nodes[index];
  const [left, top] = [x * camera.scale + camera.x, y * camera.scale + camera.y];
  const [width, height] = [NODE.width * camera.scale, NODE.height * camera.scale];
  if (left < 0 || left + width > clientWidth) {
    moveCamera({ x: clientWidth / 2 - (x + NODE.width / 2) * camera.scale });
  }
  if (top < 0 || top + height > clientHeight) {
    moveCamera({ y: clientHeight / 2 - y * camera.scale });
  }
}

function markLayer() {
  const chosenStep = stepOfLayer.get(state.layer);
  nodeElements.forEach((node, index) => {
    node.classList.toggle("chosen", index === state.layer);
    const isFused = chosenStep !== undefined && stepOfLayer.get(index) === chosenStep;
    node.classList.toggle("fused", isFused);
  });
  stepElements.forEach((node, index) => node.classList.toggle("chosen", index === chosenStep));
  for (const cover of document.querySelectorAll(".cover")) {
    cover.classList.toggle("chosen", Number(cover.dataset.step) === chosenStep);
  }
  drawOverview();
}

function showLayer() {
  const layer = layers[state.layer];
  const step = steps[stepOfLayer.get(state.layer)];
  const shapes = (list) =>
    list.map((blob) => `${blobs[blob].name} ${shapeText(blobs[blob].shape)}`).join(", ") || "—";
  const facts = [
    ["kind", layer.kind], ["reads", shapes(layer.inputs)], ["writes", shapes(layer.outputs)],
    ["parameters", counted(layer.parameters)], ["multiply-adds", counted(layer.multiplyAdds)],
    ["time alone", duration(layer.microseconds)], ["in the plan", planText(layer, step)],
    ...rowsInTwo(layer.attributes), ["line", `${layer.line} of the .param file`],
  ];
  byId("layer-name").textContent = layer.name;
  byId("layer-facts").replaceChildren(...facts.flatMap(([name, text]) => fact(name, text)));
  const options = layer.outputs.map((blob) => element("option", { value: blob }, blobs[blob].name));
  byId("maps-blob").replaceChildren(...options);
  byId("maps-blob").parentElement.hidden = options.length < 2;
  byId("maps-value").textContent = "";
  markLayer();
  reveal(state.layer);
  showMaps(blobs[layer.outputs[0]]);
}

/// Names and values that follow each other, as pairs.
function rowsInTwo(texts) {
  return texts.flatMap((text, index) => (index % 2 === 0 ? [[text, texts[index + 1]]] : []));
}

function planText(layer, step) {
  if (step) {
    const others = step.layers.map((index) => layers[index].name).filter((name) => name !== layer.name);
    const company = others.length > 0 ? ` together with ${others.join(", ")}` : " on its own";
    return `step “${step.kind}”, ${duration(step.microseconds)},${company}`;
  }
  return layer.kind === "Input"
    ? "no step: the first convolution reads the picture itself"
    : "no step: it only names the same blocks of memory in another order";
}

/// Chooses the next layer after one, of the name or otherwise the kind that the reader looks for.
function findLayer(before) {
  const wanted = byId("layer-search").value.toLowerCase();
  const places = layers.map((_, index) => (before + 1 + index + layers.length) % layers.length);
  const finds = (isIt) => places.find((index) => [layers[index].name, layers[index].kind].some((text) => isIt(text.toLowerCase())));
  const found = wanted === "" ? undefined : finds((text) => text === wanted) ?? finds((text) => text.startsWith(wanted));
  if (found !== undefined) change({ layer: found });
}

function connectGraph() {
  const graph = byId("graph");
  connectPointer(graph);
  graph.addEventListener("keydown", (event) => {
    const next = nextLayer(event.key);
    const zooms = { "+": 1.25, "=": 1.25, "-": 0.8 };
    if (next !== null) change({ layer: next });
    else if (zooms[event.key]) zoom(zooms[event.key]);
    else if (event.key === "0") fitGraph();
    else if (event.key === "1") fitWidth();
    else return;
    event.preventDefault();
  });
  byId("graph-in").addEventListener("click", () => zoom(1.25));
  byId("graph-out").addEventListener("click", () => zoom(0.8));
  byId("graph-fit").addEventListener("click", fitGraph);
  byId("graph-width").addEventListener("click", fitWidth);
  connectOverview();
  const words = new Set([...layers.map(({ kind }) => kind), ...layers.map(({ name }) => name)]);
  byId("layer-names").replaceChildren(...[...words].map((value) => element("option", { value })));
  byId("layer-search").addEventListener("input", () => findLayer(state.layer - 1));
  byId("layer-search").addEventListener("keydown", (event) => event.key === "Enter" && findLayer(state.layer));
  byId("maps-blob").addEventListener("change", (event) => showMaps(blobs[event.target.value]));
  for (const id of ["shared-scale", "maps-first"]) {
    byId(id).addEventListener("change", () => {
      showMaps(blobs[byId("maps-blob").value || layers[state.layer].outputs[0]]);
    });
  }
  const alone = layers.reduce((sum, { microseconds }) => sum + (microseconds ?? 0), 0);
  const together = steps.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const free = layers.filter((_, index) => !stepOfLayer.has(index));
  const kinds = [...Map.groupBy(free, ({ kind }) => kind)].map(([kind, { length }]) => `${length} ${kind}`);
  byId("plan-summary").textContent =
    `${layers.length} layers, ${counted(layers.reduce((sum, l) => sum + l.parameters, 0))} ` +
    `parameters, ${counted(layers.reduce((sum, l) => sum + l.multiplyAdds, 0))} multiply-adds. One ` +
    `by one the layers take ${duration(alone)}; the plan computes them in ${steps.length} steps and ` +
    `${duration(together)}; ${free.length} layers need no step (${kinds.join(", ")}).`;
}

/// The graph's width and height, and one unit of it, in the overview's pixels.
function overviewScale(canvas) {
  return { across: canvas.clientWidth / plan.width, down: canvas.clientHeight / plan.height };
}

/// Draws the whole graph as coloured bars, and a frame around the part that is shown.
function drawOverview() {
  const canvas = byId("graph-overview");
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, canvas.clientWidth * ratio);
  canvas.height = Math.max(1, canvas.clientHeight * ratio);
  const context = canvas.getContext("2d");
  const { across, down } = overviewScale(canvas);
  context.scale(ratio, ratio);
  const bar = ({ x, y }, width, name) => {
    context.fillStyle = color(name);
    context.fillRect(x * across, y * down, width * across, Math.max(1, NODE.height * down));
  };
  plan.nodes.forEach((node, index) => bar(node, NODE.width, familyOf(layers[index].kind)));
  plan.stepNodes.forEach((node) => bar(node, NODE.stepWidth, "step"));
  const chosen = plan.nodes[state.layer];
  context.fillStyle = color("ink");
  context.fillRect(0, chosen.y * down - 1, canvas.clientWidth, 2);
  const { clientWidth, clientHeight } = byId("graph");
  context.strokeStyle = color("accent");
  context.lineWidth = 2;
  context.strokeRect(
    (-camera.x / camera.scale) * across, (-camera.y / camera.scale) * down,
    (clientWidth / camera.scale) * across, (clientHeight / camera.scale) * down
  );
}

/// A click in the overview, or a drag, shows that part of the graph.
function connectOverview() {
  const overview = byId("graph-overview");
  const go = (event) => {
    const bounds = overview.getBoundingClientRect();
    const { across, down } = overviewScale(overview);
    const place = { x: (event.clientX - bounds.left) / across, y: (event.clientY - bounds.top) / down };
    const { clientWidth, clientHeight } = byId("graph");
    moveCamera({
      x: clientWidth / 2 - place.x * camera.scale, y: clientHeight / 2 - place.y * camera.scale,
    });
  };
  overview.addEventListener("pointerdown", (event) => {
    overview.setPointerCapture(event.pointerId);
    go(event);
  });
  overview.addEventListener("pointermove", (event) => event.buttons > 0 && go(event));
}

/// The layer below, above, or beside the chosen one, or null for another key.
function nextLayer(key) {
  switch (key) {
    case "ArrowDown": return plan.targets[state.layer][0] ?? state.layer;
    case "ArrowUp": return plan.sources[state.layer][0] ?? state.layer;
    case "ArrowRight": return Math.min(layers.length - 1, state.layer + 1);
    case "ArrowLeft": return Math.max(0, state.layer - 1);
    default: return null;
  }
}

/// One pointer moves the graph and two zoom it. The wheel zooms with Control; without, it moves the
/// graph once that has the focus. A click chooses a layer or step.
function connectPointer(graph) {
  const pointers = new Map();
  let moved = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  graph.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved = 0;
  });
  graph.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 4 && !graph.hasPointerCapture(event.pointerId)) {
      graph.setPointerCapture(event.pointerId);
    }
    if (pointers.size === 1) moveCamera({ x: camera.x + dx, y: camera.y + dy });
    if (pointers.size === 2 && before > 0) {
      const bounds = graph.getBoundingClientRect();
      zoom(spread() / before, event.clientX - bounds.left, event.clientY - bounds.top);
    }
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    graph.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  graph.addEventListener("click", (event) => {
    if (moved > 4) return;
    const node = event.target.closest("[data-layer], .step");
    if (!node) return;
    const layer = node.dataset.layer ?? steps[node.dataset.step].layers.at(-1);
    if (layer !== undefined) change({ layer: Number(layer) });
  });
  graph.addEventListener(
    "wheel",
    (event) => {
      const zooms = event.ctrlKey || event.metaKey;
      // Otherwise the wheel keeps scrolling the page.
      if (!zooms && document.activeElement !== graph) return;
      event.preventDefault();
      const bounds = graph.getBoundingClientRect();
      if (zooms) {
        zoom(Math.exp(-event.deltaY / 300), event.clientX - bounds.left, event.clientY - bounds.top);
      } else {
        moveCamera({ x: camera.x - event.deltaX, y: camera.y - event.deltaY });
      }
    },
    { passive: false }
  );
}
