// SPDX-License-Identifier: Apache-2.0
"use strict";

// What speaks for a face, in one pass: at each cell of the heads the activations that their last convolution reads, times
// its weights for the number that the score is made of, and of these products the sum of those above 0, as in LayerCAM.

/// Of each head that gives a candidate's number of the score by a convolution of single pixels, the sums as shares of the
/// largest.
async function evidenceOf({ cell }) {
  const number = (await decodingOf(cell)).find(({ name }) => /objectness|score|class/.test(name));
  if (number === undefined) return [];
  const convolutions = [];
  for (const [layer, head] of headLayers(layers, blobs, report.heads, linear)) {
    if (layers[layer].kind !== "Convolution") continue;
    const names = [layers[layer].outputs[0], layers[layer].inputs[0]].map((blob) => blobs[blob].name);
    const [output, input] = await computed(names);
    convolutions.push({ head, output, input, weights: await live.engine.ask("weights", layer, 0) });
  }
  const isOwn = (output, channel) =>
    Math.abs(numberIn(output, { ...cell, channel }) - number.raw) < 1e-4 * Math.max(1, Math.abs(number.raw));
  const [own] = convolutions.filter(({ head }) => head === cell.head).flatMap(({ output }) =>
    Array.from({ length: output.shape[0] }, (_, channel) => ({ channel, channels: output.shape[0] }))
      .filter(({ channel }) => isOwn(output, channel)));
  return convolutions
    .filter(({ output, input, weights }) =>
      output.shape[0] === own?.channels && weights.length === own.channels * input.shape[0])
    .map(({ head, input: { shape: [count, rows, columns], values }, weights }) => {
      const sums = new Float32Array(rows * columns);
      for (let place = 0; place < values.length; place++) {
        const weight = weights[own.channel * count + Math.floor(place / sums.length)];
        sums[place % sums.length] += Math.max(0, weight * values[place]);
      }
      const largest = sums.reduce((a, b) => Math.max(a, b));
      return { head, rows, columns, shares: sums.map((sum) => sum / largest) };
    });
}

let isEvidenceSeen = false;

/// Draws the map while it is in the window.
const showEvidence = latest(async (isLatest) => {
  if (live.engine === null || !isEvidenceSeen) return;
  const index = chosenCandidate();
  const maps = index === null ? [] : await evidenceOf(detection.candidates[index]);
  if (!isLatest()) return;
  byId("evidence").hidden = maps.length === 0;
  if (maps.length === 0) return;
  const { context, unit } = prepareOccluded(byId("evidence-canvas"), HEAT_DIMMING);
  const [{ head, rows, columns }] = maps;
  const edges = cellEdges(head);
  for (let cell = 0; cell < rows * columns; cell++) {
    const [row, column] = [Math.floor(cell / columns), cell % columns];
    const shares = maps.map((map) =>
      map.shares[Math.floor((row * map.rows) / rows) * map.columns + Math.floor((column * map.columns) / columns)]);
    const [{ x }, { y }, right, bottom] = [column, row, column + 1, row + 1].map((place) => edges[place]);
    // Squared, so that what is everywhere is hardly seen.
    context.fillStyle = heatColor(mean(shares) ** 2);
    context.fillRect(x, y, right.x - x, bottom.y - y);
  }
  drawBox(context, detection.shown[index].box, "#fff", 2 * unit);
});

function connectEvidence() {
  new IntersectionObserver(([{ isIntersecting }]) => {
    isEvidenceSeen = isIntersecting;
    showEvidence();
  }).observe(byId("occlusion"));
}
