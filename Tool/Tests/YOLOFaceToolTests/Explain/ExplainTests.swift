import FaceDecoding
import FaceReport
import Foundation
import Raster
import TestSupport
import Testing

struct ExplainTests {
  private let tool = Tool()

  @Test func writesASingleFile() throws {
    let run = try tool.run("explain", Tool.astronaut, "-o", "report.html").succeeded()
    #expect(run.output == "")
    #expect(run.errors == "yoloface: wrote report.html; open it in a browser\n")
    let page = try tool.text("report.html")
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.utf8.count <= 4_500_000)
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
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: tool.path("report.html"))[.size] as? Int)
    #expect(size < 8 << 20)
    // The second line is the tool's user and system time, written like 0m1.5s.
    let line = try #require(run.output.split(separator: "\n").last)
    let times = line.split(separator: " ").map { time in
      let parts = time.dropLast().split(separator: "m").map { Double($0) ?? .infinity }
      return parts[0] * 60 + parts[1]
    }
    #expect(times.count == 2)
    // Scripts/nightly allows more: with the sanitizers it takes ten times as long.
    let limit = ProcessInfo.processInfo.environment["TEST_CPU_SECONDS"].flatMap(Double.init) ?? 5
    #expect(times.reduce(0, +) < limit)
  }

  /// The engine in a page runs a network by the recipe that its structure gives.
  @Test func aPageHoldsNoModelForAnotherRecipe() throws {
    let recipe = try tool.run("inspect", Tool.model("param"), "--recipe").output
    try tool.write(recipe, to: "same.json")
    let other = recipe.replacing("\"divisor\" : 255", with: "\"divisor\" : 128")
    try #require(other != recipe)
    try tool.write(other, to: "other.json")
    func explain(_ recipe: String, _ options: String...) throws -> (Tool.Run, page: String) {
      let run = try tool.runAll(
        [
          "explain", Tool.astronaut, "-o", "report.html", "--param", Tool.model("param"), "--bin",
          Tool.model("bin"), "--recipe", recipe, "--long-side", "64",
        ] + options)
      return (run, try tool.text("report.html"))
    }
    let (same, live) = try explain("same.json")
    #expect(same.status == 0 && !same.errors.contains("left out"))
    let (run, page) = try explain("other.json")
    #expect(run.status == 0 && run.errors.contains("left out the model"), "\(run.errors)")
    #expect(page.utf8.count < live.utf8.count)
    for option in ["--live", "--playground"] {
      let (run, kept) = try explain("other.json", option)
      #expect(run.status == 1 && run.errors.contains("other.json: found a recipe that is not"))
      #expect(kept == page)
    }
  }

  @Test func keepsAnExistingFileOnFailure() throws {
    try tool.write("old", to: "report.html")
    for picture in ["missing.png", "report.html"] {
      let run = try tool.run("explain", picture, "-o", "report.html").failed()
      #expect(run.output == "")
      #expect(run.errors.hasPrefix("yoloface: \(picture): "))
    }
    #expect(try tool.text("report.html") == "old")
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
        -o c.html | Give the path of a picture.
        a.png -o c.html --long-side 33 | --long-side 33: give a
        a.png -o c.html --against x --against-bin y
        a.png -o c.html --against x | --against and --against-bin go together: give both or neither.
        a.png -o c.html --against-bin x | --against and --against-bin go together: give both or neither.
        a.png -o c.html --live
        --playground -o c.html
        --playground -o c.html --live | --playground always holds the engine: leave out --live
        --playground -o c.html --no-live | --playground always holds the engine: leave out --live
        """)
    #expect(mistakes == [])
  }
}

/// The page itself, as a reader uses it.
@Suite(.serialized, .enabled(if: Browser.exists, Browser.explanation))
struct ExplainPageTests {
  private let tool = Tool()

  /// Explains a picture and runs a script in the page; see `Tool.runInPage`.
  private func run<Result: Decodable>(
    _ script: String, of picture: String = Tool.astronaut, _ arguments: [String] = [],
    width: Int = 1280, as type: Result.Type = Result.self
  ) throws -> Result {
    try tool.runInPage(script, [picture] + arguments, width: width)
  }

  /// The boxes of the faces that `detect` finds.
  private func boxes(_ arguments: [String]) throws -> [[Double]] {
    let report: DetectionReport = try tool.runAll(["detect", "--json"] + arguments).output.decoded()
    return report.faces.map { [$0.box.x, $0.box.y, $0.box.width, $0.box.height] }
  }

  private struct Listed: Decodable {
    var count: String
    var boxes: [[Double]]
  }

  private static let move = """
    const move = (id, value) => {
      byId(id).value = value;
      byId(id).dispatchEvent(new Event("input", { bubbles: true }));
      return settled();
    };
    const listedFaces = () => ({
      count: byId("face-count").textContent,
      boxes: [...document.querySelectorAll("#faces tr")].map((row) => row.dataset.box.split(" ").map(Number)),
    });
    """

  private static let pictures =
    [Tool.astronaut] + (SharedData.exists ? [SharedData.path("images/selfie.png")] : [])

  @Test(arguments: pictures)
  func slidersKeepTheFacesThatTheToolFinds(picture: String) throws {
    let thresholds = [
      (0.5, 0.45), (0.3, 0.45), (0.9, 0.45), (0.1, 0.3), (0.02, 0.6), (0.5, 0), (0.7, 1),
    ]
    let script = """
      \(Self.move)
      const listed = [];
      for (const [score, overlap] of \(thresholds.map { [$0.0, $0.1] })) {
        await move("score", score);
        await move("overlap", overlap);
        listed.push(listedFaces());
      }
      return listed;
      """
    let shown = try run(script, of: picture, as: [Listed].self)
    #expect(shown.count == thresholds.count)
    for ((score, overlap), listed) in zip(thresholds, shown) {
      let faces = try boxes([picture, "--conf", "\(score)", "--iou", "\(overlap)"])
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

  private struct Explained: Decodable {
    var listed: [Listed]
    var steps: [String]
    var heat: String
    var letterbox: String
    var parts: String
    var layers: [Int]
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
    let options = ["param", "bin"].flatMap {
      ["--\($0)", SharedData.path("models/more/\(model).\($0)")]
    }
    let picture = SharedData.path("images/zidane.png")
    let script = """
      \(Self.move)
      const listed = [];
      for (const score of [0.5, 0.3]) {
        await move("score", score);
        listed.push(listedFaces());
      }
      await move("score", 0.5);
      const { x, y, width, height } = detection.shown[detection.result.kept[0]].box;
      const steps = [{ x: x + width / 2, y: y + height / 2 }, { x: 20, y: 20 }]
        .map((point) => explainPoint(point).step);
      return {
        listed, steps, heat: byId("heat-best").textContent,
        letterbox: byId("letterbox-text").textContent,
        parts: [...new Set(
          partsOf(report.network, report.heads, report.letterbox.inputHeight).map(({ part }) => part)
        )].sort((a, b) => Object.keys(PART_NOTES).indexOf(a) - Object.keys(PART_NOTES).indexOf(b)).join(", "),
        layers: [
          layers.length,
          [...document.querySelectorAll("#parts summary b")].reduce((sum, { textContent }) => sum + parseInt(textContent), 0),
        ],
      };
      """
    let shown = try run(script, of: picture, options, as: Explained.self)
    for (score, listed) in zip(["0.5", "0.3"], shown.listed) {
      let faces = try boxes([picture, "--conf", score] + options)
      #expect(!faces.isEmpty && listed.boxes.count == faces.count)
      for (box, face) in zip(listed.boxes, faces) {
        #expect(zip(box, face).allSatisfy { abs($0 - $1) <= 0.0005001 })
      }
    }
    #expect(shown.steps[0] == "kept")
    #expect(["no candidate", "score threshold"].contains(shown.steps[1]))
    #expect(try number(after: "this map is", in: shown.heat) > 0.5)
    #expect(shown.letterbox.contains(letterbox))
    #expect(shown.parts == parts)
    #expect(shown.layers[0] == shown.layers[1], "each layer is in one group")
  }

  /// `PageEngineTests.everyViewSpaceIsThatOfTheTool` has all combinations.
  @Test func coordinateSwitchesReachTheEngine() throws {
    struct Mapped: Decodable {
      var numbers: [Double]
      var formula: String
    }
    let mapped: [Mapped] = try run(
      """
      const choose = (values) => {
        for (const [id, value] of Object.entries(values)) {
          const control = byId(id);
          if (control.type === "checkbox") control.checked = value;
          else control.value = value;
          control.dispatchEvent(new Event("input", { bubbles: true }));
        }
        const { numbers } = document.querySelector("#mapped-faces tr").dataset;
        const formula = byId("whole-formula").textContent + byId("swaps").textContent;
        return { numbers: numbers.split(" ").map(Number), formula };
      };
      return [choose({}), choose({
        orientation: "right", mirrored: true, placement: "aspectFill",
        system: "normalizedFromBottomLeft", "view-width": 300, "view-height": 200,
      })];
      """)
    let space = try ViewSpace(
      imageSize: Size(width: 512, height: 512), orientation: .right, isMirrored: true,
      placement: .view(Size(width: 300, height: 200), .aspectFill),
      coordinateSystem: .normalizedFromBottomLeft)
    let numbers = mapped[0].numbers
    let corner = Point(x: numbers[0] + numbers[2], y: numbers[1] + numbers[3])
    let box = space.map(Rectangle(corner: Point(x: numbers[0], y: numbers[1]), opposite: corner))
    // A mirror exchanges the sides.
    let points = [6, 4, 8, 12, 10].map { space.map(Point(x: numbers[$0], y: numbers[$0 + 1])) }
    let expected = [box.x, box.y, box.width, box.height] + points.flatMap { [$0.x, $0.y] }
    #expect(mapped[1].numbers.count == 14)
    #expect(zip(mapped[1].numbers, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(mapped[0].formula != mapped[1].formula)
  }

  private struct Shown: Decodable {
    var name, facts, note: String
    var canvases, colors: Int
  }

  @Test func aClickOnALayerShowsItsFeatureMaps() throws {
    let layers = [
      // 64 × 64 weights and 64 biases; 24 of 64 channels are shown.
      ("p2_c3", "Convolution", "4160", "The first 24 of 64 channels", 24),
      ("stem_c1_silu", "Swish", "0", "All 16 channels", 16),
      ("s1_0_l1", "ConvolutionDepthWise", "160", "All 16 channels", 16),
      ("out_32", "Permute", "0", "The first 24 of 48 channels", 24),
    ]
    let script = """
      const shown = [];
      for (const layer of \(layers.map(\.0))) {
        const node = [...document.querySelectorAll("[data-layer]")]
          .find((node) => node.querySelector(".title").textContent === layer);
        node.querySelector("rect").dispatchEvent(new MouseEvent("click", { bubbles: true }));
        await settled();
        const canvases = [...byId("maps").querySelectorAll("canvas")];
        const colors = new Set(canvases.flatMap((canvas) => {
          const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          return [...new Uint32Array(pixels.data.buffer)];
        }));
        shown.push({
          name: byId("layer-name").textContent, facts: byId("layer-facts").textContent,
          note: byId("maps-note").textContent, canvases: canvases.length, colors: colors.size,
        });
      }
      return shown;
      """
    let all = try run(script, ["--no-live"], as: [Shown].self)
    #expect(all.map(\.name) == layers.map(\.0))
    for (shown, (layer, kind, parameters, note, canvases)) in zip(all, layers) {
      #expect(shown.facts.hasPrefix("kind\(kind)reads"), "\(layer)")
      #expect(shown.facts.contains("parameters\(parameters)multiply-adds"), "\(layer)")
      #expect(shown.note.hasPrefix(note) && shown.canvases == canvases, "\(layer)")
      #expect(shown.colors > 50, "\(layer)")
    }
  }

  /// Clicks on a grid of points over a crowd cover every case; each explanation is checked against
  /// the thresholds.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aClickExplainsWhyAFaceWasMissed() throws {
    let script = """
      const canvas = byId("candidates-canvas");
      while (photo === null) await new Promise((done) => setTimeout(done, 20));
      const steps = {};
      const bounds = canvas.getBoundingClientRect();
      for (let y = 5; y < bounds.height; y += 40) {
        for (let x = 5; x < bounds.width; x += 40) {
          canvas.dispatchEvent(
            new MouseEvent("click", { clientX: bounds.left + x, clientY: bounds.top + y }));
          await settled();
          const answer = byId("answer");
          steps[answer.dataset.step] ??= answer.textContent;
        }
      }
      return steps;
      """
    let steps: [String: String] = try run(
      script, of: SharedData.path("images/selfie.png"), ["--iou-threshold", "0.2"])
    #expect(Set(steps.keys) == ["kept", "suppression", "score threshold", "no candidate"])
    let kept = try #require(steps["kept"])
    #expect(kept.contains("Not missed: it is face"))
    let below = try #require(steps["score threshold"])
    #expect(try number(after: "a score of", in: below) < 0.5)
    let suppressed = try #require(steps["suppression"])
    #expect(try number(after: "with a score of", in: suppressed) >= 0.5)
    #expect(try number(after: ", is", in: suppressed) > 0.2)
  }

  private func number(after words: String, in text: String) throws -> Double {
    let tail = try #require(text.components(separatedBy: "\(words) ").dropFirst().first)
    return try #require(Double(tail.prefix { "0123456789.".contains($0) }.prefix(5)))
  }

  /// Every layer and step is visible and wide enough to point at.
  @Test func theWholeGraphFillsItsPanel() throws {
    let script = """
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
      const whole = size();
      byId("graph-width").click();
      return [whole, size()];
      """
    let sizes = try run(script, as: [[Double]].self)
    let whole = sizes[0]
    #expect(whole[0] > 224)
    #expect(whole[1] > 24)
    #expect(whole[2...].allSatisfy { $0 >= 0 })
    #expect(sizes[1][1] > 100, "the width has large boxes again")
  }

  /// Drawing on a small face leaves most of the photo in its box visible.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aCrowdsFacesAreNotHidden() throws {
    let script = """
      while (photo === null) await new Promise((done) => setTimeout(done, 20));
      const canvas = byId("picture-canvas");
      const pixels = () => {
        const { width, height } = canvas;
        const copy = new OffscreenCanvas(width, height).getContext("2d");
        copy.drawImage(canvas, 0, 0);
        return copy.getImageData(0, 0, width, height).data;
      };
      drawPicture();
      const drawn = pixels();
      drawPhoto(prepare(canvas, picture).context);
      const plain = pixels();
      const ratio = canvas.width / picture.width;
      let [inside, same] = [0, 0];
      for (const index of detection.result.kept) {
        const { x, y, width, height } = detection.shown[index].box;
        if (width * ratio > 16) continue;
        for (let row = Math.ceil(y * ratio) + 2; row < (y + height) * ratio - 2; row++) {
          for (let column = Math.ceil(x * ratio) + 2; column < (x + width) * ratio - 2; column++) {
            const place = 4 * (row * canvas.width + column);
            inside++;
            if ([0, 1, 2].every((part) => drawn[place + part] === plain[place + part])) same++;
          }
        }
      }
      return [inside, same];
      """
    let counts: [Double] = try run(
      script, of: SharedData.path("images/selfie.png"), ["--score-threshold", "0.3"])
    #expect(counts[0] > 1000)
    #expect(counts[1] / counts[0] > 0.7)
  }

  @Test(arguments: [400, 1280], ["fp32", "int8"])
  func nothingOverflowsTheWidth(width: Int, precision: String) throws {
    let script = """
      while (photo === null) await new Promise((done) => setTimeout(done, 20));
      const { scrollWidth, clientWidth } = document.documentElement;
      return [innerWidth, scrollWidth - clientWidth];
      """
    let found: [Int] = try run(
      script, ["--precision", precision, "--long-side", "64"], width: width)
    #expect(found == [width, 0])
  }

  @Test func theOtherNetworkHasASection() throws {
    let alone = try comparison([])
    #expect(alone.isHidden && alone.faces == [] && alone.blobs == [])
    let small = ["--long-side", "64"]
    let section = try comparison(["--precision", "int8"] + small)
    #expect(!section.isHidden)
    #expect(
      section.summary == "yoloface-n-0.5-int8.param (int8) beside yoloface-n-0.5.param (fp32).")
    #expect(section.count == "1 of 1 face found by both")
    #expect(section.faces.count == 1 && section.faces[0].hasPrefix("both"))
    #expect(section.blobs.count > 150)
    #expect(section.blobs.contains { $0.hasPrefix("stem_c1Convolution16 × 32 × 32") })
    let scores = try #require(section.scores.first)
    let files = [
      "--param", Tool.model("param", form: "-int8"), "--bin", Tool.model("bin", form: "-int8"),
      "--against", Tool.model("param"), "--against-bin", Tool.model("bin"),
      "--score-threshold", String((scores[0] + scores[1]) / 2),
    ]
    let strict = try comparison(files + small)
    #expect(strict.blobs == section.blobs)
    #expect(strict.count == "0 of 1 face found by both")
    #expect(strict.faces.count == 1)
    #expect(strict.faces[0].hasPrefix(scores[0] > scores[1] ? "only int8" : "only fp32"))
  }

  /// What the page's comparison with another network says.
  private struct Comparison: Decodable {
    var isHidden: Bool
    var summary, count: String
    var faces, blobs: [String]
    /// This network's and the other's, of each face that both find.
    var scores: [[Double]]
  }

  private func comparison(_ arguments: [String]) throws -> Comparison {
    let script = """
      const rows = (id) => [...byId(id).children].map((row) => row.textContent);
      const found = report.comparison?.faces.filter(({ overlap }) => overlap !== undefined) ?? [];
      return {
        isHidden: byId("comparison").hidden, summary: byId("comparison-summary").textContent,
        count: byId("comparison-face-count").textContent, faces: rows("compared-faces"),
        blobs: rows("compared-blobs"),
        scores: found.map(({ score, otherScore }) => [score, otherScore]),
      };
      """
    return try run(script, arguments)
  }

  /// A click on a face shows the cell that it comes from, pinned until a key or another click lets it go.
  @Test func facesLeadToTheirCells() throws {
    let script = """
      const text = (id) => byId(id).textContent;
      const canvas = (id) => byId(id);
      const at = (name, id, { x, y }) => {
        const bounds = canvas(id).getBoundingClientRect();
        canvas(id).dispatchEvent(new PointerEvent(name, {
          clientX: bounds.left + x / picture.width * bounds.width,
          clientY: bounds.top + y / picture.height * bounds.height,
        }));
      };
      const { x, y, width, height } = detection.shown[detection.result.kept[0]].box;
      at("click", "picture-canvas", { x: x + width / 2, y: y + height / 2 });
      await settled();
      const { head, row, column } = detection.candidates[detection.result.kept[0]].cell;
      const shown = byId("heat-head").value === String(head)
        && text("heat-cell").startsWith(`Row ${row}, column ${column}:`);
      const pinned = text("heat-cell");
      at("pointermove", "heat-canvas", { x: 3, y: 3 });
      const still = text("heat-cell");
      canvas("heat-canvas").dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
      at("pointermove", "heat-canvas", { x: 3, y: 3 });
      return [String(shown), pinned, still, text("heat-cell"), text("landmarks")];
      """
    let texts = try run(script, as: [String].self)
    #expect(texts[0] == "true" && texts[1].contains("is pinned") && texts[2] == texts[1])
    #expect(texts[3].hasPrefix("Row 0, column 0:") && texts[3].contains("Click on a cell"))
    #expect(texts[4].contains("right eye") && !texts[4].contains("rightEye"))
  }

  /// `inspect` says: a cell of out_32 sees 719 × 719 pixels, every 32, the first from −359.
  @Test func showsWhatACellSees() throws {
    let script = """
      byId("heat-head").value = "2";
      byId("heat-head").dispatchEvent(new Event("change"));
      chooseCell({ row: 4, column: 8 }, true);
      const { x, y, width, height } = seenBy(heat);
      return [x, y, width, height];
      """
    let seen = try run(script, as: [Int].self)
    #expect(seen == [-359 + 8 * 32, -359 + 4 * 32, 719, 719])
  }

  /// Without a face, the page says how close the best candidate came.
  @Test func saysHowCloseTheBestCandidateCame() throws {
    let script = """
      \(Self.move)
      await move("score", 0.99);
      return byId("landmarks").textContent;
      """
    let text = try run(script, as: String.self)
    let score = try #require(try tool.detected(Tool.astronaut).faces.first?.score)
    let threshold = Int((1000 * score).rounded(.down))
    #expect(text.contains("scores \(String(format: "%.3f", score)): "), "\(text)")
    #expect(text.contains("a threshold of 0.\(threshold) would show it"), "\(text)")
  }

  /// Where there is no candidate at all, it says so.
  @Test func saysThatThereIsNoCandidate() throws {
    try tool.writeBlankPictures(["blank.png"], side: 32)
    let text: String = try run("return byId('landmarks').textContent;", of: "blank.png")
    #expect(text.hasPrefix("No face at these thresholds"), "\(text)")
    #expect(text.contains("would show it") || text.contains("no candidate with a score of 0.001"))
  }

  @Test func keysSelectLayersCellsAndPoints() throws {
    let script = """
      const press = (id, key) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        byId(id).dispatchEvent(event);
      };
      const text = (id) => byId(id).textContent;
      const before = [text("layer-name"), text("heat-cell")];
      press("graph", "ArrowDown");
      press("heat-canvas", "ArrowRight");
      press("candidates-canvas", "ArrowUp");
      await settled();
      return [...before, text("layer-name"), text("heat-cell"), text("answer")];
      """
    let texts = try run(script, as: [String].self)
    #expect(texts[0] == "stem_c1")
    #expect(texts[2] == "stem_c1_silu")
    #expect(texts[1] != texts[3])
    // From the centre, up by a hundredth of the side.
    #expect(texts[4].contains("(256.0, 250.9)"))
  }

  @Test func untrustedNamesStayText() throws {
    // Without characters that have a meaning in a .param file.
    let hostile = String(repeating: "\u{1F600}", count: 20) + "<!--<script></script><plaintext>"
    let param = try String(contentsOfFile: Tool.model("param"), encoding: .utf8)
      .replacingOccurrences(of: " stem_c1 ", with: " \(hostile) ")
    try tool.write(param, to: "hostile.param")
    let name = "<b onclick='x'>\"&.png"
    try tool.copyPhoto(to: name)
    let script = """
      await new Promise((done) => setTimeout(done, 200));
      return [
        document.title, byId("title").textContent,
        String(document.querySelectorAll("plaintext, b[onclick]").length),
        [...document.querySelectorAll("[data-layer] title")]
          .find((title) => title.textContent.includes("plaintext")).textContent.split(":")[0],
        [...document.querySelectorAll("[data-layer] .title")].map((title) => title.textContent)
          .find((text) => text.includes("\u{1F600}")),
      ];
      """
    let found: [String] = try run(
      script, of: name, ["--param", "hostile.param", "--bin", Tool.model("bin")])
    // A name is cut between two characters.
    let shown = String(repeating: "\u{1F600}", count: 20) + "<…"
    #expect(found == ["\(name) explained", name, "0", hostile, shown])
  }
}
