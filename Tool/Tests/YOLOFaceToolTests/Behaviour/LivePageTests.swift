import FaceDecoding
import Foundation
import Inference
import NCNN
import Raster
import TestSupport
import Testing
import YOLOFace

/// The report that holds the engine, as a reader uses it.
@Suite(.serialized, .enabled(if: Browser.exists, Browser.explanation))
struct LivePageTests {
  private let tool = Tool()

  /// Explains a picture and runs a script in the page; see `Tool.runInPage`.
  private func run<Result: Decodable>(
    _ script: String, of picture: String = Tool.astronaut, _ arguments: String...,
    as type: Result.Type = Result.self
  ) throws -> Result {
    try tool.runInPage(
      """
      const faces = () => detection.result.kept.map((index) => detection.shown[index])
        .map(({ score, box }) => ({ score, box }));
      /// Does something that makes the network run, and waits until the page shows it.
      const afterARun = async (act) => {
        const { runs } = state;
        act();
        await until(() => state.runs > runs);
        await settled();
      };
      \(script)
      """, [picture] + arguments)
  }

  /// 50 pixels of 10 convolutions, some depthwise: the sum shown is the number in the blob that the tool
  /// computes.
  @Test func aPixelIsTheSumOfItsProducts() throws {
    struct Pixel: Decodable {
      var blob: String
      var index: Int
      var sum, held: Double
    }
    let pixels: [Pixel] = try run(
      """
      const convolutions = layers.flatMap(({ kind }, index) => kind.startsWith("Convolution") ? [index] : []);
      const pixels = [];
      for (let step = 0; step < 10; step++) {
        const layer = convolutions[Math.floor((step * (convolutions.length - 1)) / 9)];
        const blob = blobs[layers[layer].outputs[0]];
        const [channels, rows, columns] = blob.shape;
        for (let cell = 0; cell < 5; cell++) {
          const place = {
            channel: (3 * step + cell) % channels, row: (cell * 7919 + step) % rows,
            column: (cell * 104729) % columns,
          };
          await showPixel(blob, place);
          const [sum, held] = byId("pixel-sum").dataset.numbers.split(" ").map(Number);
          const index = (place.channel * rows + place.row) * columns + place.column;
          pixels.push({ blob: blob.name, index, sum, held });
        }
      }
      return pixels;
      """)
    try #require(pixels.count == 50)
    #expect(Set(pixels.map(\.held)).count > 40)
    // The astronaut at long side 640, which is a multiple of 32 in both directions.
    let picture = try Picture.read(path: Tool.astronaut)
    let letterbox = try Letterbox(
      imageWidth: picture.width, imageHeight: picture.height, mode: .longSide(640))
    let input = try Tensor(
      picture: picture.letterboxed(letterbox).pixels, rows: 640, columns: 640,
      Normalisation(divisor: 255))
    try NPY.write(input, path: tool.path("in.npy"))
    let blobs = Dictionary(grouping: pixels, by: \.blob)
    let extracted = try tool.runAll(
      [
        "run", Tool.model("param"), Tool.model("bin"), "--isa", "baseline", "--input",
        "data=in.npy",
        "--output-directory", ".", "--extract", blobs.keys.joined(separator: ","),
      ])
    try #require(extracted.status == 0, "\(extracted.errors)")
    for (blob, pixels) in blobs {
      let values = try NPY.read(path: tool.path("\(blob).npy")).values
      for pixel in pixels {
        // Which layers a step joins depends on what is extracted, and with it the order of sums in fp32.
        let bound = 2e-5 * max(1, abs(pixel.held))
        #expect(abs(pixel.held - Double(values[pixel.index])) <= bound)
        #expect(abs(pixel.sum - pixel.held) <= bound)
      }
    }
  }

