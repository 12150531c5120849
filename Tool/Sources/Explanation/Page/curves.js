"use strict";

// The two curves by which a head of the YOLO5Face family decodes a box, with the chosen candidate's numbers on them.

const sigmoid = (t) => 1 / (1 + Math.exp(-t));

const CURVES = [
  {
    title: "Middle, in cells from the cell’s corner: 2 σ(t) − 0.5", of: (t) => 2 * sigmoid(t) - 0.5,
    low: -0.5, high: 1.5, isOf: (formula) => formula.startsWith("(2 σ(t) − 0.5"),
  },
  {
    title: "Side, in sides of the anchor: (2 σ(t))²", of: (t) => (2 * sigmoid(t)) ** 2,
    low: 0, high: 4, isOf: (formula) => formula.startsWith("(2 σ(t))²"),
  },
];

/// The curves of a candidate's decoding; none where its formulas are others.
function curveFigures(decoding) {
  return CURVES.flatMap((curve) => {
    const points = decoding.filter(({ formula }) => curve.isOf(formula));
    return points.length > 0 ? [curveFigure(curve, points)] : [];
  });
}

/// t from −6 to 6 across, the curve's values up, in a picture of 240 × 120.
function curveFigure({ title, of, low, high }, points) {
  const across = (t) => 120 + 20 * Math.max(-6, Math.min(6, t));
  const up = (value) => 110 - (100 * (value - low)) / (high - low);
  const path = Array.from({ length: 61 }, (_, step) => (step - 30) / 5)
    .map((t, step) => `${step === 0 ? "M" : "L"}${across(t)} ${fixed(up(of(t)), 2)}`).join("");
  const lines = [
    vector("path", { class: "axis", d: `M0 ${up(0)}H240M120 0V120` }), vector("path", { class: "curve", d: path }),
  ];
  const marks = points.flatMap(({ name, raw }, index) => {
    return [
      vector("circle", { class: `point-${index}`, cx: across(raw), cy: up(of(raw)), r: 4 }),
      vector(
        "text", { class: `point-${index}`, x: 236, y: 92 + 13 * index, "text-anchor": "end" },
        `${inWords(name)}: ${fixed(raw, 2)} → ${fixed(of(raw), 2)}`
      ),
    ];
  });
  const words = points.map(({ name, raw }) => `${inWords(name)}: t ${fixed(raw, 2)} gives ${fixed(of(raw), 2)}`);
  const picture = vector(
    "svg", { class: "plot", viewBox: "0 0 240 120", role: "img", "aria-label": `${title}; ${words.join(", ")}` },
    ...lines, ...marks, vector("text", { x: 2, y: 10 }, String(high)), vector("text", { x: 2, y: 106 }, shortNumber(low))
  );
  return element("figure", {}, element("figcaption", {}, `${title}, t from −6 to 6`), picture);
}
