"use strict";

// Why was this missed? The best candidate at a point and the step at which it was lost.

/// The candidate with the best score for a face at this point: the point is in the middle half of
/// its box or, if there is none, at least in its box.
function bestCandidateAt({ x, y }) {
  const isWithin = (box, share) =>
    Math.abs(x - box.x - box.width / 2) <= (box.width * share) / 2 &&
    Math.abs(y - box.y - box.height / 2) <= (box.height * share) / 2;
  for (const share of [0.5, 1]) {
    const found = detection.order.find((index) => isWithin(detection.shown[index].box, share));
    if (found !== undefined) return found;
  }
  return null;
}

/// For each head, the anchor with the best score in the cell under a point; empty for a point outside the input.
function cellsAt(point) {
  const { x, y } = pointInInput(point);
  return report.heads.flatMap((head, number) => {
    const row = Math.floor(y / head.cellHeight);
    const column = Math.floor(x / head.cellWidth);
    if (row < 0 || column < 0 || row >= head.rows || column >= head.columns) return [];
    const scores = head.anchors.map((_, anchor) => cellScore(number, anchor, row, column, "score"));
    const anchor = scores.indexOf(Math.max(...scores));
    return [{ head: number, anchor, row, column, score: scores[anchor] }];
  });
}

/// What became of the best candidate at a point, in words.
function explainPoint(point) {
  const index = bestCandidateAt(point);
  if (index === null) {
    return {
      index, step: "no candidate",
      text:
        `No candidate: no box with a score of ${fixed(report.candidates.lowestScore, 3)} or ` +
        "more covers this point. The network itself saw no face here; with a larger input " +
        "(--long-side) it finds smaller faces.",
    };
  }
  const { score, cell } = detection.candidates[index];
  const { stride } = report.heads[cell.head];
  const origin =
    `The best candidate here is number ${index}, from the head of stride ${stride}, ` +
    `${anchorText(report.heads[cell.head], cell.anchor)}, row ${cell.row}, column ${cell.column}, with a score of ` +
    `${fixed(score, 3)}. `;
  const by = detection.result.suppressor[index];
  switch (fateOf(index)) {
    case "below":
      return {
        index, step: "score threshold",
        text:
          origin + `It was lost at the score threshold of ${fixed(state.score, 3)}: it would take ` +
          `one of ${fixed(Math.floor(score * 1000) / 1000, 3)} or less to admit it.`,
      };
    case "suppressed":
      return {
        index, step: "suppression",
        text:
          origin + `It was lost in non-maximum suppression: its IoU with number ${by}, of score ` +
          `${fixed(detection.candidates[by].score, 3)}, is ` +
          `${fixed(overlapOf(index, by).iou, 3)}, more than the IoU threshold of ` +
          `${fixed(state.overlap, 3)}.`,
      };
    default: {
      const number = detection.result.kept.indexOf(index) + 1;
      const count = suppressedBy(index).length;
      return {
        index, step: "kept",
        text: origin + `Not missed: it is face ${number}, and it suppressed ${count} others.`,
      };
    }
  }
}

function ask(point) {
  change({ point, candidate: bestCandidateAt(point) });
}

const question = [...byId("answer").childNodes];

function showAnswer() {
  const answer = byId("answer");
  if (state.point === null && state.candidate === null) {
    if (answer.dataset.step !== undefined) answer.replaceChildren(...question);
    delete answer.dataset.step;
    return;
  }
  const point = state.point ?? centerOf(detection.shown[state.candidate].box);
  const { step, text } =
    state.candidate === null || state.candidate === bestCandidateAt(point)
      ? explainPoint(point)
      : explainCandidate(state.candidate);
  answer.dataset.step = step;
  const cells = cellsAt(point).map(({ head, anchor, row, column, score }) => {
    const { stride } = report.heads[head];
    return element(
      "li", {},
      `stride ${stride}: row ${row}, column ${column}, best box ${anchorText(report.heads[head], anchor)}, ` +
        `score ${score < 0.001 ? shortNumber(score, 2) : fixed(score, 3)}`
    );
  });
  answer.replaceChildren(
    element("p", {}, element("b", { class: "step" }, step), " ", text),
    element("p", {}, `The cells under (${fixed(point.x)}, ${fixed(point.y)}):`),
    element("ul", {}, ...cells)
  );
}

/// What became of a candidate chosen from the list.
function explainCandidate(index) {
  const by = detection.result.suppressor[index];
  if (by < 0) return { step: fateOf(index), text: `Candidate ${index}.` };
  const { iou } = overlapOf(index, by);
  return {
    step: "suppression",
    text: `Candidate ${index} was suppressed by number ${by}: their IoU is ${fixed(iou, 3)}.`,
  };
}