  /// An output whose weights are set to 0 gives the faces of a model file with these zeros.
  @Test func changedWeightsAreThoseOfAChangedModel() throws {
    struct Found: Decodable { var before, changed, after: [PageFace] }
    let found: Found = try run(
      """
      const before = faces();
      change({ layer: layers.findIndex(({ kind }) => kind === "Convolution") });
      await until(() => chosenWeight.layer === state.layer && chosenWeight.values !== null);
      chooseWeight(27 + 4);
      await afterARun(() => byId("silence").click());
      const changed = faces();
      const told = byId("changes").textContent;
      if (!told.includes("output 1")) throw new Error(told);
      await afterARun(() => byId("undo").click());
      if (!byId("changes").hidden) throw new Error("still changed");
      return { before, changed, after: faces() };
      """)
    var bin = try Data(contentsOf: URL(fileURLWithPath: Tool.model("bin")))
    // A tag of four bytes, then 27 numbers in fp16 for each output.
    bin.resetBytes(in: 4 + 54..<4 + 108)
    try tool.write(bin, to: "changed.bin")
    let expected = try tool.facesDetected(
      Tool.astronaut, "--param", Tool.model("param"), "--bin", tool.path("changed.bin"))
    try expect(found.changed, are: expected)
    try expect(found.before, are: tool.facesDetected(Tool.astronaut))
    try expect(found.after, are: found.before)
    #expect(found.changed[0].score != found.before[0].score)
  }

  @Test func aPictureIsReplacedByAnother() throws {
    let photo = try Data(contentsOf: URL(fileURLWithPath: Tool.astronaut)).base64EncodedString()
    let found: [PageFace] = try run(
      """
      const sideways = faces();
      await replacePicture(new Blob([bytesOf("\(photo)")], { type: "image/png" }));
      if (byId("live-error").textContent !== "") throw new Error(byId("live-error").textContent);
      await settled();
      await replacePicture(new Blob(["no picture"]));
      if (!byId("live-error").textContent.includes("cannot read")) throw new Error("no word of it");
      const words = byId("title").textContent + byId("subtitle").textContent;
      if (!words.startsWith("Your picture512 × 512")) throw new Error(words);
      if (!words.endsWith("times are those of the report’s own picture.")) throw new Error(words);
      return faces();
      """, "--orientation", "right")
    try expect(found, are: tool.facesDetected(Tool.astronaut))
  }

  @Test func aCoveredFaceIsNotFound() throws {
    struct Found: Decodable { var before, covered, after: [PageFace] }
    let found: Found = try run(
      """
      const before = faces();
      byId("cover").click();
      const canvas = byId("letterbox-canvas");
      const bounds = canvas.getBoundingClientRect();
      const at = (name, x, y) => canvas.dispatchEvent(new PointerEvent(name, {
        pointerId: 1, clientX: bounds.left + x / 640 * bounds.width,
        clientY: bounds.top + y / 640 * bounds.height,
      }));
      canvas.setPointerCapture = () => {};
      at("pointerdown", 280, 60);
      for (let y = 60; y < 240; y += 20) for (let x = 200; x < 360; x += 20) at("pointermove", x, y);
      await afterARun(() => at("pointerup", 280, 60));
      const covered = faces();
      await afterARun(() => byId("undo").click());
      return { before, covered, after: faces() };
      """)
    #expect(found.before.count == 1 && found.covered.isEmpty)
    try expect(found.after, are: found.before)
  }

  /// Each weight has a pixel of its own in the picture of the kernels.
  @Test func pixelsOfKernelsAreWeights() throws {
    let wrong: [String] = try run(
      """
      const wrong = [];
      for (const shape of [[16, 3, 3, 3], [40, 1, 3, 3], [8, 16, 1, 1], [7], [3, 5], [2, 1, 1, 5]]) {
        const layout = kernelLayout(shape);
        const count = shape.reduce((product, size) => product * size, 1);
        const places = Array.from({ length: count }, (_, index) => layout.place(index));
        places.forEach((place, index) => {
          const isInside = place.x < layout.width && place.y < layout.height;
          if (!isInside || layout.index(place) !== index) wrong.push(`${shape}: ${index}`);
        });
        if (new Set(places.map(({ x, y }) => `${x} ${y}`)).size !== count) wrong.push(String(shape));
      }
      return wrong;
      """)
    #expect(wrong == [])
  }

