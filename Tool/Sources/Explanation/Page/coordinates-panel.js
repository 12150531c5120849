// SPDX-License-Identifier: Apache-2.0
"use strict";

// The coordinate spaces' section: what is seen, the formulas, and every face's numbers.

function chosenSpace() {
  const side = (id) => Math.max(1, Math.min(100000, Number(byId(id).value) || 1));
  return {
    orientation: byId("orientation").selectedIndex + 1,
    isMirrored: byId("mirrored").checked,
    placement: byId("placement").selectedIndex,
    view: { width: side("view-width"), height: side("view-height") },
    system: byId("system").selectedIndex,
  };
}

function namesOfSpace() {
  const ids = ["orientation", "placement", "system"];
  return Object.fromEntries(ids.map((id) => [id, byId(id).value]));
}

function drawCoordinates() {
  if (engine === null) return;
  const choice = chosenSpace();
  const names = namesOfSpace();
  const space = viewSpace(choice, names);
  for (const id of ["view-width", "view-height"]) byId(id).disabled = choice.placement === 0;
  const { context, unit } = prepare(byId("coordinates-canvas"), space.canvas, 0.6);
  context.fillStyle = color("bars");
  context.fillRect(0, 0, space.canvas.width, space.canvas.height);
  const { xx, xy, x0, yx, yy, y0 } = space.seen;
  if (photo !== null) {
    context.save();
    context.transform(xx, yx, xy, yy, x0, y0);
    context.drawImage(photo, 0, 0, picture.width, picture.height);
    context.restore();
  }
  const faces = detection.result.kept.map((index) => detection.shown[index]);
  engine.mapToView(faces, report.picture, { ...choice, system: 0 }).forEach((face, number) => {
    drawLandmarks(context, face, unit);
    drawBox(
      context, face.box, number === state.face ? "#fff" : "#40e060", lineWidth(face.box, 2, unit)
    );
  });
  drawAxes(context, space.canvas, unit, names.system);
  showFormulas(space);
  listMappedFaces(faces, choice, names.system);
}

/// The origin and the directions in which x and y grow.
function drawAxes(context, canvas, unit, system) {
  const isBottom = system.endsWith("BottomLeft");
  const length = Math.min(70 * unit, canvas.width / 3, canvas.height / 3);
  const margin = 5 * unit;
  const y = isBottom ? canvas.height - margin : margin;
  const direction = isBottom ? -1 : 1;
  context.strokeStyle = context.fillStyle = "#ff4d6d";
  context.lineWidth = 3 * unit;
  context.beginPath();
  context.moveTo(margin + length, y);
  context.lineTo(margin, y);
  context.lineTo(margin, y + direction * length);
  context.stroke();
  context.font = `700 ${15 * unit}px system-ui, sans-serif`;
  context.fillText("x", margin + length + 5 * unit, y + (isBottom ? 0 : 10 * unit));
  context.fillText("y", margin + 3 * unit, y + direction * length + (isBottom ? -3 : 13) * unit);
}

function showFormulas(space) {
  const steps = space.steps.map(([name, formula, size]) =>
    element(
      "li", {}, element("b", {}, name), ": ", element("code", {}, formula), ` — ${size}`
    )
  );
  byId("formulas").replaceChildren(...steps);
  const { xx, xy, x0, yx, yy, y0 } = space.transform;
  byId("whole-formula").textContent =
    `x′ = ${sumOfTerms(xx, xy, x0)}   y′ = ${sumOfTerms(yx, yy, y0)}`;
  byId("swaps").textContent = space.swapsSides
    ? "What is seen is a mirror image: right and left landmarks exchange their names."
    : "What is seen is not a mirror image: landmarks keep their names.";
}

function listMappedFaces(faces, choice, system) {
  const decimals = system.startsWith("normalized") ? 4 : 1;
  const pair = (a, b, sign) => fixed(a, decimals) + sign + fixed(b, decimals);
  byId("mapped-note").textContent =
    faces.length > MAXIMUM_ROWS ? `The first ${MAXIMUM_ROWS} of ${faces.length} faces.` : "";
  const listed = engine.mapToView(faces.slice(0, MAXIMUM_ROWS), report.picture, choice);
  const rows = listed.map(({ box, landmarks }, number) => {
    const numbers = [box.x, box.y, box.width, box.height, ...landmarks.flatMap(({ x, y }) => [x, y])];
    const row = element(
      "tr",
      { "data-numbers": numbers.join(" ") },
      element("td", {}, String(number + 1)),
      element("td", {}, pair(box.x, box.y, ", ")),
      element("td", {}, pair(box.width, box.height, " × ")),
      ...report.landmarkNames.map((_, index) => {
        const point = landmarks[index];
        return element("td", {}, point ? pair(point.x, point.y, ", ") : "—");
      })
    );
    if (number === state.face) row.setAttribute("aria-current", "true");
    return row;
  });
  byId("mapped-faces").replaceChildren(...rows);
}

function connectCoordinates() {
  const options = ORIENTATIONS.map((name, index) =>
    element("option", { value: name }, `${index + 1} ${name}`)
  );
  byId("orientation").replaceChildren(...options);
  const heads = report.landmarkNames.map((name) => element("th", { scope: "col" }, name));
  byId("mapped-heads").append(...heads);
  for (const id of ["orientation", "mirrored", "placement", "view-width", "view-height", "system"]) {
    byId(id).addEventListener("input", drawCoordinates);
  }
}
