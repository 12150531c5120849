// SPDX-License-Identifier: Apache-2.0
"use strict";

// The tour: steps that show the page's own controls, each at an address of its own, with a ring around what the words
// speak of, and the glossary's words beside the terms. The words are in page.html.

/// What a step sets, so that its words have something to speak of. Where the page cannot, it stays as it is.
const TOUR_CONTROLS = {
  convolution: () => chooseLayerOf((layer) => familyOf(layer.kind) === "convolution"),
  channels: () => chooseLayerOf((layer) => familyOf(layer.kind) === "activation"),
  async cells() {
    chooseLayerOf(({ outputs }) => outputs.some((blob) => report.heads.at(-1).blobs.includes(blobs[blob].name)));
    if (detection.result.kept.length === 0) return;
    chooseFace(0);
    await settled();
    // The reader is asked for the head of the face.
    const { head } = detection.candidates[detection.result.kept[0]].cell;
    byId("heat-head").value = String((head + 1) % report.heads.length);
    chooseHead();
  },
  decoding: () => detection.order.length > 0 && change({ candidate: detection.order[0], point: null }),
  suppression() {
    const index = suppressedBy(detection.result.kept[0]).at(-1);
    if (index !== undefined) change({ candidate: index, point: null });
  },
  coordinates: () => detection.result.kept.length > 0 && chooseFace(0),
};

function chooseLayerOf(isWanted) {
  const index = linear.order.find((index) => isWanted(layers[index]));
  if (index !== undefined) change({ layer: index });
}

const tourSteps = [...byId("tour-steps").content.children];
const tourQuestions = [...byId("tour-questions").content.children];

