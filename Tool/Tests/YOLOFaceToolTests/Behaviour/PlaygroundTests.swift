import Foundation
import TestSupport
import Testing

/// The page in which the engine itself runs, compiled to WebAssembly.
@Suite(.serialized, .enabled(if: Browser.exists, Browser.explanation))
struct PlaygroundTests {
  private let tool = Tool()

  /// Makes a playground and runs a script in it; see `Tool.runInPage`.
  private func run<Result: Decodable>(
    _ script: String, _ arguments: String..., as type: Result.Type = Result.self
  ) throws -> Result {
    try tool.runInPage(script, ["--playground"] + arguments)
  }

  private static let pictures =
    [Tool.astronaut]
    + (SharedData.exists ? ["zidane", "selfie"].map { SharedData.path("images/\($0).png") } : [])

  @Test(arguments: pictures)
  func findsTheToolsFaces(picture: String) throws {
    let found: [PageFace] = try run(
      "return detection.shown.map(({ score, box }) => ({ score, box }));", picture)
    try expect(found, are: tool.facesDetected(picture))
  }

  @Test func theButtonsOfThePictureEnlargeIt() throws {
    let scales: [Double] = try run(
      """
      return ["Face", "Whole", "+"].map((label) => {
        [...document.querySelectorAll("button")].find((each) => each.textContent === label).click();
        return view.scale;
      });
      """, Tool.astronaut)
    #expect(scales.count == 3 && scales[0] > 1 && scales[1] == 1 && scales[2] > 1, "\(scales)")
  }

  /// Each is what a reader may drop on the page, with what the page says.
  @Test(arguments: [
    ("new File(['no picture'], 'a.png')", "The browser cannot read this file as a picture."),
    ("new File([], 'empty.jpg')", "The browser cannot read this file as a picture."),
    ("await drawn(1, 1)", "1 × 1 pixels"), ("await drawn(1, 3000)", "1 × 3000 pixels"),
    ("await drawn(3000, 1)", "3000 × 1 pixels"), ("await drawn(31, 17)", "31 × 17 pixels"),
    ("await drawn(6000, 4000)", "6000 × 4000 pixels"),
    ("await drawn(200, 100, 'image/webp')", "200 × 100 pixels"),
    ("await drawn(200, 100, 'image/jpeg')", "200 × 100 pixels"),
    ("await drawn(2, 2)", "2 × 2 pixels"), ("await drawn(16384, 3)", "16384 × 3 pixels"),
    ("await drawn(640, 640)", "640 × 640 pixels"),
    ("await drawn(33, 640, 'image/jpeg')", "33 × 640"),
    ("(await drawn(300, 200)).slice(0, 8)", "The browser cannot read this file as a picture."),
    ("new Blob([new Uint8Array(5000)])", "The browser cannot read this file as a picture."),
    ("new Blob([await drawn(9, 9), 'trailing'])", "9 × 9 pixels"),
    ("(await drawn(200, 100)).slice(0, 60)", "The browser cannot read this file as a picture."),
    ("new File(['<svg xmlns=\"http://www.w3.org/2000/svg\"/>'], 'a.svg')", "cannot read this file"),
  ])
  func survivesOddPictures(file: String, message: String) throws {
    let said: String = try run(
      """
      const drawn = (width, height, type = "image/png") => new Promise((done) => {
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        canvas.getContext("2d").fillRect(0, 0, width / 2, height);
        canvas.toBlob(done, type);
      });
      await open(\(file));
      return document.getElementById("message").textContent;
      """)
    #expect(said.contains(message), "\(said)")
  }

  /// Transparent pixels are white, as the tool sees them.
  @Test func seesTransparentPixelsOnWhite() throws {
    let pixels: [Int] = try run(
      """
      const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 40 });
      await open(await new Promise((done) => canvas.toBlob(done)));
      return [...frame.rgba.slice(0, 4)];
      """)
    #expect(pixels == [255, 255, 255, 255])
  }

  /// The stored picture is 40 × 20 and dark at its top left corner; the page sees it upright.
  @Test func turnsPicturesAsTheirExifSays() throws {
    let seen: [String] = try run(
      """
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
      return seen;
      """)
    let corners = ["top left", "top right", "bottom right", "bottom left"]
    #expect(seen == corners.map { "40 × 20, \($0)" } + corners.map { "20 × 40, \($0)" })
  }

  @Test func slidersAndSizesChangeWhatIsFound() throws {
    let counts: [Int] = try run(
      """
      const counts = [detection.shown.length];
      for (const [id, value] of [["score", 0.99], ["score", 0.05], ["long-side", 160]]) {
        document.getElementById(id).value = value;
        document.getElementById(id).dispatchEvent(new Event("input"));
        await looking;
        counts.push(detection.shown.length);
      }
      return counts;
      """, Tool.astronaut)
    #expect(counts[0] == 1 && counts[1] == 0 && counts[2] >= 1 && counts.count == 4, "\(counts)")
  }

  /// The products shown for a number add up to it: 50 cells of 10 convolutions, some depthwise.
  @Test func sumsOfAConvolutionAreTheBlobsNumbers() throws {
    let pairs: [[Double]] = try run(
      """
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
      return pairs;
      """, Tool.astronaut)
    try #require(pairs.count == 50)
    for pair in pairs {
      // The engine adds in another order, in fp32.
      #expect(abs(pair[0] - pair[1]) <= 2e-5 * max(1, abs(pair[1])), "\(pair)")
    }
    #expect(Set(pairs.map { $0[1] }).count > 40)
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func runsOtherModels() throws {
    let files = ["param", "bin"].map { SharedData.path("models/more/ultraface_rfb_320.\($0)") }
    let found: [PageFace] = try run(
      "return detection.shown.map(({ score, box }) => ({ score, box }));", Tool.astronaut,
      "--param", files[0], "--bin", files[1])
    #expect(found.count == 1)
  }

  @Test func isSmall() throws {
    let made = try tool.run("explain", "--playground", "-o", "page.html")
    #expect(made.status == 0 && made.output == "")
    let page = try Data(contentsOf: URL(fileURLWithPath: tool.path("page.html")))
    #expect(page.count <= 3 << 20)
  }

  /// Sums of products are shown of layers in fp32; the others say why they are not, and nothing fails.
  @Test func insideAnInt8NetworkThereAreNumbersWithoutSums() throws {
    let texts: [String] = try run(
      """
      byId("inside").open = true;
      await until(() => inside.output !== null);
      await openLayer();
      await look();
      return [byId("inside-sum").textContent, byId("message").textContent];
      """, Tool.astronaut, "--precision", "int8")
    #expect(texts[0].contains("fp32"), "\(texts)")
    #expect(texts[1].contains("512 × 512 pixels"), "\(texts)")
  }

  /// A camera that arrives after the reader has chosen otherwise is switched off again.
  @Test func aCameraThatComesTooLateIsSwitchedOff() throws {
    let states: [String] = try run(
      """
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
      return [...states, ...streams.map((stream) => stream.getTracks()[0].readyState)];
      """)
    #expect(states == ["ended", "live", "ended", "ended"])
  }
}
