// SPDX-License-Identifier: Apache-2.0
"use strict";

// The detection heads as heat maps over the picture.

const headValues = report.heads.map(({ quantities }) =>
  Object.fromEntries(quantities.map(({ name, values }) => [name, floatsOf(values)]))
);

/// A cell's value, 0 to 1: its `score`, or a quantity that the score is made of; NaN where the
/// network's value is.
function cellValue(number, anchor, row, column, quantity) {
  const { rows, columns } = report.heads[number];
  return headValues[number][quantity][(anchor * rows + row) * columns + column];
}

/// The same, but 0 for NaN.
const cellScore = (...cell) => cellValue(...cell) || 0;

/// The names of a head's quantities; the score comes last.
function quantitiesOf(number) {
  const [score, ...others] = report.heads[number].quantities.map(({ name }) => name);
  return [...others, score];
}

const heat = {
  head: 0, anchor: -1, quantity: "score", row: null, column: null,
  isPinned: false, // whether the cell stays where it is when the pointer moves
};

/// The chosen anchor's value at a cell, or the best of all anchors.
function heatAt(row, column) {
  const { anchors } = report.heads[heat.head];
  if (heat.anchor >= 0) return cellScore(heat.head, heat.anchor, row, column, heat.quantity);
  return Math.max(
    ...anchors.map((_, anchor) => cellScore(heat.head, anchor, row, column, heat.quantity))
  );
}

/// The colour of a value, to be laid over the photo; the square root makes weak cells visible.
function heatColor(value) {
  const [red, green, blue] = colorOf(0.25 + 0.75 * value);
  return `rgb(${red} ${green} ${blue} / ${0.9 * Math.sqrt(value)})`;
}

/// Where the rows and columns of a head's cells begin and end in the picture.
function cellEdges(head) {
  const { rows, columns, cellWidth, cellHeight } = report.heads[head];
  return pointsInPicture(
    Array.from({ length: Math.max(rows, columns) + 1 }, (_, index) =>
      ({ x: index * cellWidth, y: index * cellHeight }))
  );
}

const HEAT_DIMMING = 0.45;

function drawHeat() {
  const canvas = byId("heat-canvas");
  const { context, unit } = prepareView(canvas);
  drawPhoto(context, HEAT_DIMMING);
  const { rows, columns, cellWidth, cellHeight, anchors } = report.heads[heat.head];
  const edges = cellEdges(heat.head);
  let best = 0;
  let bestCell = null;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = heatAt(row, column);
      if (value > best) [best, bestCell] = [value, { row, column }];
      if (value < 0.002) continue;
      const [{ x }, { y }] = [edges[column], edges[row]];
      context.fillStyle = heatColor(value);
      context.fillRect(x, y, edges[column + 1].x - x, edges[row + 1].y - y);
    }
  }
  byId("heat-best").textContent = `The highest value of this map is ${fixed(best, 3)}.`;
  if (heat.row === null) Object.assign(heat, bestCell ?? { row: 0, column: 0 });
  const center = { x: (heat.column + 0.5) * cellWidth, y: (heat.row + 0.5) * cellHeight };
  drawBox(
    context,
    boxInPicture({
      x: center.x - cellWidth / 2, y: center.y - cellHeight / 2, width: cellWidth, height: cellHeight,
    }),
    "#fff", 2 * unit
  );
  anchors.forEach(([width, height], anchor) => {
    const box = { x: center.x - width / 2, y: center.y - height / 2, width, height };
    const isChosen = heat.anchor < 0 || heat.anchor === anchor;
    context.globalAlpha = isChosen ? 1 : 0.4;
    drawBox(context, boxInPicture(box), "#ffe14d", 2 * unit, [5 * unit, 3 * unit]);
  });
  context.globalAlpha = 1;
  const seen = seenBy(heat);
  if (seen !== null) drawBox(context, boxInPicture(seen), "#9fd8ff", 2 * unit, [2 * unit, 4 * unit]);
}

