"use strict";

// What speaks for a face, in one pass: at each cell of the heads the activations that their last convolution reads, times
// its weights for the number that the score is made of, and of these products the sum of those above 0, as in LayerCAM.

/// The convolution and the channel that give a candidate's number of the score; none where no number is the same.
async function scoreChannel({ cell }) {
  const decoding = await decodingOf(cell);
  const number = ["objectness", "score", "class"].map((name) => decoding.find((row) => row.name === name)).find(Boolean);
  for (const [layer, head] of number ? headConvolutions() : []) {
    const [{ shape, values }] = head === cell.head ? await computed([blobs[layers[layer].outputs[0]].name]) : [{ shape: [0] }];
    const [channels, rows, columns] = shape;
    for (let channel = 0; channel < channels; channel++) {
      const value = values[(channel * rows + cell.row) * columns + cell.column];
      if (Math.abs(value - number.raw) < 1e-4 * Math.max(1, Math.abs(value))) return { channel, channels };
    }
  }
  return null;
}

const headConvolutions = () =>
  [...headLayers(layers, blobs, report.heads, linear)].filter(([layer]) => layers[layer].kind === "Convolution");

/// Of each head that has such a channel, read pixel by pixel, the sums from 0 for the lowest to 1 for the highest.
async function evidenceOf(candidate) {
  const found = await scoreChannel(candidate);
  const maps = [];
  for (const [layer] of found === null ? [] : headConvolutions()) {
    const [{ shape: [channels] }, { shape: [count, rows, columns], values }] =
      await computed([layers[layer].outputs[0], layers[layer].inputs[0]].map((blob) => blobs[blob].name));
    const weights = await live.engine.ask("weights", layer, 0);
    if (channels !== found.channels || weights.length !== channels * count) continue;
    const sums = new Float32Array(rows * columns);
    for (let input = 0; input < count; input++) {
      const weight = weights[found.channel * count + input];
      for (let cell = 0; cell < sums.length; cell++) sums[cell] += Math.max(0, weight * values[input * sums.length + cell]);
    }
    const { low, high } = rangeOf(sums);
    maps.push({ rows, columns, shares: sums.map((sum) => (sum - low) / (high - low)) });
  }
  return maps;
}

const showEvidence = latest(async (isLatest) => {
  if (live.engine === null) return;
  const index = chosenCandidate();
  const maps = index === null ? [] : await evidenceOf(detection.candidates[index]);
  if (!isLatest()) return;
  byId("evidence").hidden = maps.length === 0;
  if (maps.length === 0) return;
  const [{ rows, columns }] = maps;
  const grid = new OffscreenCanvas(columns, rows);
  const cells = grid.getContext("2d");
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const shares = maps.map((map) =>
        map.shares[Math.floor((row * map.rows) / rows) * map.columns + Math.floor((column * map.columns) / columns)]);
      cells.fillStyle = heatColor(shares.reduce((sum, share) => sum + share) / shares.length);
      cells.fillRect(column, row, 1, 1);
    }
  }
  const part = occludedPart();
  const { context, unit } = prepare(byId("evidence-canvas"), part, 0.6);
  context.translate(-part.x, -part.y);
  drawPhoto(context, HEAT_DIMMING);
  const { inputWidth, inputHeight } = report.letterbox;
  const { x, y, width, height } = boxInPicture({ x: 0, y: 0, width: inputWidth, height: inputHeight });
  context.drawImage(grid, x, y, width, height);
  drawBox(context, detection.shown[index].box, "#fff", 2 * unit);
});
