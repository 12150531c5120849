// SPDX-License-Identifier: Apache-2.0
"use strict";

// From all boxes that the network proposes to the faces: four numbers, each with where to see them.

/// Rows × columns of all heads in words: “3 · (80 · 80 + 40 · 40 + 20 · 20)”.
function proposalText() {
  const grids = report.heads.map(({ rows, columns }) => `${columns} · ${rows}`);
  const counts = report.heads.map(({ anchors }) => anchors.length);
  return counts.every((count) => count === counts[0])
    ? `${counts[0]} · (${grids.join(" + ")})`
    : grids.map((grid, head) => `${counts[head]} · ${grid}`).join(" + ");
}

const proposalCount = () =>
  report.heads.reduce((sum, { anchors, rows, columns }) => sum + anchors.length * rows * columns, 0);

function showFunnel() {
  const { total, lowestScore } = report.candidates;
  const { kept, admitted } = detection.result;
  const least = fixed(Math.min(lowestScore, report.live?.lowestScore ?? lowestScore), 3);
  const stages = [
    ["heads", proposalCount(), "boxes proposed", `${proposalText()}: boxes of a cell · cells`],
    ["suppression", total, "with some score", `at least ${least}`],
    ["suppression", admitted, "over the threshold", `score threshold ${fixed(state.score, 3)}`],
    ["picture", kept.length, "kept", `IoU threshold ${fixed(state.overlap, 3)}`],
  ];
  byId("funnel").replaceChildren(...stages.map(([section, count, name, note]) =>
    element(
      "li", {}, element("a", { href: `#${section}` }, element("b", {}, count.toLocaleString("en")), ` ${name}`),
      element("span", { class: "note" }, note)
    )
  ));
}