/// The step that the address names, from 1 on; 0 where it names none.
function tourStep() {
  const number = Number(/^#tour-(\d+)$/.exec(location.hash)?.[1] ?? 0);
  return number <= tourSteps.length ? number : 0;
}

async function showTour() {
  const number = tourStep();
  byId("tour").hidden = number === 0;
  byId("term-note").hidden = true;
  spoken()?.classList.remove("spoken");
  drawAtAnotherWidth();
  if (number === 0) return;
  const step = tourSteps[number - 1];
  setThresholds(report.scoreThreshold, report.overlapThreshold);
  const isSet = TOUR_CONTROLS[step.dataset.step]?.();
  byId("tour-place").textContent = `Step ${number} of ${tourSteps.length}`;
  byId("tour-title").textContent = step.title;
  byId("tour-text").replaceChildren(wordsOf(step));
  byId("tour-text").scrollTop = 0;
  byId("tour-back").disabled = number === 1;
  byId("tour-next").textContent = number === tourSteps.length ? "End" : "Next";
  byId("tour-title").focus({ preventScroll: true });
  find(ring(placeOfStep()));
  // What is computed meanwhile may take more room above the place.
  await isSet;
  await settled();
  if (number === tourStep()) find(ring(placeOfStep()));
}

const questionOf = (step) => tourQuestions.find(({ dataset }) => dataset.step === step.dataset.step);

/// A step's first paragraph, the question, and below it the others, which are folded until the reader has tried.
function wordsOf(step) {
  const own = step.cloneNode(true);
  keepOwnWords(own);
  const [first, ...others] = own.children;
  const question = element(
    "div", { class: "question" }, element("b", {}, "What do you expect? "), ...questionOf(step).cloneNode(true).childNodes);
  const answer = element("details", {}, element("summary", {}, "Show the answer"), ...others);
  const words = element("div", {}, first, question, answer);
  for (const node of words.querySelectorAll("[data-number]")) node.textContent = TOUR_NUMBERS[node.dataset.number]();
  for (const term of words.querySelectorAll("a.term")) term.setAttribute("aria-describedby", "term-note");
  if (step.dataset.live !== undefined && !report.live) {
    question.replaceChildren("This page does not hold the network, and so cannot show this step.");
  }
  return words;
}

const spoken = () => document.querySelector(".spoken");

/// What the step's words speak of.
function placeOfStep() {
  const step = tourSteps[tourStep() - 1];
  const place = document.querySelector(questionOf(step).dataset.ring);
  return place?.checkVisibility() ? place : byId(step.dataset.place);
}

/// Puts the ring around an element, or the section of one that is not there, and returns what has it.
function ring(place) {
  spoken()?.classList.remove("spoken");
  const shown = place.checkVisibility() ? place.closest(".scroll") ?? place : place.closest("section");
  shown.classList.add("spoken");
  return shown;
}

/// Shows an element whole, or from its beginning.
function find(shown) {
  const isWhole = shown.getBoundingClientRect().height + 32 < freeHeight();
  shown.scrollIntoView({ block: isWhole ? "center" : "start" });
}

/// Numbers of this picture and this network in the words of the tour.
const TOUR_NUMBERS = {
  proposals: () => `${proposalText()} = ${proposalCount().toLocaleString("en")}`,
  input: () => `${report.letterbox.inputWidth} × ${report.letterbox.inputHeight}`,
  output() {
    const { blobs: [name], rows, columns, anchors } = report.heads.at(-1);
    const { numbers } = planesOf(blobs.find((blob) => blob.name === name));
    if (numbers === undefined) return `${name} of this network has maps of ${rows} × ${columns} cells already`;
    return (
      `${name} of this network has ${anchors.length} tables, one for each anchor. Each has ${rows * columns} rows, one for ` +
      `each cell, and ${numbers} columns, one for each number t. Cut a column after every ${columns} numbers and lay the ` +
      `pieces below each other, and it is a map of ${rows} × ${columns} again: row r is the ` +
      `cell in row r / ${columns}, rounded down, and column r mod ${columns}`
    );
  },
  face() {
    const best = detection.candidates[detection.order[0]];
    return best ? `${fixed(best.box.width, 0)} × ${fixed(best.box.height, 0)}` : "0 × 0";
  },
  anchors: () => report.heads
    .map(({ stride, anchors }) => `${anchors.map((anchor) => anchor.join(" × ")).join(", ")} at stride ${stride}`)
    .join("; "),
  channels() {
    const first = layers[linear.order.find((index) => familyOf(layers[index].kind) === "convolution")];
    if (first === undefined) return "";
    const counts = [first.inputs, first.outputs].map(([blob]) => blobs[blob].shape[0]);
    return `Here the first layer reads ${counts[0]} and makes ${counts[1]}.`;
  },
};

/// Leaves the page where it is.
function leaveTour() {
  history.replaceState(null, "", location.href.split("#")[0]);
  showTour();
}

function connectTour() {
  byId("tour-back").addEventListener("click", () => (location.hash = `tour-${tourStep() - 1}`));
  byId("tour-next").addEventListener("click", () => {
    if (tourStep() === tourSteps.length) leaveTour();
    else location.hash = `tour-${tourStep() + 1}`;
  });
  byId("tour-find").addEventListener("click", () => {
    if (spoken().tabIndex < 0) spoken().tabIndex = -1;
    spoken().focus({ preventScroll: true });
    find(spoken());
  });
  byId("tour-leave").addEventListener("click", leaveTour);
  byId("tour").addEventListener("keydown", (event) => event.key === "Escape" && leaveTour());
  for (const name of ["click", "input", "keydown"]) document.addEventListener(name, answerStep, true);
  document.addEventListener("click", keepStep);
  window.addEventListener("hashchange", showTour);
  connectTerms();
  showTour();
}

/// Unfolds the answer when the reader does something where the step is, and keeps the ring where it is in the window.
async function answerStep({ target, key }) {
  const isTried = key !== "Tab" && target.closest("canvas, svg, button, input, select, summary, [tabindex]");
  if (!isTried || !spoken()?.closest("section").contains(target)) return;
  byId("tour-text").querySelector("details").open = true;
  const { top } = spoken().getBoundingClientRect();
  await nextTask();
  await settled();
  // What had the ring may have been drawn anew.
  if (tourStep() > 0) window.scrollBy(0, (spoken() ?? ring(placeOfStep())).getBoundingClientRect().top - top);
}

/// A link within the page moves the ring and keeps the step's address.
function keepStep(event) {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || tourStep() === 0 || /^#tour-/.test(link.hash)) return;
  event.preventDefault();
  if (!link.matches(".term")) find(ring(byId(link.hash.slice(1))));
}

/// Shows what a term means beside it while it has the pointer or the focus.
function connectTerms() {
  const note = byId("term-note");
  const show = ({ target }) => {
    const term = target.closest?.("a.term");
    note.hidden = !term;
    if (!term) return;
    note.textContent = byId(term.hash.slice(1)).nextElementSibling.textContent;
    const { left, top, bottom } = term.getBoundingClientRect();
    note.style.left = `${Math.max(8, Math.min(left, document.documentElement.clientWidth - note.offsetWidth - 8))}px`;
    const isAbove = bottom + note.offsetHeight + 8 > window.innerHeight;
    note.style.top = `${isAbove ? top - note.offsetHeight - 4 : bottom + 4}px`;
  };
  for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, show);
  document.addEventListener("focusout", () => (note.hidden = true));
  document.addEventListener("keydown", (event) => event.key === "Escape" && (note.hidden = true));
}