  @Test func weightsAreSavedForNumPy() throws {
    let numbers: [UInt8] = try run(
      """
      const layer = layers.findIndex(({ kind }) => kind === "Convolution");
      const values = await live.engine.ask("weights", layer, 0);
      return [...new Uint8Array(await numpyFile(values, [16, 3, 3, 3]).arrayBuffer())];
      """)
    let network = try Network(param: Tool.model("param"), bin: Tool.model("bin"))
    let convolution = try #require(network.layers.first { $0.kind == "Convolution" })
    let header = String(decoding: numbers.dropFirst(10).prefix(118), as: UTF8.self)
    #expect(Array(numbers.prefix(10)) == [0x93, 78, 85, 77, 80, 89, 1, 0, 118, 0])
    #expect(header.hasPrefix("{'descr': '<f4', 'fortran_order': False, 'shape': (16, 3, 3, 3), }"))
    #expect(header.hasSuffix("\n"))
    let bytes = convolution.weights[0].floats.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }
    #expect(Array(numbers.dropFirst(128)) == bytes)
  }

  /// In a picture that is enlarged around a face, a click in the middle chooses that face, if no other is there.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func facesOfACrowdAreEnlarged() throws {
    let chosen: [Int] = try run(
      """
      const boxes = detection.result.kept.map((index) => detection.shown[index].box);
      const holds = (box, { x, y }) =>
        x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;
      const wanted = boxes.flatMap((box, number) =>
        box.width < picture.width / 20 &&
          boxes.every((other) => other === box || !holds(other, centerOf(box))) ? [number] : []);
      return [0, 4, 40, wanted.length - 1].map((place) => {
        const number = wanted[place];
        zoomTo(detection.shown[detection.result.kept[number]].box);
        const canvas = byId("picture-canvas");
        const { x, y } = centerOf(detection.shown[detection.result.kept[number]].box);
        const bounds = canvas.getBoundingClientRect();
        canvas.dispatchEvent(new PointerEvent("click", {
          clientX: bounds.left + (x - view.x) * view.scale / picture.width * bounds.width,
          clientY: bounds.top + (y - view.y) * view.scale / picture.height * bounds.height,
        }));
        return view.scale > 3 && state.face === number ? 1 : 0;
      });
      """, of: SharedData.path("images/selfie.png"))
    #expect(chosen == [1, 1, 1, 1])
  }

  /// A page that would be larger than 8 MiB does not hold the model, unless that is asked for.
  @Test func aLargeModelIsLeftOut() throws {
    let lines = try String(contentsOfFile: Tool.model("param"), encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let counts = lines[1].split(separator: " ").compactMap { Int($0) }
    let filler = "MemoryData filler 0 1 filler 0=1500000"
    let text =
      [String(lines[0]), "\(counts[0] + 1) \(counts[1] + 1)"]
      + lines.dropFirst(2).filter { !$0.isEmpty }.map(String.init) + [filler, ""]
    try tool.write(text.joined(separator: "\n"), to: "large.param")
    let bin = try Data(contentsOf: URL(fileURLWithPath: Tool.model("bin")))
    try tool.write(bin + Data(count: 6_000_000), to: "large.bin")
    let model = ["--param", tool.path("large.param"), "--bin", tool.path("large.bin")]
    func size(_ arguments: [String]) throws -> (bytes: Int, errors: String) {
      let run = try tool.runAll(["explain", Tool.astronaut, "-o", "page.html"] + model + arguments)
      try #require(run.status == 0, "\(run.errors)")
      return (try tool.data("page.html").count, run.errors)
    }
    let usual = try size([])
    #expect(usual.bytes < 8 << 20 && usual.errors.contains("--live keeps it"))
    let live = try size(["--live"])
    #expect(live.bytes > 8 << 20 && !live.errors.contains("--live"))
  }

  /// What the page says of a point is of this picture and of this run.
  @Test func anAnswerEndsWithItsRun() throws {
    let texts: [String] = try run(
      """
      const texts = [byId("answer").textContent];
      ask({ x: 230, y: 110 });
      await settled();
      texts.push(byId("answer").textContent);
      await runAgain();
      await settled();
      texts.push(byId("answer").textContent);
      return texts;
      """)
    #expect(texts[0] == texts[2] && texts[0] != texts[1], "\(texts)")
  }

  /// Weights that make some numbers of a map infinite, and others not.
  @Test func infiniteNumbersAreDrawn() throws {
    let drawn: [Bool] = try run(
      """
      const layer = layers.findIndex(({ kind }) => kind === "Convolution");
      const values = await live.engine.ask("weights", layer, 0);
      values.fill(3e38, 0, 2);
      await replaceWeights(layer, 0, values, "huge");
      change({ layer });
      await new Promise((resolve) => setTimeout(resolve, 500));
      return [byId("maps").querySelectorAll("canvas").length > 0];
      """)
    #expect(drawn == [true])
  }

  /// Each step has an address, drives the page and leads to the next; the reader can leave.
  @Test func theTourLeadsToItsEnd() throws {
    struct Step: Decodable {
      var hash, place, title: String
      var isShown: Bool
    }
    struct Tour: Decodable {
      var steps: [Step]
      var end, layer, term: String
      var isLeft: Bool
    }
    let tour: Tour = try run(
      """
      const steps = [];
      location.hash = "tour-1";
      while (true) {
        await until(() => byId("tour-place").textContent.startsWith(`Step ${tourStep()} of`));
        const place = byId(tourSteps[tourStep() - 1].dataset.place);
        await until(() => place.checkVisibility() && unfinished.size === 0);
        await new Promise((done) => setTimeout(done, 50));
        const { top } = place.getBoundingClientRect();
        steps.push({
          hash: location.hash, place: place.id, title: byId("tour-title").textContent,
          isShown: top < innerHeight && !byId("tour").hidden,
        });
        if (byId("tour-next").textContent === "End") break;
        const next = `#tour-${tourStep() + 1}`;
        byId("tour-next").click();
        await until(() => location.hash === next);
        await until(() => byId("tour-place").textContent.startsWith(`Step ${tourStep()} of`));
      }
      const layer = layers[state.layer].name;
      byId("glossary").scrollIntoView();
      location.hash = "tour-2";
      await until(() => byId("tour-place").textContent.startsWith("Step 2"));
      byId("tour-text").querySelector("[href='#term-kernel']").focus();
      const term = byId("term-note").textContent;
      byId("tour-leave").click();
      return { steps, end: location.hash, layer, term, isLeft: byId("tour").hidden };
      """)
    #expect(tour.steps.map(\.hash) == (1...10).map { "#tour-\($0)" })
    #expect(Set(tour.steps.map(\.title)).count == 10)
    #expect(tour.steps.filter { !$0.isShown }.map(\.hash) == [])
    #expect(tour.end == "" && tour.isLeft)
    #expect(tour.layer == "out_32", "a step chose it")
    #expect(tour.term.hasPrefix("The table of weights"))
  }

  @Test func theFunnelCountsWhatTheEngineFinds() throws {
    let texts: [String] = try run(
      """
      const texts = [byId("funnel").textContent];
      byId("score").value = 0.1;
      byId("score").dispatchEvent(new Event("input"));
      await settled();
      return [...texts, byId("funnel").textContent];
      """)
    let detector = try FaceDetector()
    let picture = try Picture.read(path: Tool.astronaut)
    let input = try picture.letterboxed(
      Letterbox(imageWidth: picture.width, imageHeight: picture.height, mode: .longSide(640)))
    for (text, score) in zip(texts, [0.5, 0.1] as [Float]) {
      func count(_ score: Float) throws -> Int {
        var options = DetectionOptions()
        options.scoreThreshold = score
        return try detector.candidates(in: input, options: options).count
      }
      var options = DetectionOptions()
      options.scoreThreshold = score
      let kept = try detector.detect(in: picture, options: options).count
      let expected = [
        "25,200 boxes proposed3 · (80 · 80 + 40 · 40 + 20 · 20)",
        "\(try count(0.001)) with some score",
        "\(try count(score)) over the threshold", "\(kept) kept",
      ]
      #expect(expected.allSatisfy { text.contains($0) }, "\(text), expected \(expected)")
    }
  }

  /// The map's scores are those of the tool's network on inputs with the square drawn in.
  @Test func coveredPiecesHaveTheScoresOfCoveredPictures() throws {
    struct Map: Decodable {
      struct Cell: Decodable { var x, y, side, score: Double }
      var before: Double
      var cells: [Cell]
      var text: String
      var after: [PageFace]
    }
    let map: Map = try run(
      """
      await coverPieces();
      const { before, cells } = occlusion;
      const text = byId("occlusion-text").textContent;
      await runAgain();
      return { before, cells, text, after: faces() };
      """)
    let detector = try FaceDetector(instructionSet: "baseline")
    let picture = try Picture.read(path: Tool.astronaut)
    let plain = try picture.letterboxed(
      Letterbox(imageWidth: picture.width, imageHeight: picture.height, mode: .longSide(640)))
    try #require(map.cells.count == 49)
    #expect(map.text.hasPrefix("49 squares covered."))
    var options = DetectionOptions()
    options.scoreThreshold = 0.1
    for cell in map.cells {
      var input = plain
      let side = Int(cell.side)
      let (left, top) = ((cell.x - cell.side / 2).rounded(), (cell.y - cell.side / 2).rounded())
      input.draw(
        try RGBImage(
          width: side, height: side, pixels: [UInt8](repeating: 114, count: 3 * side * side)),
        atX: Int(left), y: Int(top))
      // Other cells may be better now; one of them is the candidate's own.
      let scores = try detector.candidates(in: input, options: options).map { Double($0.score) }
      #expect(scores.contains { abs($0 - cell.score) <= 1e-5 }, "\(cell), \(scores)")
    }
    #expect(map.cells.contains { $0.score < map.before - 0.05 })
    try expect(map.after, are: tool.facesDetected(Tool.astronaut))
  }

  /// Sliders, layers, pixels and the map leave the page's own thread free. A busy machine makes every task
  /// longer, so one quiet try of three is enough.
  @Test(
    arguments: [Tool.astronaut] + (SharedData.exists ? [SharedData.path("images/selfie.png")] : [])
  )
  func noTaskIsLong(picture: String) throws {
    var longest = [Double]()
    for _ in 1...3 {
      longest = try run(
        """
        const pause = (time) => new Promise((done) => setTimeout(done, time));
        await pause(500);
        const tasks = [];
        new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
          .observe({ entryTypes: ["longtask"] });
        const values = { score: [0.02, 0.9, 0.1], overlap: [1, 0.45] };
        for (const [id, value] of Object.entries(values).flatMap(([id, all]) => all.map((one) => [id, one]))) {
          byId(id).value = value;
          byId(id).dispatchEvent(new Event("input"));
          await settled();
        }
        for (const layer of [1, 4, 40, 1]) {
          change({ layer });
          await pause(500);
        }
        for (let step = 0; step < 5; step++) await stepPixel(0, 1);
        await coverPieces();
        await runAgain();
        await pause(300);
        return tasks.filter((time) => time > 100);
        """, of: picture)
      if longest.isEmpty { break }
    }
    #expect(longest == [])
  }

  /// Text has the contrast of 4.5 that WCAG's level AA asks for, on every ground, in light and in dark.
  @Test func textIsReadable() throws {
    let unreadable: [String] = try run(
      """
      const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
      const paint = (colors) => {
        context.fillStyle = "#fff";
        for (const color of ["#fff", ...colors]) [context.fillStyle = color, context.fillRect(0, 0, 1, 1)];
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((part) =>
          part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const contrast = (node) => {
        const grounds = [];
        for (let at = node; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
        const [low, high] = [paint(grounds), paint([...grounds, getComputedStyle(node).color])].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
      };
      change({ candidate: detection.result.suppressor.findIndex((by) => by >= 0), point: null, layer: 1 });
      await settled();
      await until(() => document.querySelector("#pixel-parts td"));
      const isText = (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "";
      const nodes = [...document.querySelectorAll("body :not(svg *, script)")]
        .filter((node) => node.checkVisibility() && [...node.childNodes].some(isText));
      const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
      const dark = rules.filter((rule) => rule.conditionText?.includes("dark"));
      const found = dark.length === 1 && nodes.length > 500 ? [] : ["too little was looked at"];
      for (const media of ["not all", "all"]) {
        dark[0].media.mediaText = media;
        for (const node of nodes) if (contrast(node) < 4.5) found.push(`${media} ${node.outerHTML} ${contrast(node)}`);
      }
      return found;
      """)
    #expect(unreadable == [])
  }

  /// A head's output unfolds into the maps of the convolution that it reshapes and transposes.
  @Test func aHeadsOutputUnfoldsByAnchor() throws {
    struct Unfolded: Decodable {
      var differences, places: Int
      var caption: String
      var channels: [Int]
    }
    let unfolded: Unfolded = try run(
      """
      let [differences, places] = [0, 0];
      const channels = [];
      for (const stride of [8, 16, 32]) {
        const of = async (name) => {
          const blob = blobs.find((blob) => blob.name === name);
          const [computedBlob] = await computed([name]);
          return channelsOfBlob(blob, computedBlob, 0);
        };
        const plain = await of(`stride_${stride}`);
        for (const name of [`reshape_${stride}`, `out_${stride}`]) {
          const { maps, channels: found } = await of(name);
          channels.push(maps.channels);
          found.forEach(({ values }, channel) => values.forEach((value, cell) => {
            if (Math.abs(value - plain.channels[channel].values[cell]) > 1e-4 * Math.max(1, Math.abs(value))) differences++;
          }));
          const place = { channel: 37, row: 5, column: 11 };
          if (JSON.stringify(maps.toMap(maps.toBlob(place))) === JSON.stringify(place)) places++;
        }
      }
      change({ layer: layers.findIndex(({ name }) => name === "out_32") });
      await until(() => byId("maps").dataset.blob === "out_32");
      return { differences, places, channels, caption: byId("maps").querySelectorAll("figcaption")[20].textContent };
      """)
    #expect(unfolded.channels == [48, 48, 48, 48, 48, 48])
    #expect(unfolded.differences == 0 && unfolded.places == 6)
    #expect(unfolded.caption.hasPrefix("231 × 300, t4: "))
  }

  @Test func keysChooseAChannel() throws {
    let places: [String] = try run(
      """
      change({ layer: layers.findIndex(({ name }) => name === "stem_c1") });
      await until(() => byId("maps").dataset.blob === "stem_c1" && byId("maps").querySelector(".mark"));
      const places = [byId("pixel-place").textContent];
      for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft"]) {
        byId("maps").dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
        places.push(byId("pixel-place").textContent.split(",")[0]);
      }
      await until(() => byId("pixel-parts").children.length > 0);
      return [...places, byId("pixel-parts").textContent];
      """)
    #expect(places[1...3] == ["Channel 1", "Channel 2", "Channel 1"])
    #expect(places[4].contains("red") && places[4].contains("green") && places[4].contains("blue"))
  }

  /// Where no face of before is found, there is no change of a score to speak of.
  @Test func anEffectWithoutPairsHasNoChange() throws {
    let texts: [String] = try run(
      """
      const face = (x) => ({ score: 0.5, box: { x, y: 0, width: 10, height: 10 } });
      return [effectOn([face(0)], [face(100)]), effectOn([face(0)], [{ ...face(1), score: 0.25 }])];
      """)
    #expect(texts[0] == "Of the 1 face before, 0 still found; 1 new face.")
    #expect(texts[1].hasSuffix("0 new faces. Largest change of a score: 0.2500."))
  }

  /// A key in the list of faces chooses one and leaves the focus in the list.
  @Test func choosingAFaceKeepsTheFocus() throws {
    let found: [Bool] = try run(
      """
      const button = byId("faces").querySelector("button");
      button.focus();
      button.click();
      return [byId("faces").contains(document.activeElement)];
      """)
    #expect(found == [true])
  }
}
