// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// The page at `/`: one picture in, its faces drawn over it.
///
/// It loads nothing, and runs only the style and script that carry this answer's nonce
/// (https://www.w3.org/TR/CSP3/). It may connect only to its own server, whose answers it writes as
/// text, never as HTML.
func page() -> Response {
  let nonce = (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
  let policy =
    "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  let html = """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>yoloface</title>
    <style nonce="\(nonce)">
    \(pageStyle)
    </style>
    \(pageBody)
    <script nonce="\(nonce)">
    \(pageScript)
    </script>
    </html>

    """
  return Response(
    bytes: html.utf8, type: "text/html; charset=utf-8",
    headers: [.contentSecurityPolicy: policy])
}

private let pageBody = """
  <main>
    <h1>Find faces</h1>
    <p>The picture is sent to the server of this page, which does not keep it.</p>
    <label id="drop">
      <strong>Choose a picture</strong>
      <span>or drop one here</span>
      <input id="file" type="file" accept="image/*">
    </label>
    <p id="status" role="status"></p>
    <canvas id="picture" role="img" aria-label="The picture with its faces" hidden></canvas>
    <ol id="faces" aria-label="Faces"></ol>
  </main>
  """

private let pageStyle = """
  :root {
    color-scheme: light dark;
    --ground: #fbfaf8; --surface: #ffffff; --ink: #1d1c1a; --quiet: #66625c; --line: #cbc5bb;
    --accent: #b3541e; --error: #b3261e;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #171614; --surface: #201f1c; --ink: #ece8e1; --quiet: #a39d93; --line: #4a463f;
      --accent: #f0915a; --error: #ff9c92;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0; background: var(--ground); color: var(--ink);
    font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
    font-variant-numeric: tabular-nums;
  }
  main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem; }
  h1 { margin: 0; line-height: 1.2; }
  p { margin: .3rem 0 1rem; color: var(--quiet); }
  #drop {
    display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: 1.25rem;
    background: var(--surface); border: 2px dashed var(--line); border-radius: 10px;
    cursor: pointer;
  }
  #drop span { color: var(--quiet); }
  #drop input { font: inherit; max-width: 100%; margin-left: auto; }
  #drop.over, #drop:focus-within { border-color: var(--accent); }
  #status { min-height: 1.5em; margin: 1rem 0; color: var(--ink); font-weight: 600; }
  #status.error { color: var(--error); }
  canvas { display: block; max-width: 100%; max-height: 80vh; border-radius: 6px; }
  [hidden] { display: none; }
  #faces { padding-left: 1.5rem; }
  #faces li { padding: .35rem 0; }
  #faces li + li { border-top: 1px solid var(--line); }
  """

private let pageScript = #"""
  "use strict";
  const [drop, input, status, canvas, faces] =
    ["drop", "file", "status", "picture", "faces"].map((id) => document.getElementById(id));
  // The network's input is smaller than this anyway.
  const longestSide = 2048;
  let latest = 0;

  function say(text, isError = false) {
    status.textContent = text;
    status.classList.toggle("error", isError);
  }

  // The picture as a PNG, scaled down if it is large.
  function png(picture) {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
    const copy = document.createElement("canvas");
    copy.width = Math.max(1, Math.round(picture.width * scale));
    copy.height = Math.max(1, Math.round(picture.height * scale));
    copy.getContext("2d").drawImage(picture, 0, 0, copy.width, copy.height);
    return new Promise((resolve, reject) => copy.toBlob(
      (blob) => blob ? resolve(blob) : reject(new Error("The picture cannot be converted.")),
      "image/png"));
  }

  async function detect(body) {
    const response = await fetch("detect", {
      method: "POST", headers: { "Content-Type": "image/png" }, body,
    });
    const report = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(report.error ?? `The server answered ${response.status}.`);
    return report;
  }

  function draw(picture, report) {
    canvas.width = report.width;
    canvas.height = report.height;
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const unit = Math.max(canvas.width, canvas.height) / 500;
    context.font = `600 ${12 * unit}px system-ui, sans-serif`;
    report.faces.forEach((face, index) => {
      const { x, y, width, height } = face.box;
      // A light line on a dark one is visible on any picture.
      for (const [color, line] of [["#000a", 4], ["#fff", 2]]) {
        context.strokeStyle = color;
        context.lineWidth = line * unit;
        context.strokeRect(x, y, width, height);
        context.strokeText(index + 1, x + 5 * unit, y + 15 * unit);
      }
      context.fillStyle = "#000";
      context.fillText(index + 1, x + 5 * unit, y + 15 * unit);
      for (const [x, y] of Object.values(face.landmarks ?? {})) {
        context.beginPath();
        context.arc(x, y, 2.5 * unit, 0, 2 * Math.PI);
        context.fillStyle = "#f0915a";
        context.fill();
        context.strokeStyle = "#000a";
        context.lineWidth = unit / 2;
        context.stroke();
      }
    });
    canvas.hidden = false;
  }

  function list(found) {
    for (const { score, box, pose } of found) {
      const item = document.createElement("li");
      const size = `${box.width.toFixed(1)} × ${box.height.toFixed(1)}`;
      const place = `${box.x.toFixed(1)}, ${box.y.toFixed(1)}`;
      item.textContent = `score ${score.toFixed(3)}, ${size} pixels at ${place}`;
      if (pose) {
        item.textContent += `, roll ${pose.roll.toFixed(0)}°, yaw ${pose.yaw.toFixed(0)}°, `
          + `pitch ${pose.pitch.toFixed(0)}°`;
      }
      faces.append(item);
    }
  }

  async function show(file) {
    const turn = ++latest;
    canvas.hidden = true;
    faces.replaceChildren();
    say(`Detecting faces in ${file.name} …`);
    try {
      const picture = await createImageBitmap(file).catch(() => {
        throw new Error(`${file.name} is no picture that this browser can read.`);
      });
      const start = performance.now();
      const isSmall = Math.max(picture.width, picture.height) <= longestSide;
      const report = await detect(
        file.type === "image/png" && isSmall ? file : await png(picture));
      if (turn !== latest) return;
      const time = Math.round(performance.now() - start);
      draw(picture, report);
      list(report.faces);
      const count = report.faces.length;
      say(`${count} ${count === 1 ? "face" : "faces"} in ${file.name}, after ${time} ms`);
    } catch (error) {
      if (turn === latest) say(error.message, true);
    }
  }

  input.addEventListener("change", () => { if (input.files[0]) show(input.files[0]); });
  for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
    addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", type === "dragenter" || type === "dragover");
    });
  }
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (file) show(file);
  });
  """#
