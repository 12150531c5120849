// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The page in which the engine itself runs, compiled to WebAssembly.
@Suite(.serialized, .enabled(if: Browser.exists, Browser.explanation))
struct PlaygroundTests {
  private let tool = Tool()

  @Test(arguments: Tool.explained) func findsTheToolsFaces(arguments: [String]) throws {
    let found: [PageFace] = try tool.runInPage(
      "return detection.shown.map(({ score, box }) => ({ score, box }));",
      ["--playground"] + arguments)
    try expect(found, are: tool.facesDetected(arguments))
    #expect(!found.isEmpty)
  }

  @Test func isSmallAndOpensWithAPortrait() throws {
    try tool.checkPage(
      """
      const counts = [detection.shown.length];
      for (const file of heldFiles.slice(1)) {
        await open(file);
        counts.push(detection.shown.length);
      }
      expect(counts.map((count) => Math.min(count, 90)), [1, 90, 0]);
      expect(byId("pictures").value, "cat.png");
      """, ["--playground"])
    #expect(try tool.data("page.html").count <= 4 << 20)
  }

  /// Products of whole numbers, and the sum that they make with the scales is the number that the blob holds.
  @Test func insideAnInt8NetworkSumsAreOfWholeNumbers() throws {
    try tool.checkPage(
      """
      byId("inside").open = true;
      await until(() => inside.output !== null);
      await openLayer();
      await look();
      expect(text("inside-sum").includes("int8 numbers"), true);
      const [sum, held] = byId("inside-sum").dataset.numbers.split(" ").map(Number);
      expect(Math.abs(sum - held) <= 1e-5 * Math.abs(held), true);
      expect(text("message").includes("512 × 512 pixels"), true);
      """, ["--playground", Tool.astronaut, "--precision", "int8"])
  }

  /// What a reader does, and what the page shows then.
  private static let uses = [
    "buttons enlarge the picture": """
    const scales = ["Face", "Whole", "+"].map((label) => {
      [...document.querySelectorAll("button")].find((each) => each.textContent === label).click();
      return view.scale;
    });
    expect(scales.map((scale) => scale > 1), [true, false, true]);
    """,
    "odd pictures are seen, or said to be unreadable": """
    const drawn = (width, height, type = "image/png") => new Promise((done) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      canvas.getContext("2d").fillRect(0, 0, width / 2, height);
      canvas.toBlob(done, type);
    });
    const says = async (file, message) => {
      byId("message").textContent = "";
      await open(file);
      expect(text("message").slice(0, message.length), message);
    };
    for (const [width, height, type] of [
      [1, 1], [1, 3000], [3000, 1], [31, 17], [6000, 4000], [200, 100, "image/webp"], [200, 100, "image/jpeg"],
      [2, 2], [16384, 3], [640, 640], [33, 640, "image/jpeg"],
    ]) await says(await drawn(width, height, type), `${width} × ${height} pixels`);
    await says(new Blob([await drawn(9, 9), "trailing"]), "9 × 9 pixels");
    for (const file of [
      new File(["no picture"], "a.png"), new File([], "empty.jpg"), (await drawn(300, 200)).slice(0, 8),
      new Blob([new Uint8Array(5000)]), (await drawn(200, 100)).slice(0, 60),
      new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], "a.svg"),
    ]) await says(file, "The browser cannot read this file as a picture.");
    """,
    "transparent pixels are white, as the tool sees them": """
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
    await open(await new Promise((done) => canvas.toBlob(done)));
    expect([...frame.rgba.slice(0, 4)], [255, 255, 255, 255]);
    """,
    "pictures are turned as their Exif says: stored 40 × 20, dark at the top left": """
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 20 });
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, 40, 20);
    context.fillStyle = "#000";
    context.fillRect(0, 0, 16, 8);
    const stored = await new Promise((done) => canvas.toBlob(done, "image/jpeg"));
    const isDark = (x, y) => frame.rgba[4 * (y * picture.width + x)] < 100;
    const seen = [];
    for (let orientation = 1; orientation <= 8; orientation++) {
      const exif = new Uint8Array([
        0xFF, 0xE1, 0, 34, ...new TextEncoder().encode("Exif"), 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8,
        0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
      ]);
      await open(new Blob([stored.slice(0, 2), exif, stored.slice(2)], { type: "image/jpeg" }));
      const [right, bottom] = [picture.width - 4, picture.height - 4];
      const corners = { left: [[3, 3], [3, bottom]], right: [[right, 3], [right, bottom]] };
      for (const [side, [top, low]] of Object.entries(corners)) {
        if (isDark(...top)) seen.push(`${picture.width} × ${picture.height}, top ${side}`);
        if (isDark(...low)) seen.push(`${picture.width} × ${picture.height}, bottom ${side}`);
      }
    }
    const corners = ["top left", "top right", "bottom right", "bottom left"];
    expect(seen, ["40 × 20", "20 × 40"].flatMap((size) => corners.map((corner) => `${size}, ${corner}`)));
    """,
    "sliders and sizes change what is found": """
    const counts = [detection.shown.length];
    for (const [id, value] of [["score", 0.99], ["score", 0.05], ["long-side", 160]]) {
      input(id, value);
      await looking;
      counts.push(detection.shown.length);
    }
    expect([counts[0], counts[1], counts[2] >= 1], [1, 0, true]);
    """,
    // The engine adds in another order, in fp32.
    "the products shown for 50 numbers of 10 convolutions add up to them": """
    byId("inside").open = true;
    await until(() => inside.output !== null);
    const pairs = [];
    for (let step = 0; step < 10; step++) {
      byId("inside-layer").value = Math.floor((step * (inside.layers.length - 1)) / 9);
      inside.channel = 3 * step;
      await openLayer();
      const [, rows, columns] = inside.output.shape;
      for (let cell = 0; cell < 5; cell++) {
        inside.cell = { row: 0, column: 0 };
        await moveCell((cell * 7919 + step) % rows, (cell * 104729) % columns);
        pairs.push(byId("inside-sum").dataset.numbers.split(" ").map(Number));
      }
    }
    const isClose = ([sum, number]) => Math.abs(sum - number) <= 2e-5 * Math.max(1, Math.abs(number));
    expect(pairs.filter((pair) => !isClose(pair)), []);
    expect(new Set(pairs.map(([, number]) => number)).size > 40, true);
    """,
    "a camera that arrives after the reader has chosen otherwise is switched off again": """
    const streams = [];
    const arrive = [];
    navigator.mediaDevices ??= {};
    navigator.mediaDevices.getUserMedia = () => new Promise((resolve) => arrive.push(() => {
      const stream = document.createElement("canvas").captureStream();
      streams.push(stream);
      resolve(stream);
    }));
    HTMLMediaElement.prototype.play = async () => {};
    const both = [startCamera(), startCamera()];
    for (const now of arrive) now();
    await Promise.all(both);
    const states = streams.map((stream) => stream.getTracks()[0].readyState);
    stopCamera();
    expect([...states, ...streams.map((stream) => stream.getTracks()[0].readyState)],
      ["ended", "live", "ended", "ended"]);
    """,
  ]

  @Test(arguments: uses.keys.sorted()) func thePageServesItsReader(use: String) throws {
    try tool.checkPage(#require(Self.uses[use]), ["--playground", Tool.astronaut])
  }
}
