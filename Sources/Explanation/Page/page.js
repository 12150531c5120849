"use strict";

// Puts the sections together.

function drawAll() {
  drawPicture();
  drawLetterbox();
  drawHeat();
  drawCandidates();
  drawCoordinates();
}

function introduce() {
  document.title = `${report.title} explained`;
  byId("title").textContent = report.title;
  const { inputWidth, inputHeight } = report.letterbox;
  byId("subtitle").textContent =
    `${picture.width} × ${picture.height} pixels, seen by ${report.model} at ${inputWidth} × ` +
    `${inputHeight}; times of one thread with ${report.instructionSet}.`;
  const { total, lowestScore } = report.candidates;
  const held = detection.candidates.length;
  byId("candidate-note").textContent =
    held < total
      ? `The network proposed ${total} boxes with some score; the best ${held} are here, down to ` +
        `${fixed(lowestScore, 3)}.`
      : `The network proposed ${total} boxes with a score of ${fixed(lowestScore, 3)} or more.`;
}

introduce();
detectAgain();
connectPicture();
connectCandidates();
connectHeat();
connectCoordinates();
connectGraph();
showComparison();

watch(["score", "overlap", "face"], drawPicture);
watch(["score", "overlap", "face"], listFaces);
watch(["score", "overlap", "face"], drawLetterbox);
watch(["score", "overlap", "face"], drawCoordinates);
watch(["score", "overlap"], countCandidates);
watch(["score", "overlap", "candidate"], listCandidates);
watch(["score", "overlap", "candidate", "point"], drawCandidates);
watch(["score", "overlap", "candidate", "point"], showAnswer);
watch(["layer"], showLayer);
change({ ...state });
watch(["face"], showCellOfFace);

imageOf(report.picture.png).then((image) => {
  photo = image;
  drawAll();
});
let lastWidth = window.innerWidth;
window.addEventListener("resize", () => {
  // Phones report a new height whenever their bars come and go.
  if (window.innerWidth === lastWidth) return;
  lastWidth = window.innerWidth;
  drawAll();
});
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
