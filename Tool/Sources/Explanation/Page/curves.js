// SPDX-License-Identifier: Apache-2.0
"use strict";

// Curves with the chosen numbers on them: a head's, drawn from its own formulas, and an activation's, from its numbers.

/// A formula of t, such as “(2 σ(t) − 0.5 + 7) · 8”, as a function; null where it has other words.
function functionOf(formula) {
  const tokens = formula.match(/[\d.]+|σ|exp|e(?=\()|t|[−+·()²]/g) ?? [];
  if (tokens.join("") !== formula.replaceAll(" ", "")) return null;
  const takes = (token) => tokens[0] === token && tokens.shift() === token;
  const named = {
    σ: (x) => 1 / (1 + Math.exp(-x)), exp: Math.exp,
    e: (x) => (Math.abs(x) < 1 ? x * Math.E : Math.sign(x) * Math.exp(Math.abs(x))),
  };
  const sum = () => {
    let all = product();
    while (tokens[0] === "+" || tokens[0] === "−") {
      const [one, sign] = [all, tokens.shift() === "+" ? 1 : -1];
      const other = product();
      all = (t) => one(t) + sign * other(t);
    }
    return all;
  };
  const product = () => {
    let all = power();
    while (takes("·") || /^[tσe(]/.test(tokens[0] ?? "")) {
      const [one, other] = [all, power()];
      all = (t) => one(t) * other(t);
    }
    return all;
  };
  const power = () => {
    const base = atom();
    return takes("²") ? (t) => base(t) ** 2 : base;
  };
  const atom = () => {
    const token = tokens.shift();
    if (token === "t") return (t) => t;
    if (token !== "(" && !named[token]) return () => Number(token);
    if (named[token]) tokens.shift();
    const inner = sum();
    tokens.shift();
    return named[token] ? (t) => named[token](inner(t)) : inner;
  };
  return sum();
}

/// The curves of a candidate's box and score, and the distributions that its sides are the means of.
function curveFigures(decoding) {
  return decoding.flatMap(({ name, formula, raw, value }) => {
    const of = functionOf(formula);
    if (of === null || formula === "t" || report.landmarkNames.some((landmark) => inWords(name).startsWith(landmark))) return [];
    const bins = decoding.filter((other) => other.name.startsWith(`${name} bin `));
    const limit = Math.max(6, Math.ceil(Math.abs(raw)));
    const line = Array.from({ length: 61 }, (_, step) => ((step - 30) / 30) * limit).map((t) => [t, of(t)]);
    const figure = curveFigure(`${titled(name)}: ${formula}`, line, { raw, value });
    return bins.length > 0 ? [binsFigure(name, bins, raw), figure] : [figure];
  });
}

/// Points [t, value] from left to right, in a picture of 240 × 120, with one of them marked.
function curveFigure(title, line, { raw, value }) {
  const [from, to] = [line[0][0], line.at(-1)[0]];
  const { low, high } = rangeOf(line.map(([, value]) => value));
  const across = (t) => (240 * (t - from)) / (to - from || 1);
  const up = (value) => 110 - (100 * (value - low)) / (high - low || 1);
  const words = `t ${shortNumber(raw, 3)} gives ${shortNumber(value, 4)}`;
  const path = line.map(([t, value], step) => `${step === 0 ? "M" : "L"}${fixed(across(t), 1)} ${fixed(up(value), 2)}`);
  const picture = vector(
    "svg", { class: "plot", viewBox: "0 0 240 120", role: "img", "aria-label": `${title}; ${words}` },
    vector("path", { class: "axis", d: `M0 ${up(Math.max(low, Math.min(high, 0)))}H240M${across(0)} 0V120` }),
    vector("path", { class: "curve", d: path.join("") }),
    vector("circle", { cx: across(raw), cy: up(value), r: 4 }),
    vector("text", { x: 2, y: 10 }, shortNumber(high, 3)), vector("text", { x: 2, y: 118 }, shortNumber(low, 3))
  );
  const range = `t from ${shortNumber(from, 2)} to ${shortNumber(to, 2)}`;
  return element("figure", {}, element("figcaption", {}, `${title}; ${words}`), picture, element("figcaption", {}, range));
}

/// The shares of a distribution as bars, and its mean.
function binsFigure(name, bins, mean) {
  const most = Math.max(...bins.map(({ value }) => value));
  const [width, title] = [240 / bins.length, `${titled(name)}: t is the mean of 0 … ${bins.length - 1}, by the softmax of ${bins.length} numbers`];
  const bars = bins.map(({ value }, bin) =>
    vector("rect", { x: bin * width + 1, y: 110 - (100 * value) / most, width: width - 2, height: (100 * value) / most }));
  const line = vector("path", { class: "mean", d: `M${(mean + 0.5) * width} 0V120` });
  const words = vector("text", { x: 238, y: 10, "text-anchor": "end" }, `mean ${fixed(mean, 2)}`);
  return element(
    "figure", {}, element("figcaption", {}, title),
    vector("svg", { class: "plot", viewBox: "0 0 240 120", role: "img", "aria-label": `${title}: ${fixed(mean, 2)}` }, ...bars, line, words)
  );
}
