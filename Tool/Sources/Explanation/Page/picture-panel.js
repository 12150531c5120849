"use strict";

// The first two sections: the faces found, and how the picture becomes the network's input.

const MAXIMUM_FACES = 200; // more rows would make the sliders slow

function drawPicture() {
  const { context, unit } = prepareView(byId("picture-canvas"));
  drawPhoto(context);
  drawFaces(context, unit, state.face);
  for (const box of missedTruth()) drawBox(context, box, "#ff5ce1", lineWidth(box, 2, unit), [4 * unit, 3 * unit]);
  if (state.point !== null) drawChosen(context, unit);
}

function listFaces() {
  const { kept } = detection.result;
  const listed = kept.slice(0, MAXIMUM_FACES);
  const count = kept.length === 1 ? "1 face" : `${kept.length} faces`;
  byId("face-count").textContent =
    listed.length < kept.length ? `${count}, of which the best ${listed.length} are listed` : count;
  const rows = listed.map((index, number) => faceRow(detection.shown[index], number));
  refill(byId("faces"), rows);
  const face = detection.shown[kept[state.face]];
  byId("landmarks-title").textContent = face ? "Landmarks of the chosen face" : "The closest candidate";
  const points = (face?.landmarks ?? []).map((point, index) => landmarkItem(point, index));
  const none = face ? "The model finds no landmarks." : noFaceText();
  byId("landmarks").replaceChildren(...(points.length > 0 ? points : [element("li", {}, none)]));
}

/// How close the best candidate comes, where candidates are known.
function noFaceText() {
  const best = detection.candidates?.[detection.order[0]];
  if (!best) {
    const least = fixed(report.candidates?.lowestScore ?? 0, 3);
    return report.candidates
      ? `No face at these thresholds, and no candidate with a score of ${least} or more.`
      : "No face at these thresholds.";
  }
  const { x, y } = centerOf(boxInPicture(best.box));
  return (
    `No face at these thresholds. The closest candidate, around (${fixed(x)}, ${fixed(y)}), scores ` +
    `${fixed(best.score, 3)}: a threshold of ${fixed(Math.floor(best.score * 1000) / 1000, 3)} would show it.`
  );
}

function chooseFace(number) {
  change({ face: number, candidate: null, point: null });
}

/// Chooses the smallest face around a point of the picture; where there is none, asks why.
function chooseFaceAt({ x, y }) {
  const around = detection.result.kept
    .map((index, number) => ({ number, box: detection.shown[index].box }))
    .filter(({ box }) => holds(box, { x, y }))
    .sort((a, b) => a.box.width * a.box.height - b.box.width * b.box.height);
  if (around.length > 0) chooseFace(around[0].number);
  else ask({ x, y });
}

function connectPicture() {
  const canvas = byId("picture-canvas");
  canvas.addEventListener("click", (event) => chooseFaceAt(pointAt(event, canvas)));
  connectAsking(canvas);
  byId("letterbox-canvas").addEventListener("click", tellInput);
}

/// The three numbers of the input's pixel under the pointer, in a page without the network those of its picture here.
function tellInput(event) {
  const canvas = byId("letterbox-canvas");
  const { inputWidth: width, inputHeight: height } = report.letterbox;
  const { x, y } = positionOf(event, canvas, { width, height });
  const [row, column] = [Math.min(height - 1, Math.floor(y)), Math.min(width - 1, Math.floor(x))];
  const [red, green, blue] = live.input?.rgba.subarray(4 * (row * width + column)) ??
    canvas.getContext("2d").getImageData((x / width) * canvas.width, (y / height) * canvas.height, 1, 1).data;
  byId("letterbox-value").textContent = `Row ${row}, column ${column}: red ${red}, green ${green}, blue ${blue}.`;
}

