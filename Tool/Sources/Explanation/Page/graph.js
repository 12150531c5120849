// SPDX-License-Identifier: Apache-2.0
"use strict";

// Where the layers and the plan's steps are drawn: in ranks from top to bottom, each layer below
// all that it reads, branches side by side, and the steps beside them; in one band, or cut into
// several bands side by side like a newspaper's columns.

const NODE = {
  width: 176, height: 54, columnPitch: 200, rankPitch: 72, stepWidth: 200, bandGap: 140,
};

/// Places for all layers and steps, and the lines between them.
function layOut({ layers, steps }, bandCount = 1) {
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
  const ranksPerBand = Math.ceil((Math.max(...ranks) + 1) / bandCount);
  const stepX = (Math.max(...columns) + 1) * NODE.columnPitch + 60;
  const bandPitch = stepX + NODE.stepWidth + NODE.bandGap;
  const nodes = layers.map((_, index) => {
    const band = Math.floor(ranks[index] / ranksPerBand);
    return {
      band,
      x: band * bandPitch + columns[index] * NODE.columnPitch,
      y: (ranks[index] - band * ranksPerBand) * NODE.rankPitch,
    };
  });
  const stepNodes = placeSteps(steps, nodes, (band) => band * bandPitch + stepX);
  const all = nodes.concat(stepNodes);
  return {
    nodes, sources, targets, stepNodes, order, ranks, bandPitch,
    width: Math.max(...all.map(({ band }) => band)) * bandPitch + stepX + NODE.stepWidth,
    height: Math.max(...all.map(({ y }) => y)) + NODE.height,
  };
}

/// The layout in the number of bands that makes it largest in a panel of this size.
function layOutWhole(network, width, height) {
  const scaleOf = (plan) => Math.min(width / plan.width, height / plan.height);
  let best = layOut(network);
  for (;;) {
    // One more than there are; once each rank has a band of its own, the layout stays the same.
    const bands = Math.max(...best.nodes.map(({ band }) => band)) + 2;
    const next = layOut(network, bands);
    if (scaleOf(next) <= scaleOf(best)) return best;
    best = next;
  }
}

/// The layers, each after those that it reads, whatever the order of the file.
function executionOrder(sources, targets) {
  const missing = sources.map((list) => list.length);
  const order = missing.flatMap((count, index) => (count === 0 ? [index] : []));
  for (let place = 0; place < order.length; place++) {
    for (const target of targets[order[place]]) if (--missing[target] === 0) order.push(target);
  }
  return order;
}

/// The column free at a layer's rank that is nearest to those of the layers it reads.
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

/// Places each step at the height of the layers that it computes, in the band of the first of them,
/// without overlaps.
function placeSteps(steps, nodes, xOfBand) {
  const wished = steps.map(({ layers }, index) => {
    const band = nodes[layers[0]]?.band ?? 0;
    const heights = layers.map((layer) => nodes[layer]).filter((node) => node.band === band)
      .map(({ y }) => y);
    const y = heights.length > 0 ? heights.reduce((a, b) => a + b, 0) / heights.length : 0;
    return { index, band, y };
  });
  wished.sort((a, b) => a.y - b.y || a.index - b.index);
  const places = new Array(steps.length);
  const free = [];
  for (const { index, band, y } of wished) {
    const top = Math.max(y, free[band] ?? 0);
    places[index] = { band, x: xOfBand(band), y: top };
    free[band] = top + NODE.height + 8;
  }
  return places;
}

/// A line from below one layer to above another; it swings out where it passes more than one rank,
/// and where the other layer is in another band, it goes up in the gap before that band.
function edgePath(from, to, bandPitch) {
  const [x0, y0] = [from.x + NODE.width / 2, from.y + NODE.height];
  const [x1, y1] = [to.x + NODE.width / 2, to.y];
  const isInOneBand = from.band === to.band;
  if (isInOneBand && y1 - y0 < NODE.rankPitch) {
    const middle = (y0 + y1) / 2;
    return `M${x0} ${y0} C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
  }
  const side = isInOneBand
    ? Math.max(x0, x1) + NODE.columnPitch / 2
    : to.band * bandPitch - NODE.bandGap / 2;
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

/// The family that determines a layer's colour.
function familyOf(kind) {
  if (kind === "ConvolutionDepthWise") return "depthwise";
  if (/onvolution|InnerProduct/.test(kind)) return "convolution";
  if (/Swish|Sigmoid|eLU|ELU|Mish|TanH|Clip|Softmax/.test(kind)) return "activation";
  if (/Pooling|Interp|BinaryOp|UnaryOp|Eltwise|Reduction|Norm|Scale|Bias/.test(kind)) {
    return "arithmetic";
  }
  return "movement";
}
