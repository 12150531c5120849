// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace

@testable import YOLOFaceExplanation

private let node = Programs.path(ofAny: "node")

/// What the engine in a page, in WebAssembly, tells the page's scripts about faces and coordinate spaces: the
/// same as the engine of the tool, and what is worked out by hand.
@Suite(.enabled(if: node != nil, "needs Node.js on the path"))
struct PageEngineTests {
  private let folder = try! TemporaryFolder()
  private let picture = try! Picture.read(path: SharedData.astronaut)

  private func source(_ name: String) throws -> String {
    try String(
      contentsOf: SharedData.projectRoot.appending(path: "Tool/Sources/Explanation/\(name)"),
      encoding: .utf8)
  }

  /// Runs the body of an asynchronous function among those of a page's scripts that draw nothing.
  private func run<Result: Decodable>(
    _ script: String, by detector: FaceDetector? = nil, isLive: Bool = false
  ) throws -> Result {
    let explanation = try Explanation(
      of: picture, named: "", by: try detector ?? FaceDetector(), isLive: isLive)
    let scripts = try [
      "Page/data.js", "Engine/engine.js", "Page/detection.js", "Page/coordinates.js",
    ].map(source)
    let json = String(decoding: try JSONEncoder().encode(explanation), as: UTF8.self)
    let program = """
      const document = { getElementById: () => ({ textContent: JSON.stringify(\(json)) }) };
      \(scripts.joined(separator: "\n"))
      (async () => {
        engine = await Engine.start(report.engine);
        return (async () => { \(script) })();
      })().then((value) => console.log(JSON.stringify(value)));
      """
    let file = folder.url.appending(path: "page.js")
    try Data(program.utf8).write(to: file)
    let run = try Programs.run(URL(filePath: try #require(node)), [file.path])
    try #require(run.status == 0, "\(run.output)")
    return try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
  }

  @Test func keepsTheFacesThatTheToolFinds() throws {
    let thresholds: [(score: Float, overlap: Double)] = [
      (0.5, 0.45), (0.1, 0.3), (0.02, 0.6), (0.5, 0), (0.7, 1), (0.99, 0.45),
    ]
    let kept: [[[Double]]] = try run(
      """
      propose(readCandidates());
      return \(thresholds.map { [Double($0.score), $0.overlap] }).map(([score, overlap]) => {
        Object.assign(state, { score, overlap });
        detectAgain();
        return detection.result.kept.map((index) => [...numbersOf([detection.shown[index]])]);
      });
      """)
    let detector = try FaceDetector()
    for (thresholds, found) in zip(thresholds, kept) {
      var options = DetectionOptions()
      (options.scoreThreshold, options.overlapThreshold) = thresholds
      #expect(found == (try detector.detect(in: picture, options: options).map(numbers)))
    }
    #expect((kept.map(\.count).max() ?? 0) > 5 && kept[5].isEmpty)
  }

  /// The pages' engine, with or without a network, takes the library's looks: the same bits as kernels without
  /// fused multiply-add give, also of a long picture, which is seen in windows.
  @Test func findsTheLibrarysFaces() throws {
    let head = try picture.cropped(x: 100, y: 0, width: 256, height: 256)
    var page = RGBImage(width: 256, height: 2560, fill: .white)
    for y in [0, 700, 1500, 2300] { page.draw(head, atX: 0, y: y) }
    let detector = try FaceDetector(instructionSet: "baseline")
    for (picture, count) in [(picture, 1), (page, 4)] {
      let found: [[Double]] = try run(
        """
        const pixels = Buffer.from("\(Data(picture.pixels).base64EncodedString())", "base64");
        const [width, height] = [\(picture.width), \(picture.height)];
        const rgba = new Uint8ClampedArray(4 * width * height);
        for (let pixel = 0; pixel < width * height; pixel++) {
          rgba.set(pixels.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
        }
        engine.open(report.live.model);
        const faces = engine.detect({ rgba, width, height }, { longSide: 0, score: 0.5, overlap: 0.45 });
        return faces.map((face) => [...numbersOf([face])]);
        """, isLive: true)
      #expect(found == (try detector.detect(in: picture).map(numbers)))
      #expect(found.count == count)
    }
  }

  /// Every output of the default model has the bits that kernels without fused multiply-add give.
  @Test(arguments: [FaceDetector.Precision.fp32, .int8], [[320, 320], [640, 480]])
  func computesTheLibrarysOutputs(precision: FaceDetector.Precision, size: [Int]) throws {
    let detector = try FaceDetector(precision: precision, instructionSet: "baseline")
    let pixels = (0..<size[0] * size[1]).flatMap { pixel in
      (0..<3).map { UInt8((4 * pixel + $0) * 7919 % 251) }
    }
    let input = try RGBImage(width: size[0], height: size[1], pixels: pixels)
    let names = detector.recipe.heads.flatMap(\.blobs)
    let expected = try detector.engine.run(
      [detector.recipe.input: try detector.recipe.tensor(input)], extracting: names)
    let found: [[UInt32]] = try run(
      """
      const [width, height] = \(size);
      const rgba = Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) => (at * 7919) % 251);
      engine.open(report.live.model);
      engine.take({ rgba, width, height });
      return engine.compute(\(names)).map(({ values }) => [...new Uint32Array(values.buffer)]);
      """, by: detector, isLive: true)
    #expect(found == (try names.map { try #require(expected[$0]).values.map(\.bitPattern) }))
  }

  /// Squares of side 10, see the article on suppression: 3 apart they share 70 of 130, 6 apart 40 of 160.
  @Test func suppressesByTheRule() throws {
    let found: [[Double]] = try run(
      """
      const squares = [[6, 0.7], [3, 0.8], [0, 0.9], [0, 0.25], [90, 0.5]]
        .map(([x, score]) => ({ score, box: { x, y: 0, width: 10, height: 10 } }));
      const { kept, admitted, suppressor } = engine.suppress(squares, { score: 0.5, overlap: 0.45 });
      const { kept: order } = engine.suppress(squares, { score: 0, overlap: 1 });
      const overlaps = engine.overlaps(squares.slice(0, 1), squares.slice(1, 3))
        .concat(engine.overlaps(squares.slice(4), squares.slice(0, 4)))
        .map(({ other, intersection, union, iou }) => [other, intersection, union, iou]);
      return [kept, [admitted], [...suppressor], order, overlaps[0], overlaps[1].toSpliced(2, 1)];
      """)
    #expect(found[0...1] == [[2, 0, 4], [4]])
    #expect(found[2...3] == [[-1, 2, -1, -2, -1], [2, 1, 0, 4, 3]])
    #expect(found[4...5] == [[0, 70, 130, 70.0 / 130], [-1, 0, 0]])
  }

  /// A picture of 400 × 300 in a view of 300 × 600, see `Gravity`, turned clockwise before that.
  @Test func namesTheStepsOfAViewSpace() throws {
    let steps: [[String]] = try run(
      """
      Object.assign(report.picture, { width: 300, height: 400 });
      const choice = {
        orientation: 6, isMirrored: true, placement: 3, view: { width: 300, height: 600 }, system: 3,
      };
      const names = { orientation: "right", placement: "aspectFill", system: "normalizedFromBottomLeft" };
      return viewSpace(choice, names).steps;
      """)
    #expect(
      steps == [
        ["orientation right", "x′ = 400 − y, y′ = x", "400 × 300"],
        ["mirror", "x′ = 400 − x, y′ = y", "400 × 300"],
        [
          "aspectFill",
          "scale = max(300 / 400, 600 / 300) = 2.0000; offset = (view − scale · picture) / 2 = (−250.0, 0.0)",
          "300 × 600",
        ],
        ["normalizedFromBottomLeft", "x′ = x / 300, y′ = 1 − y / 600", "300 × 600"],
      ])
  }

  private static let face = Face(
    score: 0.75, box: Box(x: 10, y: 20, width: 30, height: 45),
    landmarks: Landmarks((15, 30), (31, 30.5), (22, 41), (16, 52), (30, 53)))

  private func numbers(_ face: Face) -> [Double] {
    [Double(face.score), face.box.x, face.box.y, face.box.width, face.box.height]
      + (face.landmarks?.points.flatMap { [$0.x, $0.y] } ?? [])
  }

  @Test func everyViewSpaceIsThatOfTheTool() throws {
    let found: [[Double]] = try run(
      """
      const face = faceOf(\(numbers(Self.face)));
      const found = [];
      for (let orientation = 1; orientation <= ORIENTATIONS.length; orientation++) {
        for (const isMirrored of [false, true]) {
          for (let placement = 0; placement < 4; placement++) {
            for (let system = 0; system < 4; system++) {
              const choice = { orientation, isMirrored, placement, view: { width: 390, height: 844 }, system };
              found.push([...numbersOf(engine.mapToView([face], { width: 512, height: 400 }, choice))]);
            }
          }
        }
      }
      return found;
      """)
    let spaces = try ViewSpace.all(
      image: Size2D(width: 512, height: 400), view: Size2D(width: 390, height: 844))
    #expect(found == spaces.map { numbers($0.map(Self.face)) })
    #expect(found.count == 8 * 2 * 4 * 4)
  }

  /// The pages list the placements and the coordinate systems in the engine's order.
  @Test func thePagesListWhatTheEngineKnows() throws {
    let names =
      ["picture"] + Gravity.allCases.map { "\($0)" } + CoordinateSystem.allCases.map { "\($0)" }
    let options = try source("Page/coordinates.html").matches(of: /<option value="([A-Za-z]+)"/)
      .map { String($0.1) }
    #expect(options == names)
  }

  @Test func everyLetterboxIsThatOfTheTool() throws {
    let stretched = Letterbox.Style(
      fill: 0, size: Letterbox.InputSize(width: 320, height: 240), stretches: true)
    let cases: [(width: Int, height: Int, mode: Letterbox.Mode, style: Letterbox.Style)] = [
      (1000, 601, .longSide(640), .yolov5), (601, 1000, .square(320), .yolov5),
      (512, 512, .exact(width: 640, height: 384), .yolov5), (3, 1000, .longSide(64), .yolov5),
      (500, 400, .exact(width: 320, height: 240), stretched),
    ]
    let letterboxes = try cases.map {
      try Letterbox(imageWidth: $0.width, imageHeight: $0.height, mode: $0.mode, style: $0.style)
    }
    let fits = zip(letterboxes, cases).map { LetterboxReport($0, mode: $1.mode) }
    let found: [[Double]] = try run(
      """
      const face = faceOf(\(numbers(Self.face)));
      return \(String(decoding: try JSONEncoder().encode(fits), as: UTF8.self)).map((fit) => {
        const { inputWidth, inputHeight, padLeft, padTop } = engine.letterbox(fit);
        return [inputWidth, inputHeight, padLeft, padTop]
          .concat(...numbersOf(engine.mapToInput([face], fit)))
          .concat(...numbersOf(engine.mapToPicture([face], fit)));
      });
      """)
    let expected = letterboxes.map { letterbox in
      [letterbox.inputWidth, letterbox.inputHeight, letterbox.padLeft, letterbox.padTop]
        .map { Double($0) }
        + numbers(letterbox.map(Self.face)) + numbers(letterbox.unmap(Self.face))
    }
    #expect(found == expected)
  }

  @Test func refusesWhatCannotBe() throws {
    let attempts = [
      ("viewSpace({ width: 0, height: 8 }, {})", "image size 0"),
      ("viewSpace(picture, { orientation: 9 })", "there is no such view space"),
      ("viewSpace(picture, { orientation: NaN })", "there is no such view space"),
      ("viewSpace(picture, { placement: 4 })", "there is no such view space"),
      ("viewSpace(picture, { system: -1 })", "there is no such view space"),
      ("mapToView([], picture, { system: 1e300 })", "there is no such view space"),
      (
        "letterbox({ ...report.letterbox, width: 33 })",
        "network input size 33 × 33: each side must be a multiple of 32"
      ),
      ("mapToInput([], { ...report.letterbox, imageWidth: -1 })", "image size -1"),
      ("letterbox({ ...report.letterbox, granularity: 0, width: -32 })", "network input size -32"),
    ]
    let found: [String] = try run(
      """
      const picture = { width: 8, height: 8 };
      return [\(attempts.map { "() => engine.\($0.0)" }.joined(separator: ","))].map((attempt) => {
        try {
          return `accepted: ${attempt()}`;
        } catch (error) {
          return error.message;
        }
      });
      """)
    #expect(found.count == attempts.count)
    for (message, attempt) in zip(found, attempts) { #expect(message.hasPrefix(attempt.1)) }
  }

  /// What is said of a proposal's numbers leads to the candidate that suppression gets.
  @Test func theDecodingOfACandidateLeadsToIt() throws {
    let found: [Double] = try run(
      """
      engine.open(report.live.model);
      const side = 64;
      const rgba = Uint8ClampedArray.from({ length: 4 * side * side }, (_, index) => (index * 7) % 251);
      engine.take({ rgba, width: side, height: side });
      const { candidates } = engine.explain(report.heads, 0);
      const differences = candidates.flatMap(({ cell, box, landmarks, score }) => {
        const values = engine.decoding(cell).map(({ value }) => value);
        const middle = [box.x + box.width / 2, box.y + box.height / 2];
        const points = landmarks.flatMap(({ x, y }) => [x, y]);
        const decoded = [...middle, box.width, box.height, values[4], ...points];
        return [1000 * (values[4] * values[15] - score), ...decoded.map((number, at) => values[at] - number)];
      });
      const largest = Math.max(...differences.map(Math.abs));
      const refused = [{ head: 3 }, { anchor: 3 }, { row: 8 }, { column: -1 }].filter((wrong) => {
        try {
          engine.decoding({ head: 0, anchor: 0, row: 0, column: 0, ...wrong });
          return false;
        } catch {
          return true;
        }
      }).length;
      return [candidates.length, largest, refused];
      """, isLive: true)
    // All cells of 8 × 8, 4 × 4 and 2 × 2, three anchors each.
    #expect(found[0] == 3 * (64 + 16 + 4))
    // Which layers a step joins depends on what is extracted, and with it the order of sums in fp32.
    #expect(found[1] < 5e-3, "\(found)")
    #expect(found[2] == 4)
  }
}
