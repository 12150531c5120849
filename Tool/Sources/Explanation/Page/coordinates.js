"use strict";

// The arithmetic of ViewSpace.swift: orientation, mirror, placement, coordinate system, in this
// order, each an affine transform
//
//     x′ = xx · x + xy · y + x0
//     y′ = yx · x + yy · y + y0

const ORIENTATIONS = {
  up: { swaps: false, mirrored: false, formula: "x′ = x, y′ = y" },
  upMirrored: { swaps: false, mirrored: true, formula: "x′ = width − x, y′ = y" },
  down: { swaps: false, mirrored: false, formula: "x′ = width − x, y′ = height − y" },
  downMirrored: { swaps: false, mirrored: true, formula: "x′ = x, y′ = height − y" },
  leftMirrored: { swaps: true, mirrored: true, formula: "x′ = y, y′ = x" },
  right: { swaps: true, mirrored: false, formula: "x′ = height − y, y′ = x" },
  rightMirrored: { swaps: true, mirrored: true, formula: "x′ = height − y, y′ = width − x" },
  left: { swaps: true, mirrored: false, formula: "x′ = y, y′ = width − x" },
};

const IDENTITY = { xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0 };

function applied(transform, { x, y }) {
  return {
    x: transform.xx * x + transform.xy * y + transform.x0,
    y: transform.yx * x + transform.yy * y + transform.y0,
  };
}

/// The transform that applies the first, then the next.
function composed(first, next) {
  const origin = applied(next, { x: first.x0, y: first.y0 });
  return {
    xx: next.xx * first.xx + next.xy * first.yx,
    xy: next.xx * first.xy + next.xy * first.yy,
    x0: origin.x,
    yx: next.yx * first.xx + next.yy * first.yx,
    yy: next.yx * first.xy + next.yy * first.yy,
    y0: origin.y,
  };
}

/// From the stored picture's pixels to the upright picture's.
function orientationTransform(orientation, { width, height }) {
  return {
    up: IDENTITY,
    upMirrored: { xx: -1, xy: 0, x0: width, yx: 0, yy: 1, y0: 0 },
    down: { xx: -1, xy: 0, x0: width, yx: 0, yy: -1, y0: height },
    downMirrored: { xx: 1, xy: 0, x0: 0, yx: 0, yy: -1, y0: height },
    leftMirrored: { xx: 0, xy: 1, x0: 0, yx: 1, yy: 0, y0: 0 },
    right: { xx: 0, xy: -1, x0: height, yx: 1, yy: 0, y0: 0 },
    rightMirrored: { xx: 0, xy: -1, x0: height, yx: -1, yy: 0, y0: width },
    left: { xx: 0, xy: 1, x0: 0, yx: -1, yy: 0, y0: width },
  }[orientation];
}

function gravityTransform(gravity, picture, view) {
  const horizontal = view.width / picture.width;
  const vertical = view.height / picture.height;
  const scales = {
    resize: [horizontal, vertical],
    aspectFit: [Math.min(horizontal, vertical), Math.min(horizontal, vertical)],
    aspectFill: [Math.max(horizontal, vertical), Math.max(horizontal, vertical)],
  }[gravity];
  return {
    xx: scales[0], xy: 0, x0: (view.width - picture.width * scales[0]) / 2,
    yx: 0, yy: scales[1], y0: (view.height - picture.height * scales[1]) / 2,
  };
}

function systemTransform(system, { width, height }) {
  const flip = { xx: 1, xy: 0, x0: 0, yx: 0, yy: -1, y0: height };
  const normalize = { xx: 1 / width, xy: 0, x0: 0, yx: 0, yy: 1 / height, y0: 0 };
  return {
    pixels: IDENTITY,
    pixelsFromBottomLeft: flip,
    normalized: normalize,
    normalizedFromBottomLeft: composed(flip, normalize),
  }[system];
}

/// A view of the picture: the transform to its numbers, the one to pixels of what is seen from the
/// top left, the canvas, and the steps in words.
function viewSpace({ orientation, mirrored, view, gravity, system }) {
  const stored = { width: report.picture.width, height: report.picture.height };
  const { swaps, mirrored: turnsOver, formula } = ORIENTATIONS[orientation];
  const upright = swaps ? { width: stored.height, height: stored.width } : stored;
  const steps = [["orientation " + orientation, formula, sizeText(upright)]];
  let seen = orientationTransform(orientation, stored);
  if (mirrored) {
    seen = composed(seen, { xx: -1, xy: 0, x0: upright.width, yx: 0, yy: 1, y0: 0 });
    steps.push(["mirror", `x′ = ${upright.width} − x, y′ = y`, sizeText(upright)]);
  }
  if (view) {
    const placed = gravityTransform(gravity, upright, view);
    seen = composed(seen, placed);
    steps.push([gravity, gravityText(gravity, upright, view, placed), sizeText(view)]);
  }
  const canvas = view ?? upright;
  steps.push([system, systemText(system, canvas), sizeText(canvas)]);
  return {
    seen, canvas, steps,
    transform: composed(seen, systemTransform(system, canvas)),
    swapsSides: mirrored !== turnsOver,
  };
}

const sizeText = ({ width, height }) => `${width} × ${height}`;

function gravityText(gravity, picture, view, { xx, yy, x0, y0 }) {
  const ratios = `${view.width} / ${picture.width}, ${view.height} / ${picture.height}`;
  const scale =
    gravity === "resize"
      ? `scales ${ratios} = ${fixed(xx, 4)}, ${fixed(yy, 4)}`
      : `scale = ${gravity === "aspectFit" ? "min" : "max"}(${ratios}) = ${fixed(xx, 4)}`;
  return `${scale}; offset = (view − scale · picture) / 2 = (${fixed(x0)}, ${fixed(y0)})`;
}

function systemText(system, { width, height }) {
  return {
    pixels: "x′ = x, y′ = y",
    pixelsFromBottomLeft: `x′ = x, y′ = ${height} − y`,
    normalized: `x′ = x / ${width}, y′ = y / ${height}`,
    normalizedFromBottomLeft: `x′ = x / ${width}, y′ = (${height} − y) / ${height}`,
  }[system];
}

/// A face in a space; where what is seen is a mirror image, landmarks exchange their sides.
function mapFace(face, space) {
  const map = (point) => applied(space.transform, point);
  const landmarks = face.landmarks.map(map);
  if (space.swapsSides && landmarks.length > 0) {
    const [rightEye, leftEye, nose, rightMouth, leftMouth] = landmarks;
    landmarks.splice(0, 5, leftEye, rightEye, nose, leftMouth, rightMouth);
  }
  return { box: mapBox(face.box, map), landmarks };
}
