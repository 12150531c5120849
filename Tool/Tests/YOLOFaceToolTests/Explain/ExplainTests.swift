// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceRaster
import YOLOFaceReport

struct ExplainTests {
  private let tool = Tool()

  @Test func writesASingleFile() throws {
    let run = try tool.run("explain", Tool.astronaut, "-o", "report.html").succeeded()
    let address = URL(filePath: tool.path("report.html")).resolvingSymlinksInPath().absoluteString
    #expect(
      run.errors
        == "yoloface: wrote report.html; open it in a browser, for the tour at \(address)#tour-1\n")
    #expect(run.output == "")
    let page = try tool.text("report.html")
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.utf8.count <= 4_600_000)
    #expect(page.contains("\"title\":\"astronaut.png\""))
    let files = try FileManager.default.contentsOfDirectory(atPath: tool.directory.path)
    #expect(Set(files) == ["report.html", "stdout", "stderr"])
  }

  @Test func usesTheModelAndSearchOptions() throws {
    try tool.run(
      "explain", Tool.astronaut, "--output", "report.html", "--param", Tool.model("param"),
      "--bin", Tool.model("bin"), "--long-side", "320", "--score-threshold", "0.25",
      "--iou-threshold", "0.5", "--isa", "baseline", "--threads", "1"
    ).succeeded()
    let page = try tool.text("report.html")
    for part in [
      "\"width\":320", "\"scoreThreshold\":0.25", "\"overlapThreshold\":0.5",
      "\"instructionSet\":\"baseline\"", "\"model\":\"yoloface-n-0.5.param\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aCrowdsPageIsSmallAndQuickToMake() throws {
    let run = try tool.runShell(
      "\"$tool\" explain \"$1\" -o report.html --threads 1 && times",
      SharedData.path("images/selfie.png")
    ).succeeded()
    #expect(try tool.data("report.html").count < 8 << 20)
    // The second line is the tool's user and system time, written like 0m1.5s.
    let times = try #require(run.output.split(separator: "\n").last).matches(
      of: #/(\d+)m([\d.]+)s/#
    )
    .map { (Double($0.1) ?? .infinity) * 60 + (Double($0.2) ?? .infinity) }
    #expect(times.count == 2)
    // Scripts/nightly allows more: with the sanitizers it takes ten times as long.
    let limit = ProcessInfo.processInfo.environment["TEST_CPU_SECONDS"].flatMap(Double.init) ?? 5
    #expect(times.reduce(0, +) < limit)
  }

  /// The engine in a page runs a network by the recipe that its structure gives.
  @Test func aPageHoldsNoModelForAnotherRecipe() throws {
    let recipe = try tool.run("inspect", Tool.model("param"), "--recipe").output
    try tool.write(recipe, to: "same.json")
    try tool.write(
      recipe.replacing("\"divisor\" : 255", with: "\"divisor\" : 128"), to: "other.json")
    func explain(_ options: String...) throws -> Tool.Run {
      let model = ["--param", Tool.model("param"), "--bin", Tool.model("bin"), "--long-side", "64"]
      return try tool.runAll(
        ["explain", Tool.astronaut, "-o", "report.html", "--recipe"] + options + model)
    }
    #expect(try !explain("same.json").succeeded().errors.contains("left out"))
    let live = try tool.data("report.html")
    #expect(try explain("other.json").succeeded().errors.contains("left out the model"))
    let page = try tool.data("report.html")
    #expect(page.count < live.count)
    for option in ["--live", "--playground"] {
      try explain("other.json", option).failed(saying: "other.json: found a recipe that is not")
      #expect(try tool.data("report.html") == page)
    }
  }

  @Test func keepsAnExistingFileOnFailure() throws {
    try tool.write("old", to: "report.html")
    for picture in ["missing.png", "report.html"] {
      try tool.run("explain", picture, "-o", "report.html").failed(
        saying: "yoloface: \(picture): ")
    }
    #expect(try tool.text("report.html") == "old")
    try tool.write(#"{"b.png": {"boxes": []}}"#, to: "truth.json")
    try tool.run("explain", Tool.astronaut, "-o", "report.html", "--truth", "truth.json").failed(
      saying: "truth.json: found no picture astronaut.png, expected its faces")
    try tool.run("explain", Tool.astronaut, "-o", "missing/report.html").failed(
      saying: "expected a file that can be written")
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "explain",
      table: """
        a.png -o c.html
        | Missing expected argument '--output
        a.png | Missing expected argument '--output
        -o c.html
        -o c.html --no-live | --no-live shows one picture: give the path of one.
        a.png -o c.html --long-side 33 | --long-side 33: give a
        a.png -o c.html --against x --against-bin y
        a.png -o c.html --against x | --against and --against-bin go together: give both or neither.
        a.png -o c.html --against-bin x | --against and --against-bin go together: give both or neither.
        a.png -o c.html --live
        --playground -o c.html
        -o c.html --orientation 6 | --orientation, --max-pixels, --stretch and --accept-damaged are of a picture
        --playground -o c.html --max-pixels 5 | --orientation, --max-pixels
        --playground -o c.html --live | --playground always holds the engine: leave out --live
        --playground -o c.html --truth x | --playground shows the reader's pictures: leave out --truth
        --playground -o c.html --no-live | --playground always holds the engine: leave out --live
        """)
    #expect(mistakes == [])
  }
}

