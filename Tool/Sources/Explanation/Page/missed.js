// SPDX-License-Identifier: Apache-2.0
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

const boxText = ({ width, height }) => `${fixed(width)} × ${fixed(height)}`;

/// How large the true face at a point is in the input, or else a candidate's box, and how large the smallest box is from
/// which a proposal starts.
function inputSizeText(point, index) {
  const face = truth().find((box) => holds(box, point));
  const box = face ? engine.mapToInput([{ box: face }], report.letterbox)[0].box : detection.candidates[index]?.box;
  const [width, height] = report.heads.flatMap(({ anchors }) => anchors)
    .reduce((least, anchor) => (anchor[0] * anchor[1] < least[0] * least[1] ? anchor : least));
  const start = report.heads.some(hasAnchors) ? "anchor" : "cell";
  const shown = boxInPicture({ x: 0, y: 0, width, height });
  return (
    (box ? `${face ? "The face" : "Its box"} is ${boxText(box)} pixels in the input. ` : "") +
    `The smallest ${start} is ${width} × ${height}, here ${boxText(shown)} pixels of the picture. `
  );
}

/// The faces that the tool was told are in the report's own picture, and of these the ones that no kept box overlaps by half.
const truth = () => (live.file ? [] : report.truth);

function missedTruth() {
  const kept = detection.result.kept.map((index) => detection.shown[index]);
  const overlaps = engine.overlaps(truth().map((box) => ({ box })), kept);
  return truth().filter((_, index) => overlaps[index].iou < 0.5);
}

function listMissed() {
  const missed = missedTruth();
  byId("truth").hidden = truth().length === 0;
  byId("truth").replaceChildren(
    `${missed.length} of ${counting(truth().length, "true face")} missed${missed.length > 0 ? ", by their size in the picture:" : "."}`,
    ...missed.sort((a, b) => b.width * b.height - a.width * a.height).slice(0, MAXIMUM_FACES).flatMap((box) => {
      const button = element("button", { type: "button" }, boxText(box));
      button.addEventListener("click", () => ask(centerOf(box)));
      return [" ", button];
    }));
}

/// What became of a candidate, by default the best at a point, in words.
function explainPoint(point, index = bestCandidateAt(point)) {
  if (index === null) {
    return {
      step: "no candidate",
      text:
        `No candidate: no box with a score of ${fixed(report.candidates.lowestScore, 3)} or ` +
        "more covers this point. The network itself saw no face here; with a larger input " +
        "(--long-side) it finds smaller faces. " + inputSizeText(point, index),
    };
  }
  const { score, cell } = detection.candidates[index];
  const { stride } = report.heads[cell.head];
  const origin =
    `${index === bestCandidateAt(point) ? "The best candidate here is" : "This is"} number ${index}, from the head of stride ${stride}, ` +
    `${anchorText(report.heads[cell.head], cell.anchor)}, row ${cell.row}, column ${cell.column}, with a score of ` +
    `${fixed(score, 3)}. ${inputSizeText(point, index)}`;
  const by = detection.result.suppressor[index];
  switch (fateOf(index)) {
    case "below":
      return {
        step: "score threshold",
        text:
          origin + `It was lost at the score threshold of ${fixed(state.score, 3)}: it would take ` +
          `one of ${fixed(Math.floor(score * 1000) / 1000, 3)} or less to admit it (--score-threshold), and with it others that are no faces.`,
      };
    case "suppressed":
      return {
        step: "suppression",
        text:
          origin + `It was lost in non-maximum suppression: its IoU with number ${by}, of score ` +
          `${fixed(detection.candidates[by].score, 3)}, is ` +
          `${fixed(overlapOf(index, by).iou, 3)}, more than the IoU threshold of ` +
          `${fixed(state.overlap, 3)}. ` +
          (holds(detection.shown[by].box, point)
            ? `Number ${by} covers this point, too: mostly it is the same face. If it is another one, a higher IoU threshold (--iou-threshold) keeps both.`
            : `Number ${by} does not reach this point: if another face is here, a higher IoU threshold (--iou-threshold) keeps both.`),
      };
    default: {
      const number = detection.result.kept.indexOf(index) + 1;
      const count = suppressedBy(index).length;
      return {
        step: "kept",
        text: origin + `Not missed: it is face ${number}, and it suppressed ${count} others.`,
      };
    }
  }
}

/// What the picture shows besides its faces: those that are missed, and the chosen candidate.
overPicture.draw = (context, unit) => {
  for (const box of missedTruth()) drawBox(context, box, "#ff5ce1", lineWidth(box, 2, unit), [4 * unit, 3 * unit]);
  if (state.point !== null) drawChosen(context, unit);
};
overPicture.ask = (point) => report.heads.length > 0 && ask(point);

function ask(point) {
  change({ point, candidate: bestCandidateAt(point) });
}

/// The arrow keys move the point that is asked about.
function connectAsking(canvas) {
  canvas.addEventListener("keydown", (event) => {
    const step = Math.max(picture.width, picture.height) / 100;
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const { x, y } = state.point ?? { x: picture.width / 2, y: picture.height / 2 };
    ask({
      x: Math.max(0, Math.min(picture.width, x + step * move[0])),
      y: Math.max(0, Math.min(picture.height, y + step * move[1])),
    });
  });
}

/// The panels beside the pictures that show the answer, each with what it says before.
const answers = [...document.querySelectorAll(".missed")].map((panel) => ({ panel, question: [...panel.childNodes] }));

function showAnswer() {
  const isAsked = state.point !== null || state.candidate !== null;
  for (const { panel, question } of answers) {
    const step = isAsked ? answer(panel, state.point ?? centerOf(detection.shown[state.candidate].box)) : "";
    if (!isAsked && panel.dataset.step) panel.replaceChildren(...question);
    panel.dataset.step = step;
  }
}

/// Shows what became of the candidate that was asked about, and returns the step at which that was decided.
function answer(panel, point) {
  const { step, text } = explainPoint(point, state.candidate);
  const cells = cellsAt(point).map(({ head, anchor, row, column, score }) => {
    const { stride } = report.heads[head];
    return element(
      "li", {},
      `stride ${stride}: row ${row}, column ${column}, best box ${anchorText(report.heads[head], anchor)}, ` +
        `score ${score < 0.001 ? shortNumber(score, 2) : fixed(score, 3)}`
    );
  });
  panel.replaceChildren(
    element("p", {}, element("b", { class: "step" }, step), " ", text),
    ...(/candidate|threshold/.test(step) ? largerInput(point) : []),
    element("p", {}, `The cells under (${fixed(point.x)}, ${fixed(point.y)}), each with its best box, which may lie elsewhere:`),
    element("ul", {}, ...cells)
  );
  return step;
}

/// A button that asks again at a larger input, where the network takes one.
function largerInput(point) {
  const { inputWidth, inputHeight } = report.letterbox;
  const largest = Math.max(...(report.live?.model.longSides ?? []));
  if (live.engine === null || largest <= Math.max(inputWidth, inputHeight)) return [];
  const button = element("button", { type: "button" }, `Try at ${largest}`);
  button.addEventListener("click", async () => {
    button.disabled = true;
    await explainAt(largest);
    await settled();
    ask(point);
  });
  return [element("p", {}, button)];
}
