// SPDX-License-Identifier: Apache-2.0
"use strict";

// How the picture becomes the network's input.

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

const connectLetterbox = () => byId("letterbox-canvas").addEventListener("click", tellInput);