/// The page itself, as a reader uses it.
@Suite(.serialized, .enabled(if: Browser.exists, Browser.explanation))
struct ExplainPageTests {
  private let tool = Tool()

  @Test(arguments: Tool.explained)
  func slidersKeepTheFacesThatTheToolFinds(arguments: [String]) throws {
    struct Listed: Decodable {
      var count: String
      var boxes: [[Double]]
    }
    let thresholds = [
      (0.5, 0.45), (0.3, 0.45), (0.9, 0.45), (0.1, 0.3), (0.02, 0.6), (0.5, 0), (0.7, 1),
    ]
    let shown: [Listed] = try tool.runInPage(
      """
      const listed = [];
      for (const [score, overlap] of \(thresholds.map { [$0.0, $0.1] })) {
        await input("score", score);
        await input("overlap", overlap);
        listed.push({
          count: text("face-count"),
          boxes: [...document.querySelectorAll("#faces tr")].map((row) => row.dataset.box.split(" ").map(Number)),
        });
      }
      return listed;
      """, arguments)
    try #require(shown.count == thresholds.count)
    for ((score, overlap), listed) in zip(thresholds, shown) {
      let options = ["--json", "--conf", "\(score)", "--iou", "\(overlap)"]
      let report: DetectionReport = try tool.runAll(["detect"] + arguments + options).output
        .decoded()
      let faces = report.faces.map { [$0.box.x, $0.box.y, $0.box.width, $0.box.height] }
      #expect(faces.count > 0 || score > 0.7)
      #expect(
        listed.count == (faces.count == 1 ? "1 face" : "\(faces.count) faces")
          + (faces.count > 200 ? ", of which the best 200 are listed" : ""))
      #expect(listed.boxes.count == min(faces.count, 200))
      for (box, face) in zip(listed.boxes, faces) {
        // The tool rounds to thousandths.
        #expect(zip(box, face).allSatisfy { abs($0 - $1) <= 0.0005001 })
      }
    }
  }

  /// Heads of three blobs, with two anchors a cell; and of two, without landmarks, in cells that are
  /// smaller than their stride.
  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation),
    arguments: [
      ("scrfd_500m_kps", "multiples of 32", "backbone, neck, neck, down again, heads"),
      ("ultraface_rfb_320", "320 × 240 only", "backbone, heads"),
    ])
  func otherFamiliesAreExplained(model: String, letterbox: String, parts: String) throws {
    try tool.checkPage(
      """
      const { x, y, width, height } = detection.shown[detection.result.kept[0]].box;
      expect(explainPoint({ x: x + width / 2, y: y + height / 2 }).step, "kept");
      expect(["no candidate", "score threshold"].includes(explainPoint({ x: 20, y: 20 }).step), true);
      expect(Number(/this map is ([0-9.]*[0-9])/.exec(text("heat-best"))[1]) > 0.5, true);
      expect(text("letterbox-text").includes("\(letterbox)"), true);
      const parts = new Set(
        partsOf(report.network, report.heads, report.letterbox.inputHeight).map(({ part }) => part));
      expect(Object.keys(PART_NOTES).filter((part) => parts.has(part)).join(", "), "\(parts)");
      // Each layer is in one group.
      const counts = [...document.querySelectorAll("#parts summary b")];
      expect(counts.reduce((sum, { textContent }) => sum + parseInt(textContent), 0), layers.length);
      """, Tool.otherModel(model))
  }

  /// A model of each family, and what its tour says of cells, decoding and score in words that only its head has.
  private static let families: [(files: String, words: [String])] = {
    let fixtures = SharedData.projectRoot.appending(path: "Tests/YOLOFaceTests/Fixtures/tiny-").path
    let shared = SharedData.path("models/")
    return [
      (
        Tool.model("param").replacing(".param", with: ""),
        [
          "the anchors; here 4 × 5", "(2 σ(t))² · the anchor’s width", "half a cell",
          "σ(objectness) · σ(class)",
        ]
      ),
      (
        Tool.model("param", form: "-int8").replacing(".param", with: ""),
        ["the anchors; here 4 × 5", "half a cell", "t15 the class"]
      ),
      (
        fixtures + "blazeface", ["This one has none", "Its numbers are pixels already", "σ(score)"]
      ),
      (
        fixtures + "centerface",
        ["This one has none", "t cells from the middle", "times the cell’s"]
      ),
      (fixtures + "ssd", ["Its last layer decodes and suppresses", "the score itself"]),
      (fixtures + "yolo26", ["This one has none", "how far the middle of the cell", "σ(class)"]),
      (fixtures + "yolov5", ["the anchors; here", "half a cell", "class says"]),
      (
        shared + "more/scrfd_500m_kps",
        ["This one has none", "how far the corner of the cell", "left = (cell − t) · 8"]
      ),
      (
        shared + "more/retinaface_mnet25",
        ["the anchors; here 32 × 32", "a prior box", "σ(face − background)"]
      ),
      (shared + "more/ultraface_rfb_320", ["a prior box", "0.1 t · 10", "σ(face − background)"]),
      (
        shared + "more/yolov8_lite_t",
        ["This one has none", "mean of a distribution", "how far the middle of the cell"]
      ),
      (
        shared + "public/dbface",
        ["This one has none", "how far the corner of the cell", "σ(score)"]
      ),
      (
        shared + "public/yoloface-500k",
        ["the anchors; here", "never leaves the cell", "1 / (1 + exp(−objectness)"]
      ),
    ].filter { FileManager.default.fileExists(atPath: $0.0 + ".bin") }
  }()

  /// The words are the head's own, the formulas' values those that the candidate has, and each has its curve.
  @Test func theTourIsTrueOfEveryFamily() throws {
    let models = Self.families.map(\.files)
    try tool.runShell(
      """
      i=0; for model in \(models.map { "'\($0)'" }.joined(separator: " ")); do
        set -- "$1" -o "$i.html" --param "$model.param" --bin "$model.bin"
        "$tool" explain "$@" --long-side 320 || "$tool" explain "$@" || exit 1
        i=$((i + 1))
      done
      """, Tool.astronaut
    ).succeeded()
    let script = """
      const words = [];
      for (const name of ["cells", "decoding", "score"]) {
        location.hash = `tour-${tourSteps.findIndex(({ dataset }) => dataset.step === name) + 1}`;
        await new Promise((done) => setTimeout(done, 50));
        await settled();
        words.push(text("tour-text").replace(/\\s+/g, " "));
      }
      expect(words.some((words) => words.includes("undefined") || words.includes("NaN")), false);
      await until(() => live.engine !== null);
      change({ candidate: detection.order[0] ?? null });
      await settled();
      if (detection.order.length > 0) {
        const decoding = await decodingOf(detection.candidates[detection.order[0]].cell);
        const wrong = decoding.filter(({ formula, raw, value }) => {
          const of = functionOf(formula);
          return of !== null && !(Math.abs(of(raw) - value) <= 1e-3 * Math.max(1, Math.abs(value)));
        });
        expect([decoding.length > 3, wrong], [true, []]);
        const curves = document.querySelectorAll("#fate-steps .plot .curve").length;
        expect(curves >= 3, true);
      }
      // A convolution's products add up to the number that the blob holds, in int8 too.
      const first = linear.order.find((index) => layers[index].kind.startsWith("Convolution"));
      change({ layer: first });
      await settled();
      const [result, held] = byId("pixel-sum").dataset.numbers.split(" ").map(Number);
      expect(Math.abs(result - held) <= 1e-3 * Math.max(1, Math.abs(held)), true);
      const isInt8 = layers[first].attributes.includes("int8 scales");
      expect(text("pixel-sum").includes("int8 numbers"), isInt8);
      return words.join(" ");
      """
    let pages = models.indices.map { tool.directory.appending(path: "\($0).html") }
    let (results, console) = try Browser.run(
      Tool.wrapped(script), in: pages, width: 1280, directory: tool.directory)
    #expect(console == [])
    for (result, (files, words)) in zip(results, Self.families) {
      for word in words { #expect(result.contains(word), "\(files): \(word)") }
      #expect(!result.contains("YOLO5Face"))
    }
  }

  /// `PageEngineTests.everyViewSpaceIsThatOfTheTool` has all combinations.
  @Test func coordinateSwitchesReachTheEngine() throws {
    let mapped: [[Double]] = try tool.runInPage(
      """
      const mapped = () => document.querySelector("#mapped-faces tr").dataset.numbers.split(" ").map(Number);
      const formula = () => text("whole-formula") + text("swaps");
      const [plain, written] = [mapped(), formula()];
      byId("mirrored").checked = true;
      for (const [id, value] of Object.entries({
        orientation: "right", mirrored: "on", placement: "aspectFill", system: "normalizedFromBottomLeft",
        "view-width": 300, "view-height": 200,
      })) await input(id, value);
      expect(formula() === written, false);
      return [plain, mapped()];
      """, [Tool.astronaut])
    let space = try ViewSpace(
      imageSize: Size2D(width: 512, height: 512), orientation: .right, isMirrored: true,
      placement: .view(Size2D(width: 300, height: 200), .aspectFill),
      coordinateSystem: .normalizedFromBottomLeft)
    let numbers = mapped[0]
    let box = space.map(
      Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
    // A mirror exchanges the sides.
    let points = [6, 4, 8, 12, 10].map { space.map(Point2D(x: numbers[$0], y: numbers[$0 + 1])) }
    let expected = [box.x, box.y, box.width, box.height] + points.flatMap { [$0.x, $0.y] }
    #expect(mapped[1].count == 14)
    #expect(zip(mapped[1], expected).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  /// Of 64 × 64 weights and 64 biases, for example; 24 of 64 channels are shown.
  @Test func aClickOnALayerShowsItsFeatureMaps() throws {
    try tool.checkPage(
      """
      for (const [layer, kind, parameters, note, count] of [
        ["p2_c3", "Convolution", 4160, "The first 24 of 64 channels", 24],
        ["stem_c1_silu", "Swish", 0, "All 16 channels", 16],
        ["s1_0_l1", "ConvolutionDepthWise", 160, "All 16 channels", 16],
        ["out_32", "Permute", 0, "The first 24 of 48 channels", 24],
      ]) {
        const node = [...document.querySelectorAll("[data-layer]")]
          .find((node) => node.querySelector(".title").textContent === layer);
        node.querySelector("rect").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        await settled();
        const canvases = [...byId("maps").querySelectorAll("canvas")];
        const colors = new Set(canvases.flatMap((canvas) => {
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return [...new Uint32Array(pixels.data.buffer)];
        }));
        const facts = [text("layer-name"), text("maps-note").slice(0, note.length), canvases.length, colors.size > 50];
        expect(facts, [layer, note, count, true]);
        expect(text("layer-facts").startsWith(`kind${kind}reads`), true);
        expect(text("layer-facts").includes(`parameters${parameters}multiply-adds`), true);
      }
      """, [Tool.astronaut, "--no-live"])
  }

  /// Clicks on a grid of points over a crowd cover every case; each explanation is checked against
  /// the thresholds.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aClickExplainsWhyAFaceWasMissed() throws {
    // A face that is found, a place without one, and a face that is too small.
    try tool.write(
      #"{"selfie.png": {"boxes": [[1429, 762, 1567, 942], [0, 0, 200, 100], [100, 560, 120, 586]]}}"#,
      to: "truth.json")
    try tool.checkPage(
      """
      await until(() => photo !== null);
      // The first is found, the second is no face, and of the third the network sees nothing.
      expect(text("truth"), "2 of 3 true faces missed, by their size in the picture: 200.0 × 100.0 20.0 × 26.0");
      byId("truth").querySelectorAll("button")[1].click();
      await settled();
      for (const panel of document.querySelectorAll(".missed")) {
        expect(panel.textContent.includes("The face is 6.3 × 8.1 pixels in the input. The smallest anchor is 4 × 5, here 12.8 × 16.0"), true);
      }
      point("click", "picture-canvas", 0.02, 0.02);
      expect(state.point.x < 50 && text("answer") !== "", true);
      const steps = {};
      const { width, height } = byId("candidates-canvas").getBoundingClientRect();
      for (let y = 5; y < height; y += 50) {
        for (let x = 5; x < width; x += 50) {
          point("click", "candidates-canvas", x / width, y / height);
          await settled();
          steps[byId("answer").dataset.step] ??= text("answer");
        }
      }
      expect(Object.keys(steps).sort(), ["kept", "no candidate", "score threshold", "suppression"]);
      expect(steps.kept.includes("Not missed: it is face"), true);
      const after = (words, step) => Number(new RegExp(`${words} ([0-9.]*[0-9])`).exec(steps[step])[1]);
      expect(after("a score of", "score threshold") < 0.5, true);
      expect(after("with a score of", "suppression") >= 0.5, true);
      expect(after(", is", "suppression") > 0.2, true);
      """,
      [
        SharedData.path("images/selfie.png"), "--iou-threshold", "0.2", "--truth",
        tool.path("truth.json"),
      ])
  }

  /// Drawing on a small face leaves most of the photo in its box visible.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aCrowdsFacesAreNotHidden() throws {
    try tool.checkPage(
      """
      await until(() => photo !== null);
      const canvas = byId("picture-canvas");
      const boxes = detection.result.kept.map((index) => detection.shown[index].box);
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      const pixels = () => copy.drawImage(canvas, 0, 0) ?? boxes.flatMap((box) => {
        const [x, y, width, height] = [box.x, box.y, box.width, box.height]
          .map((number) => Math.ceil(number * canvas.width / picture.width));
        if (width > 16 || width < 6 || height < 6) return [];
        const { data } = copy.getImageData(x + 2, y + 2, width - 5, height - 5);
        return [...new Uint32Array(data.buffer)];
      });
      drawPicture();
      const drawn = pixels();
      drawPhoto(prepare(canvas, picture).context);
      const plain = pixels();
      const same = plain.filter((pixel, place) => pixel === drawn[place]);
      expect([plain.length > 1000, same.length / plain.length > 0.7], [true, true]);
      """, [SharedData.path("images/selfie.png"), "--score-threshold", "0.3"])
  }

  @Test(arguments: ["fp32", "int8"])
  func nothingOverflowsTheWidth(precision: String) throws {
    try tool.checkPage(
      """
      await until(() => photo !== null);
      for (const width of [390, 1280]) {
        await resize(width, 900);
        const { scrollWidth, clientWidth } = document.documentElement;
        expect([innerWidth, scrollWidth - clientWidth], [width, 0]);
      }
      """, [Tool.astronaut, "--precision", precision, "--long-side", "64"])
  }

  /// Embedded and in files; and as the page shows a face that only one finds.
  @Test func theOtherNetworkHasASection() throws {
    let files = [
      "--param", Tool.model("param", form: "-int8"), "--bin", Tool.model("bin", form: "-int8"),
      "--against", Tool.model("param"), "--against-bin", Tool.model("bin"),
    ]
    let blobs = try [["--precision", "int8"], files].map { arguments -> [String] in
      try tool.runInPage(
        """
        const rows = (id) => [...byId(id).children].map((row) => row.textContent);
        const found = () => rows("compared-faces").map((row) => /^both|^only (int8|fp32)/.exec(row)[0]);
        expect(
          [byId("comparison").hidden, text("comparison-summary")],
          [false, "yoloface-n-0.5-int8.param (int8) beside yoloface-n-0.5.param (fp32)."]);
        const [face] = report.comparison.faces;
        expect([text("comparison-face-count"), found()], ["1 of 1 face found by both", ["both"]]);
        for (const name of ["int8", "fp32"]) {
          report.comparison.faces = [{ ...face, overlap: undefined, [name === "int8" ? "otherScore" : "score"]: undefined }];
          showComparison();
          expect([text("comparison-face-count"), found()], ["0 of 1 face found by both", [`only ${name}`]]);
        }
        return rows("compared-blobs");
        """, [Tool.astronaut, "--long-side", "64"] + arguments)
    }
    #expect(blobs[0] == blobs[1] && blobs[0].count > 150)
    #expect(blobs[0].contains { $0.hasPrefix("stem_c1Convolution16 × 32 × 32") })
  }

  /// Without a face, the page says how close the best candidate came.
  @Test func saysHowCloseTheBestCandidateCame() throws {
    let score = try #require(try tool.detected(Tool.astronaut).faces.first?.score)
    try tool.checkPage(
      """
      await input("score", 0.99);
      expect(text("landmarks").includes("scores \(String(format: "%.3f", score)): "), true);
      expect(text("landmarks").includes("a threshold of 0.\(Int((1000 * score).rounded(.down))) would show it"), true);
      """, [Tool.astronaut])
  }

  @Test func untrustedNamesStayText() throws {
    // Without characters that have a meaning in a .param file.
    let faces = String(repeating: "\u{1F600}", count: 20)
    let hostile = faces + "<!--<script></script><plaintext>"
    let param = try String(contentsOfFile: Tool.model("param"), encoding: .utf8)
      .replacingOccurrences(of: " stem_c1 ", with: " \(hostile) ")
    try tool.write(param, to: "hostile.param")
    let name = "<b onclick='x'>\"&.png"
    try tool.copyPhoto(to: name)
    // A name is cut between two characters.
    try tool.checkPage(
      """
      await new Promise((done) => setTimeout(done, 200));
      const [name, hostile] = [\(String(reflecting: name)), "\(hostile.replacing("<", with: "\\u003C"))"];
      expect([document.title, text("title")], [`${name} explained`, name]);
      expect(document.querySelectorAll("plaintext, b[onclick]").length, 0);
      const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent.split(":")[0]);
      expect(texts("[data-layer] title").includes(hostile), true);
      expect(texts("[data-layer] .title").includes("\(faces)<…"), true);
      """, [name, "--param", "hostile.param", "--bin", Tool.model("bin")])
  }

  /// What a reader does, and what the page shows then.
  private static let uses = [
    "the section about another network is hidden where there is none": """
    expect(["comparison", "comparison-link"].map((id) => byId(id).hidden), [true, true]);
    """,
    "the whole graph fills its panel, and each step is wide enough to point at": """
    const size = () => {
      const panel = byId("graph").getBoundingClientRect();
      const boxes = [...document.querySelectorAll("#graph rect")]
        .map((box) => box.getBoundingClientRect());
      return [
        boxes.length, Math.min(...boxes.map(({ width }) => width)),
        Math.min(...boxes.map(({ left }) => left)) - panel.left,
        Math.min(...boxes.map(({ top }) => top)) - panel.top,
        panel.right - Math.max(...boxes.map(({ right }) => right)),
        panel.bottom - Math.max(...boxes.map(({ bottom }) => bottom)),
      ];
    };
    byId("graph-fit").click();
    const [boxes, narrowest, ...gaps] = size();
    expect([boxes > 224, narrowest > 24, gaps.filter((gap) => !(gap >= 0))], [true, true, []]);
    byId("graph-width").click();
    expect(size()[1] > 100, true);
    """,
    "a click on a face pins the cell that it comes from, until a key lets it go": """
    const { x, y, width, height } = detection.shown[detection.result.kept[0]].box;
    point("click", "picture-canvas", (x + width / 2) / picture.width, (y + height / 2) / picture.height);
    await settled();
    const { head, row, column } = detection.candidates[detection.result.kept[0]].cell;
    expect(byId("heat-head").value, String(head));
    const pinned = text("heat-cell");
    expect([pinned.startsWith(`Row ${row}, column ${column}:`), pinned.includes("is pinned")], [true, true]);
    point("pointermove", "heat-canvas", 0.005, 0.005);
    expect(text("heat-cell"), pinned);
    press("heat-canvas", "Escape");
    point("pointermove", "heat-canvas", 0.005, 0.005);
    expect(text("heat-cell").startsWith("Row 0, column 0:") && text("heat-cell").includes("Click on a cell"), true);
    expect([text("landmarks").includes("right eye"), text("landmarks").includes("rightEye")], [true, false]);
    """,
    "a cell of out_32 sees 719 × 719 pixels, every 32, the first from −359, as inspect says": """
    byId("heat-head").value = "2";
    byId("heat-head").dispatchEvent(new Event("change"));
    chooseCell({ row: 4, column: 8 }, true);
    const { x, y, width, height } = seenBy(heat);
    expect([x, y, width, height], [-359 + 8 * 32, -359 + 4 * 32, 719, 719]);
    """,
    "keys select layers, cells and points": """
    const [layer, cell] = [text("layer-name"), text("heat-cell")];
    press("graph", "ArrowDown");
    press("heat-canvas", "ArrowRight");
    press("candidates-canvas", "ArrowUp");
    await settled();
    expect([layer, text("layer-name"), text("heat-cell") === cell], ["stem_c1", "stem_c1_silu", false]);
    // From the centre, up by a hundredth of the side.
    expect(text("answer").includes("(256.0, 250.9)"), true);
    """,
  ]

  @Test(arguments: uses.keys.sorted()) func thePageServesItsReader(use: String) throws {
    try tool.checkPage(#require(Self.uses[use]), [Tool.astronaut])
  }
}
