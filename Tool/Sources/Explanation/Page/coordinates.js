// SPDX-License-Identifier: Apache-2.0
"use strict";

// How the engine sees a picture in another space, step by step: orientation, mirror, placement, coordinate
// system, in this order; see ViewSpace.swift. Each is an affine transform
//
//     x′ = xx · x + xy · y + x0
//     y′ = yx · x + yy · y + y0

/// In the order of Exif's numbers, from 1 on.
const ORIENTATIONS = [
  "up", "upMirrored", "down", "downMirrored", "leftMirrored", "right", "rightMirrored", "left",
];

/// A view of the picture: the transform to its numbers, the one to pixels of what is seen from the top left,
/// the canvas, and the steps in words.
///
/// `names` are those of the choice's orientation, placement and coordinate system.
function viewSpace(choice, names) {
  const { orientation, isMirrored, placement, view, system } = choice;
  const whole = engine.viewSpace(report.picture, choice);
  const turned = engine.viewSpace(report.picture, { orientation });
  const upright = turned.canvas;
  const step = (name, { transform, canvas }, formula = affineText(transform)) =>
    [name, formula, sizeText(canvas)];
  const steps = [step("orientation " + names.orientation, turned)];
  if (isMirrored) steps.push(step("mirror", engine.viewSpace(upright, { isMirrored })));
  if (placement > 0) {
    const placed = engine.viewSpace(upright, { placement, view });
    steps.push(step(names.placement, placed, gravityText(names.placement, upright, placed)));
  }
  steps.push(step(names.system, engine.viewSpace(whole.canvas, { system })));
  return { ...whole, steps, seen: engine.viewSpace(report.picture, { ...choice, system: 0 }).transform };
}

const sizeText = ({ width, height }) => `${width} × ${height}`;

function gravityText(name, picture, { canvas, transform: { xx, yy, x0, y0 } }) {
  const ratios = `${canvas.width} / ${picture.width}, ${canvas.height} / ${picture.height}`;
  const scale =
    name === "resize"
      ? `scales ${ratios} = ${fixed(xx, 4)}, ${fixed(yy, 4)}`
      : `scale = ${name === "aspectFit" ? "min" : "max"}(${ratios}) = ${fixed(xx, 4)}`;
  return `${scale}; offset = (view − scale · picture) / 2 = (${fixed(x0)}, ${fixed(y0)})`;
}

function affineText({ xx, xy, x0, yx, yy, y0 }) {
  return `x′ = ${sumOfTerms(xx, xy, x0)}, y′ = ${sumOfTerms(yx, yy, y0)}`;
}

/// A sum of multiples of x and y and a constant.
function sumOfTerms(a, b, constant) {
  const term = (factor, name) => {
    if (factor === 0) return [];
    const sign = factor < 0 ? "−" : "";
    const size = Math.abs(factor);
    if (size === 1) return [sign + name];
    const divisor = Math.round(1 / size);
    const isFraction = size < 1 && Math.abs(size * divisor - 1) < 1e-9;
    return isFraction ? [`${sign}${name} / ${divisor}`] : [`${shortNumber(factor)} · ${name}`];
  };
  const terms = [...term(a, "x"), ...term(b, "y")];
  if (constant !== 0) {
    if (terms[0]?.startsWith("−")) terms.unshift(shortNumber(constant));
    else terms.push(shortNumber(constant));
  }
  return terms.join(" + ").replaceAll("+ −", "− ") || "0";
}
