// SPDX-License-Identifier: Apache-2.0
"use strict";

// Words that follow from what the network's heads are, whatever its family.

/// Whether a head's proposals start from boxes of fixed sizes, and not from the cell.
const hasAnchors = ({ stride, anchors }) =>
  anchors.some(([width]) => width !== anchors[0][0]) || (anchors.length === 1 && anchors[0][0] !== stride);

/// What tells one of a cell's proposals from the others.
function anchorText(head, anchor) {
  if (hasAnchors(head)) return head.anchors[anchor].join(" × ");
  return head.anchors.length > 1 ? `proposal ${anchor + 1}` : "the cell";
}

/// The head's formulas of a box, for any cell and anchor.
const boxFormulas = ({ decoding }) => decoding
  .filter(([name, formula]) => /^(left|top|right|bottom|centre .|width|height)$/.test(name) && formula)
  .map(([name, formula]) =>
    `${name} = ${formula.replace(/(^|[( ])0(?=[ )])/, "$1cell").replace(/² · [\d.]+$/, `² · the anchor’s ${name}`)}`);

/// The head of the best candidate.
const bestHead = () => report.heads[detection.candidates[detection.order[0]]?.cell.head ?? 0];

const OWN_WORDS = {
  scoring: () => [...new Set(report.heads.map(({ scoring }) => scoring))].join(", or "),
  formulas: () => boxFormulas(bestHead()).join("; "),
  stride: () => `${bestHead().stride}`,
};

/// Leaves what is true of the heads: what names no pattern in `data-of`, or one that a formula of theirs matches.
function keepOwnWords(host) {
  const facts = report.heads.flatMap((head) => [
    hasAnchors(head) ? "anchors" : "no anchors", `score = ${head.scoring}`,
    ...head.decoding.map(([name, formula]) => `${name} = ${formula}`),
  ]);
  for (const node of host.querySelectorAll("[data-of]")) {
    if (!facts.some((fact) => new RegExp(node.dataset.of).test(fact))) node.remove();
  }
  for (const node of host.querySelectorAll("[data-own]")) node.textContent = OWN_WORDS[node.dataset.own]();
}