/// The rectangle of the input that a cell sees, its receptive field; null where that is all of it.
function seenBy({ head, row, column }) {
  const { seenRows, seenColumns } = report.heads[head];
  if (!seenRows || 2 * row >= seenRows.length || 2 * column >= seenColumns.length) return null;
  const [top, bottom] = seenRows.slice(2 * row, 2 * row + 2);
  const [left, right] = seenColumns.slice(2 * column, 2 * column + 2);
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function listCell() {
  const { anchors, cellWidth, cellHeight } = report.heads[heat.head];
  byId("heat-cell").textContent =
    `Row ${heat.row}, column ${heat.column}: input pixels from (${heat.column * cellWidth}, ` +
    `${heat.row * cellHeight}) on. ${hasAnchors(report.heads[heat.head]) ? "The dashed boxes are the anchors. " : ""}` + seenText() +
    (heat.isPinned
      ? "The cell is pinned: click on it again, or press Escape, to let it follow the pointer."
      : "Click on a cell to pin it.");
  const rows = anchors.map((_, index) => {
    const values = quantitiesOf(heat.head).map((quantity) =>
      element("td", {}, fixed(cellValue(heat.head, index, heat.row, heat.column, quantity), 4))
    );
    return element("tr", {}, element("td", {}, anchorText(report.heads[heat.head], index)), ...values);
  });
  byId("heat-anchors").replaceChildren(...rows);
  listRawValues();
}

function seenText() {
  const seen = seenBy(heat);
  if (seen === null) return "";
  return (
    `The cell sees ${seen.width} × ${seen.height} pixels of the input around it, the dotted box, and ` +
    "padding where that goes beyond the input. "
  );
}

/// What the network's numbers decode to in the pinned cell, for the chosen anchor or the best of all.
const listRawValues = latest(async (isLatest) => {
  const { head, row, column } = heat;
  const scores = report.heads[head].anchors.map((_, index) => cellScore(head, index, row, column, "score"));
  const anchor = heat.anchor >= 0 ? heat.anchor : scores.indexOf(Math.max(...scores));
  const cell = { head, anchor, row, column };
  const decoding = heat.isPinned ? await decodingOf(cell) : [];
  if (!isLatest()) return;
  byId("heat-raw").hidden = decoding.length === 0;
  if (decoding.length === 0) return;
  const size = anchorText(report.heads[head], anchor);
  byId("heat-raw-title").textContent = `All its numbers: ${size}`;
  byId("heat-raw-table").replaceChildren(decodingTable(decoding));
});

/// The cell under a point of the picture.
function cellAt({ x, y }) {
  const { rows, columns, cellWidth, cellHeight } = report.heads[heat.head];
  const input = pointInInput({ x, y });
  return {
    row: Math.max(0, Math.min(rows - 1, Math.floor(input.y / cellHeight))),
    column: Math.max(0, Math.min(columns - 1, Math.floor(input.x / cellWidth))),
  };
}

function chooseCell(cell, isPinned = heat.isPinned) {
  Object.assign(heat, cell, { isPinned });
  drawHeat();
  listCell();
}

/// Pins the cell under a point, or unpins it if it is pinned already.
function pinCell(point) {
  const cell = cellAt(point);
  const isSame = heat.row === cell.row && heat.column === cell.column;
  chooseCell(cell, !(heat.isPinned && isSame));
}

/// Shows the cell and the anchor that the chosen face comes from.
function showCellOfFace() {
  const candidate = detection.candidates[detection.result.kept[state.face]];
  if (!candidate) return;
  const { head, anchor, row, column } = candidate.cell;
  byId("heat-head").value = String(head);
  chooseHead();
  byId("heat-anchor").value = String(anchor);
  heat.anchor = anchor;
  chooseCell({ row, column }, true);
}

function chooseHead() {
  heat.head = Number(byId("heat-head").value);
  const { anchors } = report.heads[heat.head];
  const options = anchors.map((_, index) =>
    element("option", { value: index }, anchorText(report.heads[heat.head], index))
  );
  byId("heat-anchor").replaceChildren(element("option", { value: -1 }, "best of all"), ...options);
  const names = quantitiesOf(heat.head);
  const quantities = names.map((name) => element("option", { value: name }, name)).reverse();
  byId("heat-quantity").replaceChildren(...quantities);
  heat.quantity = "score";
  const titles = [hasAnchors(report.heads[heat.head]) ? "anchor" : "box", ...names].map((name) => element("th", { scope: "col" }, titled(name)));
  byId("heat-titles").replaceChildren(...titles);
  byId("heat-scoring").textContent = report.heads[heat.head].scoring;
  heat.anchor = -1;
  heat.row = heat.column = null;
  heat.isPinned = false;
  drawHeat();
  listCell();
}

/// The colours of values from 0 to 1 over a grey photo, as dim as the one below the map.
function drawHeatScale() {
  const colors = Array.from({ length: 17 }, (_, step) => heatColor(step / 16));
  const grey = Math.round(128 * HEAT_DIMMING);
  byId("heat-scale").style.background =
    `linear-gradient(to right, ${colors.join(", ")}), rgb(${grey} ${grey} ${grey})`;
}

/// Offers the heads, whose sizes change with the picture.
function listHeads() {
  const heads = report.heads.map(({ stride, rows, columns }, index) =>
    element("option", { value: index }, `${stride} (${columns} × ${rows} cells)`)
  );
  byId("heat-head").replaceChildren(...heads);
  byId("heat-head").value = String(heat.head);
}

function connectHeat() {
  drawHeatScale();
  listHeads();
  byId("heat-head").addEventListener("change", chooseHead);
  byId("heat-anchor").addEventListener("change", () => {
    heat.anchor = Number(byId("heat-anchor").value);
    drawHeat();
    listRawValues();
  });
  byId("heat-quantity").addEventListener("change", () => {
    heat.quantity = byId("heat-quantity").value;
    drawHeat();
  });
  const canvas = byId("heat-canvas");
  canvas.addEventListener("pointermove", (event) => {
    if (!heat.isPinned) chooseCell(cellAt(pointAt(event, canvas)));
  });
  canvas.addEventListener("click", (event) => pinCell(pointAt(event, canvas)));
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return chooseCell({}, false);
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const { cellWidth, cellHeight, rows, columns } = report.heads[heat.head];
    const row = (heat.row ?? Math.floor(rows / 2)) + move[1];
    const column = (heat.column ?? Math.floor(columns / 2)) + move[0];
    const [point] = pointsInPicture([{ x: (column + 0.5) * cellWidth, y: (row + 0.5) * cellHeight }]);
    chooseCell(cellAt(point));
  });
  const best = detection.candidates[detection.order[0]];
  byId("heat-head").value = String(best?.cell.head ?? 0);
  chooseHead();
}
