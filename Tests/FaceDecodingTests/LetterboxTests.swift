import FaceDecoding
import TestSupport
import Testing

@Suite struct LetterboxTests {
  /// The expected numbers of a letterbox, worked out by hand.
  struct Case: Sendable {
    var image: (Int, Int)
    var mode: Letterbox.Mode
    var scale: Double
    var scaled: (Int, Int)
    var input: (Int, Int)
    var pad: (Int, Int)
  }

  static let cases = [
    Case(
      image: (1280, 720), mode: .longSide(640),
      scale: 0.5, scaled: (640, 360), input: (640, 384), pad: (0, 12)),
    // 1150 · 0.3125 = 359.375, truncated to 359; 25 rows of padding, 12 above and 13 below.
    Case(
      image: (2048, 1150), mode: .longSide(640),
      scale: 0.3125, scaled: (640, 359), input: (640, 384), pad: (0, 12)),
    Case(
      image: (512, 512), mode: .longSide(640),
      scale: 1.25, scaled: (640, 640), input: (640, 640), pad: (0, 0)),
    Case(
      image: (720, 1280), mode: .longSide(640),
      scale: 0.5, scaled: (360, 640), input: (384, 640), pad: (12, 0)),
    Case(
      image: (1280, 720), mode: .square(640),
      scale: 0.5, scaled: (640, 360), input: (640, 640), pad: (0, 140)),
    Case(
      image: (1280, 720), mode: .exact(width: 320, height: 320),
      scale: 0.25, scaled: (320, 180), input: (320, 320), pad: (0, 70)),
    Case(
      image: (1000, 1000), mode: .exact(width: 640, height: 480),
      scale: 0.48, scaled: (480, 480), input: (640, 480), pad: (80, 0)),
    // The short side would scale to 0.064 of a pixel.
    Case(
      image: (1, 10_000), mode: .longSide(640),
      scale: 0.064, scaled: (1, 640), input: (32, 640), pad: (15, 0)),
    Case(
      image: (1, 1), mode: .longSide(32),
      scale: 32, scaled: (32, 32), input: (32, 32), pad: (0, 0)),
  ]

  @Test(arguments: cases)
  func sizes(expected: Case) throws {
    let letterbox = try Letterbox(
      imageWidth: expected.image.0, imageHeight: expected.image.1, mode: expected.mode)
    #expect(letterbox.scale == expected.scale)
    #expect((letterbox.scaledWidth, letterbox.scaledHeight) == expected.scaled)
    #expect((letterbox.inputWidth, letterbox.inputHeight) == expected.input)
    #expect((letterbox.padLeft, letterbox.padTop) == expected.pad)
  }

  @Test func imageSizeIsTheOneGiven() throws {
    let letterbox = try Letterbox(imageWidth: 12, imageHeight: 34, mode: .longSide(32))
    #expect(letterbox.imageSize == Size(width: 12, height: 34))
  }

  /// 640 · (1 / 49) · 49 is not 640 in floating point; the long side must not lose a pixel to that.
  @Test func longSideIsExactForEveryImage() throws {
    for side in 1...3000 {
      let wide = try Letterbox(imageWidth: side, imageHeight: 1, mode: .longSide(640))
      #expect(wide.scaledWidth == 640 && wide.inputWidth == 640)
      let tall = try Letterbox(
        imageWidth: 1, imageHeight: side, mode: .exact(width: 320, height: 640))
      #expect(tall.scaledHeight <= 640 && tall.scaledWidth <= 320)
      #expect(tall.scaledHeight == 640 || tall.scaledWidth == 320)
    }
  }

