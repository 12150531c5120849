"use strict";

// A candidate's way, step by step: its cell and anchor, the network's numbers for it, what they decode to,
// the threshold, and who suppressed it.

const NUMBERS_OF_AN_ANCHOR = 16;

const sigmoid = (value) => 1 / (1 + Math.exp(-value));

/// The 16 numbers of a candidate of the YOLO5Face family; null where the page cannot compute them.
function rawValues({ head, anchor, row, column }) {
  if (live.engine === null || !report.live.decodesAsYOLO5Face) return null;
  const { blobs, anchors, rows, columns } = report.heads[head];
  const [{ shape, values }] = computed([blobs[0]]);
  const size = anchors.length * rows * columns * NUMBERS_OF_AN_ANCHOR;
  if (blobs.length !== 1 || values.length !== size) return null;
  const cell = row * columns + column;
  // Anchors × cells × 16, or anchors and their 16 values as channels.
  const isByCell = shape.at(-1) === NUMBERS_OF_AN_ANCHOR && shape.length === 3 && shape[0] === anchors.length;
  return Array.from({ length: NUMBERS_OF_AN_ANCHOR }, (_, index) =>
    isByCell
      ? values[(anchor * rows * columns + cell) * NUMBERS_OF_AN_ANCHOR + index]
      : values[(anchor * NUMBERS_OF_AN_ANCHOR + index) * rows * columns + cell]
  );
}

/// What each number stands for, how it is decoded, and to what; see YOLO5FaceHead.swift.
function decodingRows(t, { head, anchor, row, column }) {
  const { stride, anchors } = report.heads[head];
  const [width, height] = anchors[anchor];
  const at = (cell) => fixed(cell * stride, 0);
  const centre = (value, cell) => (2 * sigmoid(value) - 0.5 + cell) * stride;
  const side = (value, anchor) => (2 * sigmoid(value)) ** 2 * anchor;
  const rows = [
    ["centre x", `(2 σ(t) − 0.5 + ${column}) · ${stride}`, centre(t[0], column)],
    ["centre y", `(2 σ(t) − 0.5 + ${row}) · ${stride}`, centre(t[1], row)],
    ["width", `(2 σ(t))² · ${width}`, side(t[2], width)],
    ["height", `(2 σ(t))² · ${height}`, side(t[3], height)],
    ["objectness", "σ(t)", sigmoid(t[4])],
  ];
  report.landmarkNames.forEach((name, number) => {
    rows.push([`${name} x`, `t · ${width} + ${at(column)}`, t[5 + 2 * number] * width + column * stride]);
    rows.push([`${name} y`, `t · ${height} + ${at(row)}`, t[6 + 2 * number] * height + row * stride]);
  });
  rows.push(["class", "σ(t)", sigmoid(t[15])]);
  return rows.map(([name, formula, value], index) => [name, t[index], formula, value]);
}

function decodingTable(rows) {
  const heads = ["Number", "t", "Value", "Formula"].map((text) => element("th", { scope: "col" }, text));
  return element(
    "div", { class: "scroll" },
    element(
      "table", { id: "decoding" }, element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map(([name, raw, formula, value]) =>
        element(
          "tr", {}, element("td", {}, name), element("td", {}, fixed(raw, 4)),
          element("td", {}, fixed(value, /objectness|class/.test(name) ? 4 : 1)), element("td", {}, formula)
        )
      ))
    )
  );
}

/// Two boxes with what they share, and the numbers of their IoU.
function overlapFigure(index, by) {
  const [a, b] = [detection.candidates[index].box, detection.candidates[by].box];
  const both = intersection(detection.edges, index, by);
  const { area } = detection.edges;
  const union = area[index] + area[by] - both;
  const low = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) };
  const size = {
    width: Math.max(a.x + a.width, b.x + b.width) - low.x,
    height: Math.max(a.y + a.height, b.y + b.height) - low.y,
  };
  const pad = Math.max(size.width, size.height) / 20;
  const box = ({ x, y, width, height }, attributes) =>
    vector("rect", { x: x - low.x + pad, y: y - low.y + pad, width, height, ...attributes });
  const left = Math.max(a.x, b.x), top = Math.max(a.y, b.y);
  const shared = {
    x: left, y: top, width: Math.min(a.x + a.width, b.x + b.width) - left,
    height: Math.min(a.y + a.height, b.y + b.height) - top,
  };
  const picture = vector(
    "svg",
    {
      class: "overlap", role: "img", "aria-label": "The two boxes and their intersection",
      viewBox: `0 0 ${size.width + 2 * pad} ${size.height + 2 * pad}`,
    },
    box(shared, { class: "shared" }), box(b, { class: "winner" }), box(a, { class: "loser" })
  );
  return element(
    "figure", {}, picture,
    element(
      "figcaption", {},
      `Intersection ${fixed(both, 0)} px², union ${fixed(union, 0)} px²: IoU ` +
        `${fixed(both / union, 3)}, more than the ${fixed(state.overlap, 3)} allowed.`
    )
  );
}

/// The chosen candidate's steps, as items of a list.
function fateSteps(index) {
  const { score, box, cell } = detection.candidates[index];
  const { stride, anchors, cellWidth, cellHeight, scoring } = report.heads[cell.head];
  const shown = detection.shown[index].box;
  const raw = rawValues(cell);
  const relation = fateOf(index) === "below" ? "less than" : "at least";
  const number = (value) => fixed(value);
  const rectangle = ({ x, y, width, height }) =>
    `(${number(x)}, ${number(y)}), ${number(width)} × ${number(height)}`;
  const steps = [
    [
      "Cell and anchor",
      `Row ${cell.row}, column ${cell.column} of the head of stride ${stride}: its corner is at ` +
        `(${number(cell.column * cellWidth)}, ${number(cell.row * cellHeight)}) of the input. The ` +
        `proposal starts from ${anchors[cell.anchor].join(" × ")}.`,
    ],
    ...(raw === null ? [] : [[
      "Decoding", "The network gives 16 numbers t for this cell and anchor; σ(t) is 1 / (1 + e⁻ᵗ).",
      decodingTable(decodingRows(raw, cell)),
    ]]),
    ["Box", `${rectangle(box)} in the input is ${rectangle(shown)} in the picture.`],
    [
      "Score",
      `${scoring} is ${fixed(score, 4)}, ${relation} the threshold of ${fixed(state.score, 3)}.`,
    ],
  ];
  const by = detection.result.suppressor[index];
  if (fateOf(index) === "below") steps.push(["End", "It was dropped there."]);
  else if (by < 0) {
    const place = detection.result.kept.indexOf(index) + 1;
    steps.push([
      "Suppression",
      `Kept as face ${place}: none of the ${place - 1} kept before overlaps it too much. It suppressed ` +
        `${counting(suppressedBy(index).length, "other")}.`,
    ]);
  } else {
    steps.push([
      "Suppression",
      `Suppressed by number ${by}, of score ${fixed(detection.candidates[by].score, 3)}:`,
      overlapFigure(index, by),
    ]);
  }
  return steps.map(([name, text, ...more]) =>
    element("li", {}, element("b", {}, name), " ", text, ...more)
  );
}

function showFate() {
  const index = state.candidate ?? detection.result.kept[state.face] ?? null;
  byId("fate").hidden = index === null;
  if (index === null) return;
  byId("fate-title").textContent = `Candidate ${index}, step by step`;
  byId("fate-steps").replaceChildren(...fateSteps(index));
}
