// SPDX-License-Identifier: Apache-2.0
"use strict";

// A candidate step by step: its cell and anchor, the network's numbers for it, what they decode to, the
// threshold, and the candidate that suppressed it.

/// What each of the network's numbers for a candidate decodes to; none where the page holds no network, or the
/// model's family does not say.
async function decodingOf(cell) {
  return live.engine === null ? [] : live.engine.ask("decoding", cell);
}

function decodingTable(decoding) {
  const rows = decoding.filter(({ name }) => !name.includes(" bin "));
  const heads = ["Number", "t", "Value", "Formula"].map((text) => element("th", { scope: "col" }, text));
  return element(
    "div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The numbers and what they decode to" },
    element(
      "table", { class: "decoding" }, element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map(({ name, formula, raw, value }) =>
        element(
          "tr", {}, element("td", {}, inWords(name)), element("td", {}, fixed(raw, 4)),
          element("td", {}, fixed(value, value >= 0 && value <= 1 ? 4 : 1)), element("td", {}, formula)
        )
      ))
    )
  );
}

/// Two boxes, their intersection, and the numbers of their IoU.
function overlapFigure(index, by) {
  const [a, b] = [detection.candidates[index].box, detection.candidates[by].box];
  const { intersection, union, iou } = overlapOf(index, by);
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
      `Intersection ${fixed(intersection, 0)} px², union ${fixed(union, 0)} px²: IoU ` +
        `${fixed(iou, 3)}, more than the IoU threshold of ${fixed(state.overlap, 3)}.`
    )
  );
}

/// The chosen candidate's steps, as items of a list.
function fateSteps(index, decoding) {
  const { score, box, cell } = detection.candidates[index];
  const head = report.heads[cell.head];
  const { stride, cellWidth, cellHeight, scoring } = head;
  const shown = detection.shown[index].box;
  const relation = fateOf(index) === "below" ? "less than" : "at least";
  const number = (value) => fixed(value);
  const rectangle = ({ x, y, width, height }) =>
    `(${number(x)}, ${number(y)}), ${number(width)} × ${number(height)}`;
  const steps = [
    ...(head.rows * head.columns === 1 ? [] : [[
      hasAnchors(head) ? "Cell and anchor" : "Cell",
      `Row ${cell.row}, column ${cell.column} of the head of stride ${stride}: its corner is at ` +
        `(${number(cell.column * cellWidth)}, ${number(cell.row * cellHeight)}) of the input. The ` +
        (hasAnchors(head) ? `proposal starts from ${anchorText(head, cell.anchor)}.` : `box is ${anchorText(head, cell.anchor)}’s own.`),
    ]]),
    ...(decoding.length === 0 ? [] : [[
      "Decoding",
      `The network gives these numbers t for it${decoding.some(({ formula }) => formula.includes("σ")) ? "; σ(t) is 1 / (1 + e⁻ᵗ)" : ""}.`,
      element("div", { class: "decoded" }, element("div", { class: "curves" }, ...curveFigures(decoding)), decodingTable(decoding)),
    ]]),
    ["Box", `${rectangle(box)} in the input is ${rectangle(shown)} in the picture.`],
    [
      "Score",
      `${scoring} is ${fixed(score, 4)}, ${relation} the score threshold of ${fixed(state.score, 3)}.`,
    ],
  ];
  const by = detection.result.suppressor[index];
  if (by === BELOW) steps.push(["End", "It was dropped there."]);
  else if (by === KEPT) {
    const before = detection.result.kept.indexOf(index);
    steps.push([
      "Suppression",
      `Kept as face ${before + 1}: ` +
        (before === 0
          ? "no candidate has a higher score. "
          : `it overlaps no face with a higher score by an IoU of more than ${fixed(state.overlap, 3)}. `) +
        `It suppressed ${counting(suppressedBy(index).length, "other")}.`,
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

/// The candidate that the reader has chosen, or that of the chosen face; null where there is none.
const chosenCandidate = () => state.candidate ?? detection.result.kept[state.face] ?? null;

const showFate = latest(async (isLatest) => {
  const index = chosenCandidate();
  byId("fate").hidden = index === null;
  if (index === null) return;
  byId("fate-title").textContent = `Candidate ${index}, step by step`;
  const decoding = await decodingOf(detection.candidates[index].cell);
  if (isLatest()) byId("fate-steps").replaceChildren(...fateSteps(index, decoding));
});