  @Test func mapsByScaleAndPadding() throws {
    let letterbox = try Letterbox(imageWidth: 1280, imageHeight: 720, mode: .longSide(640))
    #expect(letterbox.map(Point(x: 0, y: 0)) == Point(x: 0, y: 12))
    #expect(letterbox.map(Point(x: 1280, y: 720)) == Point(x: 640, y: 372))
    #expect(letterbox.unmap(Point(x: 320, y: 192)) == Point(x: 640, y: 360))
    #expect(
      letterbox.unmap(Rectangle(x: 10, y: 22, width: 30, height: 40))
        == Rectangle(x: 20, y: 20, width: 60, height: 80))
    #expect(!letterbox.swapsSides)
  }

  /// The content of this photograph is 359 rows, not 1150 · 0.3125 = 359.375: its last row ends at
  /// 12 + 359.
  @Test func edgesMapToEdges() throws {
    let letterbox = try Letterbox(imageWidth: 2048, imageHeight: 1150, mode: .longSide(640))
    #expect(letterbox.map(Point(x: 2048, y: 1150)) == Point(x: 640, y: 371))
    #expect(letterbox.unmap(Point(x: 640, y: 371)) == Point(x: 2048, y: 1150))
    #expect((letterbox.horizontalScale, letterbox.verticalScale) == (0.3125, 359.0 / 1150))
    let sliver = try Letterbox(imageWidth: 1, imageHeight: 10_000, mode: .longSide(640))
    #expect(sliver.map(Point(x: 1, y: 10_000)) == Point(x: 16, y: 640))
  }

  @Test func unmapUndoesMap() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<300 {
      let mode: [Letterbox.Mode] = [
        .longSide(640), .square(320), .exact(width: 640, height: 480),
      ]
      let letterbox = try Letterbox(
        imageWidth: .random(in: 1...9000, using: &random),
        imageHeight: .random(in: 1...9000, using: &random),
        mode: mode.randomElement(using: &random)!)
      let face = Face(
        score: 0.5, box: random.rectangle(in: 9000), landmarks: random.landmarks(in: 9000))
      let back = letterbox.unmap(letterbox.map(face))
      #expect(isClose(back.box, face.box))
      #expect(isClose(back.landmarks!, face.landmarks!))
    }
  }

  @Test(arguments: [(0, 10), (10, 0), (-1, 10), (Int.min, 10), (1_048_577, 1), (1, Int.max)])
  func refusesImages(width: Int, height: Int) {
    let error = ValueError(
      "image size \(width) × \(height): each side must be from 1 to 1048576")
    #expect(throws: error) {
      try Letterbox(imageWidth: width, imageHeight: height, mode: .longSide(640))
    }
  }

  @Test func acceptsTheLargestImageAndInput() throws {
    let letterbox = try Letterbox(
      imageWidth: 1_048_576, imageHeight: 1_048_576, mode: .longSide(16_384))
    #expect(letterbox.inputWidth == 16_384 && letterbox.inputHeight == 16_384)
  }

  @Test(arguments: [0, -32, 31, 33, 100, 16_416, Int.max, Int.min])
  func refusesInputs(size: Int) {
    #expect(throws: ValueError.self) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .longSide(size))
    }
    #expect(throws: ValueError.self) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .square(size))
    }
    let error = ValueError(
      "network input size 640 × \(size): each side must be a multiple of 32 from 32 to 16384")
    #expect(throws: error) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .exact(width: 640, height: size))
    }
    #expect(throws: ValueError.self) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .exact(width: size, height: 640))
    }
  }

  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation), arguments: GoldenDetections.names)
  func agreesWithTheGoldens(name: String) throws {
    let golden = try GoldenDetections.read(name)
    let letterbox = try Letterbox(
      imageWidth: golden.imageSize[0], imageHeight: golden.imageSize[1],
      mode: .longSide(golden.letterbox.longSide))
    #expect([letterbox.inputWidth, letterbox.inputHeight] == golden.letterbox.inputSize)
    #expect(letterbox.scale == golden.letterbox.scale)
    #expect(letterbox.padLeft == golden.letterbox.padLeft)
    #expect(letterbox.padTop == golden.letterbox.padTop)
    #expect(Int(letterbox.style.fill) == golden.letterbox.fill)
  }

  @Test func fixedSizesArePaddedOrStretched() throws {
    let size = Letterbox.InputSize(width: 320, height: 240)
    let padded = Letterbox.Style(fill: 0, size: size)
    #expect(padded.standardMode == .exact(width: 320, height: 240))
    let fitted = try Letterbox(
      imageWidth: 100, imageHeight: 200, mode: padded.standardMode, style: padded)
    #expect([fitted.scaledWidth, fitted.scaledHeight, fitted.padLeft] == [120, 240, 100])
    let stretching = Letterbox.Style(fill: 0, size: size, stretches: true)
    let stretched = try Letterbox(
      imageWidth: 100, imageHeight: 200, mode: stretching.standardMode, style: stretching)
    #expect([stretched.scaledWidth, stretched.scaledHeight] == [320, 240])
    #expect([stretched.padLeft, stretched.padTop] == [0, 0])
    #expect(stretched.horizontalScale == 3.2 && stretched.verticalScale == 1.2)
    #expect(stretched.scale == 1.2)
    #expect(stretched.unmap(Point(x: 160, y: 120)) == Point(x: 50, y: 100))
  }

  @Test(arguments: [
    Letterbox.Mode.longSide(320), .square(320), .exact(width: 240, height: 320),
    .exact(width: 640, height: 480),
  ])
  func fixedSizesRefuseOthers(mode: Letterbox.Mode) {
    let size = Letterbox.InputSize(width: 320, height: 240)
    let error = ValueError("\(mode): the network takes inputs of 320 × 240 only")
    #expect(throws: error) {
      try Letterbox(
        imageWidth: 10, imageHeight: 10, mode: mode, style: Letterbox.Style(fill: 0, size: size))
    }
  }

  @Test func standardModesAreMultiples() {
    #expect(Letterbox.Style.yolov5.standardMode == .longSide(640))
    #expect(Letterbox.Style(fill: 0, granularity: 128).standardMode == .longSide(640))
    #expect(Letterbox.Style(fill: 0, granularity: 100).standardMode == .longSide(700))
  }

  @Test(
    arguments: [
      (-64, 32, -64), (-5, 32, 0), (0, 32, 0), (1, 32, 32), (32, 32, 32), (33, 32, 64),
      (640, .max, .max), (.max, 32, .max - 31), (.max, .max, .max), (.min, 32, .min),
    ] as [(Int, Int, Int)])
  func roundsUpToAMultiple(side: Int, granularity: Int, expected: Int) {
    #expect(Letterbox.Style(fill: 0, granularity: granularity).roundedUp(side) == expected)
  }
}
