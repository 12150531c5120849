// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@Suite struct LetterboxTests {
  /// Worked out by hand: 1150 · 0.3125 = 359.375, truncated to 359, leaves 25 rows of padding, 12 above and 13 below.
  /// The short side of a sliver would scale to 0.064 of a pixel.
  @Test(
    arguments: [
      ((1280, 720), .longSide(640), 0.5, (640, 360), (640, 384), (0, 12)),
      ((2048, 1150), .longSide(640), 0.3125, (640, 359), (640, 384), (0, 12)),
      ((512, 512), .longSide(640), 1.25, (640, 640), (640, 640), (0, 0)),
      ((720, 1280), .longSide(640), 0.5, (360, 640), (384, 640), (12, 0)),
      ((1280, 720), .square(640), 0.5, (640, 360), (640, 640), (0, 140)),
      ((1280, 720), .exact(width: 320, height: 320), 0.25, (320, 180), (320, 320), (0, 70)),
      ((1000, 1000), .exact(width: 640, height: 480), 0.48, (480, 480), (640, 480), (80, 0)),
      ((1, 10_000), .longSide(640), 0.064, (1, 640), (32, 640), (15, 0)),
      ((1, 1), .longSide(32), 32, (32, 32), (32, 32), (0, 0)),
    ] as [((Int, Int), Letterbox.Mode, Double, (Int, Int), (Int, Int), (Int, Int))])
  func sizes(
    image: (Int, Int), mode: Letterbox.Mode, scale: Double, scaled: (Int, Int), input: (Int, Int),
    pad: (Int, Int)
  ) throws {
    let letterbox = try Letterbox(imageWidth: image.0, imageHeight: image.1, mode: mode)
    #expect(letterbox.imageSize == Size2D(width: Double(image.0), height: Double(image.1)))
    #expect(letterbox.scale == scale)
    #expect((letterbox.scaledWidth, letterbox.scaledHeight) == scaled)
    #expect((letterbox.inputWidth, letterbox.inputHeight) == input)
    #expect((letterbox.padLeft, letterbox.padTop) == pad)
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

  /// The content of this photograph is 359 rows, not 1150 · 0.3125 = 359.375: its last row ends at
  /// 12 + 359.
  @Test func mapsEdgesToEdges() throws {
    let letterbox = try Letterbox(imageWidth: 2048, imageHeight: 1150, mode: .longSide(640))
    #expect(letterbox.map(Point2D(x: 0, y: 0)) == Point2D(x: 0, y: 12))
    #expect(letterbox.map(Point2D(x: 2048, y: 1150)) == Point2D(x: 640, y: 371))
    #expect(letterbox.unmap(Point2D(x: 640, y: 371)) == Point2D(x: 2048, y: 1150))
    #expect((letterbox.horizontalScale, letterbox.verticalScale) == (0.3125, 359.0 / 1150))
    #expect(!letterbox.swapsSides)
    let sliver = try Letterbox(imageWidth: 1, imageHeight: 10_000, mode: .longSide(640))
    #expect(sliver.map(Point2D(x: 1, y: 10_000)) == Point2D(x: 16, y: 640))
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
    for mode in [
      Letterbox.Mode.longSide(size), .square(size), .exact(width: size, height: 640),
    ] {
      #expect(throws: ValueError.self) {
        try Letterbox(imageWidth: 10, imageHeight: 10, mode: mode)
      }
    }
    let error = ValueError(
      "network input size 640 × \(size): each side must be a multiple of 32 from 32 to 16384")
    #expect(throws: error) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .exact(width: 640, height: size))
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
    #expect(
      [letterbox.padLeft, letterbox.padTop] == [golden.letterbox.padLeft, golden.letterbox.padTop])
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
    #expect(stretched.unmap(Point2D(x: 160, y: 120)) == Point2D(x: 50, y: 100))
  }

  @Test(arguments: [
    Letterbox.Mode.longSide(320), .square(320), .exact(width: 240, height: 320),
    .exact(width: 640, height: 480),
  ])
  func fixedSizesRefuseOthers(mode: Letterbox.Mode) {
    let style = Letterbox.Style(fill: 0, size: Letterbox.InputSize(width: 320, height: 240))
    #expect(throws: ValueError("\(mode): the network takes inputs of 320 × 240 only")) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: mode, style: style)
    }
  }

  /// The longer side is √(area · long / short), rounded down, then up to the granularity.
  @Test(arguments: [
    ((1280, 720), 1, (256, 144)), ((720, 1280), 1, (144, 256)), ((512, 512), 1, (192, 192)),
    ((2048, 1150), 1, (256, 143)), ((512, 512), 32, (192, 192)), ((1280, 720), 50, (300, 200)),
    ((1 << 20, 1), 1, (16384, 1)),
  ])
  func areasKeepTheShape(
    image: (Int, Int), granularity: Int, input: (Int, Int)
  ) throws {
    let style = Letterbox.Style(
      fill: 0, granularity: granularity, standardMode: .area(36864), stretches: true)
    let letterbox = try Letterbox(
      imageWidth: image.0, imageHeight: image.1, mode: style.standardMode, style: style)
    #expect((letterbox.inputWidth, letterbox.inputHeight) == input)
    #expect(abs(letterbox.horizontalScale / letterbox.verticalScale - 1) < 0.02 || image.1 == 1)
  }

  @Test(arguments: [0, -1, .min, .max])
  func refusesImpossibleAreas(area: Int) {
    #expect(throws: ValueError.self) {
      try Letterbox(imageWidth: 10, imageHeight: 10, mode: .area(area))
    }
  }

  /// A picture that is not fitted into an exact size keeps its shape.
  @Test func stretchesToExactSizesOnly() throws {
    let style = Letterbox.Style(
      fill: 0, granularity: 1, standardMode: .exact(width: 300, height: 300), stretches: true)
    let usual = try Letterbox(
      imageWidth: 100, imageHeight: 50, mode: style.standardMode, style: style)
    #expect([usual.scaledWidth, usual.scaledHeight] == [300, 300])
    let long = try Letterbox(
      imageWidth: 100, imageHeight: 50, mode: .longSide(320), style: style)
    #expect([long.inputWidth, long.inputHeight, long.scaledHeight] == [320, 160, 160])
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
