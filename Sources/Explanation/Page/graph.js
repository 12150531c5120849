"use strict";

// Where the layers and the plan's steps are drawn: ranks from top to bottom, each layer below all
// that it reads, branches side by side, and the steps beside them.

const NODE = { width: 176, height: 54, columnPitch: 200, rankPitch: 72, stepWidth: 200 };

/// Places for all layers and steps, and the lines between them.
function layOut({ layers, steps }) {
  const producer = new Map();
  layers.forEach((layer, index) => layer.outputs.forEach((blob) => producer.set(blob, index)));
  const sources = layers.map((layer) => layer.inputs.map((blob) => producer.get(blob)));
  const targets = layers.map(() => []);
  sources.forEach((list, index) => list.forEach((source) => targets[source].push(index)));

  const order = executionOrder(sources, targets);
  const ranks = new Array(layers.length).fill(0);
  for (const index of order) {
    ranks[index] = Math.max(0, ...sources[index].map((source) => ranks[source] + 1));
  }
  const columns = chooseColumns(order, sources, ranks);
  const nodes = layers.map((_, index) => ({
    x: columns[index] * NODE.columnPitch,
    y: ranks[index] * NODE.rankPitch,
  }));
  const stepX = (Math.max(...columns) + 1) * NODE.columnPitch + 60;
  const stepNodes = placeSteps(steps, nodes, stepX);
  return {
    nodes, sources, targets, stepNodes, order, ranks,
    width: stepX + NODE.stepWidth,
    height: Math.max(...nodes.concat(stepNodes).map(({ y }) => y)) + NODE.height,
  };
}

/// Every layer after those that it reads, whatever the order of the file.
function executionOrder(sources, targets) {
  const missing = sources.map((list) => list.length);
  const order = missing.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let place = 0; place < order.length; place++) {
    for (const target of targets[order[place]]) if (--missing[target] === 0) order.push(target);
  }
  return order;
}

/// The column nearest to those of the layers that it reads that is free at its rank.
function chooseColumns(order, sources, ranks) {
  const columns = new Array(order.length).fill(0);
  const taken = new Set();
  const byRank = [...order].sort((a, b) => ranks[a] - ranks[b] || a - b);
  for (const index of byRank) {
    const own = sources[index].map((source) => columns[source]);
    const wished = own.length > 0 ? Math.min(...own) : 0;
    const isFree = (column) => column >= 0 && !taken.has(`${ranks[index]} ${column}`);
    let distance = 0;
    while (!isFree(wished + distance) && !isFree(wished - distance)) distance++;
    const column = isFree(wished + distance) ? wished + distance : wished - distance;
    taken.add(`${ranks[index]} ${column}`);
    columns[index] = column;
  }
  return columns;
}

/// Each step at the height of the layers that it computes, none over another.
function placeSteps(steps, nodes, x) {
  const wished = steps.map(({ layers }, index) => {
    const heights = layers.map((layer) => nodes[layer].y);
    const y = heights.length > 0 ? heights.reduce((a, b) => a + b, 0) / heights.length : 0;
    return { index, y };
  });
  wished.sort((a, b) => a.y - b.y || a.index - b.index);
  const places = new Array(steps.length);
  let free = 0;
  for (const { index, y } of wished) {
    const top = Math.max(y, free);
    places[index] = { x, y: top };
    free = top + NODE.height + 8;
  }
  return places;
}

/// A line from below one layer to above another; it swings out where it passes more than a rank.
function edgePath(from, to) {
  const [x0, y0] = [from.x + NODE.width / 2, from.y + NODE.height];
  const [x1, y1] = [to.x + NODE.width / 2, to.y];
  if (y1 - y0 < NODE.rankPitch) {
    const middle = (y0 + y1) / 2;
    return `M${x0} ${y0} C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
  }
  const side = Math.max(x0, x1) + NODE.columnPitch / 2;
  const bend = 30;
  return (
    `M${x0} ${y0} C${x0} ${y0 + bend} ${side} ${y0} ${side} ${y0 + bend} ` +
    `L${side} ${y1 - bend} C${side} ${y1} ${x1} ${y1 - bend} ${x1} ${y1}`
  );
}

/// A line from a layer to the step that computes it.
function coverPath(node, step) {
  const [x0, y0] = [node.x + NODE.width, node.y + NODE.height / 2];
  const [x1, y1] = [step.x, step.y + NODE.height / 2];
  const middle = (x0 + x1) / 2;
  return `M${x0} ${y0} C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`;
}

/// The family that decides a layer's colour.
function familyOf(kind) {
  if (kind === "ConvolutionDepthWise") return "depthwise";
  if (kind.startsWith("Convolution") || kind === "InnerProduct") return "convolution";
  if (/Swish|Sigmoid|ReLU|Softmax/.test(kind)) return "activation";
  if (/Pooling|Interp|BinaryOp|Eltwise|BatchNorm|Scale/.test(kind)) return "arithmetic";
  return "movement";
}
