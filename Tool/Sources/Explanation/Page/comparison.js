// SPDX-License-Identifier: Apache-2.0
"use strict";

// The network beside another, such as the one that an int8 network was made from; see
// ComparisonReport.swift. The whole section is hidden where the tool compared none.

const percent = (part, whole) => (whole > 0 ? fixed((100 * part) / whole, 2) + " %" : "—");

function blobRow({ name, kind, shape, range, largest, mean, step }) {
  const texts = [
    kind, shapeText(shape), range.toPrecision(3), percent(largest, range), percent(mean, range),
    step === undefined ? "" : fixed(largest / step, 1), step === undefined ? "" : fixed(mean / step, 2),
  ];
  return element(
    "tr", {}, element("td", {}, name), ...texts.map((text) => element("td", {}, text)));
}

function comparedFaceRow({ box, score, otherScore, overlap }) {
  const { precision, otherPrecision, model } = report.comparison;
  const [own, other] =
    precision === otherPrecision ? [report.model, model] : [precision, otherPrecision];
  const found =
    otherScore === undefined ? `only ${own}` : score === undefined ? `only ${other}` : "both";
  const [x, y, width, height] = box.map((number) => fixed(number));
  const texts = [
    `${x}, ${y}`, `${width} × ${height}`, score === undefined ? "—" : fixed(score, 3),
    otherScore === undefined ? "—" : fixed(otherScore, 3),
    overlap === undefined ? "—" : fixed(score - otherScore, 3),
    overlap === undefined ? "—" : fixed(overlap, 3),
  ];
  return element(
    "tr", {}, element("td", {}, found), ...texts.map((text) => element("td", {}, text)));
}

function showComparison() {
  const { comparison } = report;
  if (comparison === undefined) return;
  const { model, precision, otherPrecision, blobs, faces } = comparison;
  byId("comparison").hidden = false;
  byId("comparison-link").hidden = false;
  byId("comparison-summary").textContent =
    `${report.model} (${precision}) beside ${model} (${otherPrecision}).`;
  const both = faces.filter(({ overlap }) => overlap !== undefined).length;
  byId("comparison-face-count").textContent =
    `${both} of ${faces.length} ${faces.length === 1 ? "face" : "faces"} found by both`;
  byId("compared-faces").replaceChildren(...faces.map(comparedFaceRow));
  byId("compared-blobs").replaceChildren(...blobs.map(blobRow));
}