function faceRow(face, number) {
  const { x, y, width, height } = face.box;
  const button = element("button", { type: "button" }, String(number + 1));
  button.addEventListener("click", () => chooseFace(number));
  const row = element(
    "tr",
    { "data-score": face.score, "data-box": [x, y, width, height].join(" ") },
    element("td", {}, button),
    element("td", {}, fixed(face.score, 3)),
    element("td", {}, `${fixed(x)}, ${fixed(y)}`),
    element("td", {}, `${fixed(width)} × ${fixed(height)}`)
  );
  if (number === state.face) row.setAttribute("aria-current", "true");
  return row;
}

function landmarkItem(point, index) {
  const dot = element("span", { class: "dot" });
  dot.style.background = LANDMARK_COLORS[index];
  return element(
    "li", {}, dot, element("b", {}, report.landmarkNames[index]),
    ` ${fixed(point.x)}, ${fixed(point.y)}`
  );
}

function drawLetterbox() {
  const {
    scale, scaledWidth, scaledHeight, inputWidth, inputHeight, padLeft, padTop, fill, granularity, fixedWidth, isStretched,
  } = report.letterbox;
  const isFixed = fixedWidth > 0;
  const horizontal = fixed(report.letterbox.horizontalScale, 5);
  const vertical = fixed(report.letterbox.verticalScale, 5);
  const size = { width: inputWidth, height: inputHeight };
  const { context, unit } = prepare(byId("letterbox-canvas"), size, 0.6);
  context.fillStyle = `rgb(${fill} ${fill} ${fill})`;
  context.fillRect(0, 0, inputWidth, inputHeight);
  if (live.input !== null) drawInput(context);
  else if (photo !== null) context.drawImage(photo, padLeft, padTop, scaledWidth, scaledHeight);
  drawBox(
    context, { x: padLeft, y: padTop, width: scaledWidth, height: scaledHeight }, color("accent"),
    2 * unit, [6 * unit, 4 * unit]
  );
  const face = detection.candidates[detection.result.kept[state.face]];
  if (face) drawBox(context, face.box, "#40e060", 2 * unit);

  const right = inputWidth - scaledWidth - padLeft;
  const bottom = inputHeight - scaledHeight - padTop;
  const facts = [
    ["picture", `${picture.width} × ${picture.height}`],
    [
      "scale",
      isStretched
        ? `${horizontal} in rows, ${vertical} in columns`
        : `min(${inputWidth} / ${picture.width}, …) = ${fixed(scale, 5)}`,
    ],
    ["content", `${scaledWidth} × ${scaledHeight}`],
    ["padding", `left ${padLeft}, top ${padTop}, right ${right}, bottom ${bottom}, grey ${fill}`],
    ["input", `${inputWidth} × ${inputHeight}${isFixed ? "" : `, multiples of ${granularity}`}`],
    ["to the input", `x′ = x · ${horizontal} + ${padLeft}, y′ = y · ${vertical} + ${padTop}`],
    ["back", `x = (x′ − ${padLeft}) / ${horizontal}, y = (y′ − ${padTop}) / ${vertical}`],
  ];
  if (face) {
    const shown = detection.shown[detection.result.kept[state.face]];
    const corner = (box) => `(${fixed(box.x)}, ${fixed(box.y)})`;
    facts.push(["the chosen face", `${corner(face.box)} in the input is ${corner(shown.box)} here`]);
  }
  byId("letterbox-text").textContent =
    (isFixed
      ? `The network takes inputs of ${inputWidth} × ${inputHeight} only: `
      : `The network halves its input several times, so the input’s sides are multiples of ${granularity}: `) +
    (isStretched
      ? "the picture is stretched to that size."
      : "the picture is scaled by one factor and padded evenly with grey.");
  byId("letterbox-facts").replaceChildren(...facts.flatMap(([name, text]) => fact(name, text)));
}

/// Draws what the network sees, pixel by pixel.
function drawInput(context) {
  const { rgba, width, height } = live.input;
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
  context.drawImage(canvas, 0, 0);
}

function fact(name, text) {
  return [element("dt", {}, name), element("dd", {}, text)];
}
