// SPDX-License-Identifier: Apache-2.0
"use strict";

// Puts the sections together.

/// What only networks with heads have.
const ofHeads = (draw) => () => report.heads.length > 0 && draw();

const drawAll = () =>
  inPieces([
    drawPicture, drawLetterbox, ofHeads(drawHeat), drawCandidates, drawCoordinates, drawOcclusion, ofHeads(showEvidence),
  ]);

function introduce() {
  const title = live.file?.name ?? (live.file ? "Your picture" : report.title);
  document.title = `${title} explained`;
  byId("title").textContent = title;
  const { inputWidth, inputHeight } = report.letterbox;
  byId("subtitle").textContent =
    `${picture.width} × ${picture.height} pixels, seen by ${report.model} at ${inputWidth} × ` +
    `${inputHeight}` + (live.changes.length > 0 ? "; times are those of the report’s own picture and input." :
    `; times of one thread with ${report.instructionSet}.`);
  if (report.live) {
    byId("live-note").textContent =
      "This page holds the network: it runs it again on your picture and with your changes.";
  }
}

function countProposals() {
  const { total, lowestScore } = report.candidates;
  const held = detection.candidates.length;
  byId("candidate-note").textContent =
    held < total
      ? `The network proposed ${total} boxes with some score; the best ${held} are here, down to ` +
        `${fixed(lowestScore, 3)}.`
      : `The network proposed ${total} boxes with a score of ${fixed(lowestScore, 3)} or more.`;
}

async function showSections() {
  document.body.classList.toggle("headless", report.heads.length === 0);
  await inPieces([
    () => propose(readCandidates()), introduce, detectAgain, connectPicture, connectLetterbox,
    () => connectAsking(byId("picture-canvas")), connectCandidates, connectViews,
    ofHeads(connectHeat), connectCoordinates, connectGraph, connectPixel, connectWeights, showComparison, showParts,
    // To build it and to lay it out each take long.
    () => buildGraph(linear), showWidth,
  ]);

  watch(["score", "overlap", "face", "point", "view"], drawPicture);
  watch(["view", "runs"], () => heat.row !== null && drawHeat());
  watch(["score", "overlap", "face"], listFaces);
  watch(["score", "overlap", "runs"], listMissed);
  watch(["score", "overlap", "face"], drawLetterbox);
  watch(["score", "overlap", "face"], drawCoordinates);
  watch(["score", "overlap"], countCandidates);
  watch(["score", "overlap", "candidate", "face"], listCandidates);
  watch(["score", "overlap", "candidate", "point", "view"], drawCandidates);
  watch(["score", "overlap", "candidate", "point"], showAnswer);
  watch(["score", "overlap", "face", "candidate", "runs"], showFate);
  watch(["layer"], showLayer);
  watch(["layer", "runs"], showWeights);
  watch(["runs"], countProposals);
  watch(["score", "overlap", "runs"], showFunnel);
  watch(["runs"], introduce);
  watch(["runs"], showPartMaps);
  watch(["runs"], ofHeads(listHeads));
  watch(["runs"], ofHeads(() => state.runs > 0 && chooseHead()));
  change({ ...state });
  await settled();
  watch(["face"], showCellOfFace);
}

async function start() {
  try {
    engine = await Engine.start(report.engine);
  } catch (error) {
    byId("title").textContent = report.title;
    byId("live-note").textContent = `This page needs WebAssembly, which does not start here: ${error.message}`;
    return;
  }
  report.letterbox = fitted(report.letterbox);
  await showSections();
  photo = await imageOf(report.picture.png);
  await drawAll();
  connectTour();
  window.addEventListener("resize", drawAtAnotherWidth);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  await startLive();
  await settled();
  if (tourStep() > 0) find(ring(placeOfStep()));
}

let lastWidth = document.body.clientWidth;

function drawAtAnotherWidth() {
  // Phones report a new height whenever their bars come and go.
  const width = document.querySelector("main").clientWidth;
  if (width === lastWidth) return;
  lastWidth = width;
  track(drawAll());
}

const started = start();
