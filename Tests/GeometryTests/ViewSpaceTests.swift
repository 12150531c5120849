// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceGeometry

@Suite struct ViewSpaceTests {
  let box = Box(x: 100, y: 50, width: 200, height: 100)
  let imageSize = Size2D(width: 1000, height: 500)

  /// x = width − x − boxWidth.
  @Test func mirrored() throws {
    let space = try ViewSpace(imageSize: imageSize, isMirrored: true)
    #expect(space.map(box) == Box(x: 700, y: 50, width: 200, height: 100))
    #expect(space.swapsSides)
  }

  /// All four steps, by hand, for the point (10, 20) of a stored picture of 200 × 100:
  ///
  ///     .right       (100 − 20, 10) = (80, 10) in 100 × 200
  ///     mirror       (100 − 80, 10) = (20, 10)
  ///     aspectFill   scale 4 in 400 × 400, 800 high, from y = −200: (80, −160)
  ///     bottom left  (80 / 400, (400 + 160) / 400) = (0.2, 1.4)
  @Test func stepsAreTakenInTheStatedOrder() throws {
    let space = try ViewSpace(
      imageSize: Size2D(width: 200, height: 100), orientation: .right, isMirrored: true,
      placement: .view(Size2D(width: 400, height: 400), .aspectFill),
      coordinateSystem: .normalizedFromBottomLeft)
    #expect(isClose(space.map(Point2D(x: 10, y: 20)), Point2D(x: 0.2, y: 1.4), tolerance: 1e-12))
    #expect(isClose(space.unmap(Point2D(x: 0.2, y: 1.4)), Point2D(x: 10, y: 20), tolerance: 1e-9))
  }

  @Test func theCanvasIsTheUprightPictureOrTheView() throws {
    let view = Size2D(width: 70, height: 50)
    for space in try ViewSpace.all(image: imageSize, view: view) {
      switch space.placement {
      case .view: #expect(space.canvasSize == view)
      case .picture:
        let isTurned = [5, 6, 7, 8].contains(space.orientation.rawValue)
        let turned = Size2D(width: 500, height: 1000)
        #expect(space.canvasSize == (isTurned ? turned : imageSize))
      }
    }
  }

  /// In the turned picture of 500 × 1000, (480, 10) is 0.96 of the width and 0.01 of the height.
  @Test func writtenInChangesOnlyTheNumbers() throws {
    let pixels = try ViewSpace(imageSize: imageSize, orientation: .right)
    let point = Point2D(x: 10, y: 20)
    #expect(isClose(pixels.map(point), Point2D(x: 480, y: 10)))
    let fractions = pixels.written(in: .normalized)
    #expect(isClose(fractions.map(point), Point2D(x: 0.96, y: 0.01)))
    let back = fractions.written(in: .pixels)
    #expect(back == pixels)
  }

  @Test func unmapUndoesMapInEverySpace() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<12 {
      let spaces = try random.spaces()
      #expect(spaces.count == 8 * 2 * 4 * 4)
      for space in spaces {
        let box = random.rectangle(in: 8000)
        let mapped = space.map(box)
        #expect(mapped.width >= 0 && mapped.height >= 0)
        #expect(isClose(space.unmap(mapped), box), "\(space)")
        let point = random.point(in: 8000)
        #expect(isClose(space.map(space.unmap(space.map(point))), space.map(point)), "\(space)")
      }
    }
  }

  @Test func theWholePictureStaysWhole() throws {
    let image = Size2D(width: 640, height: 480)
    let whole = Box(x: 0, y: 0, width: 640, height: 480)
    for space in try ViewSpace.all(image: image, view: Size2D(width: 320, height: 200)) {
      switch (space.placement, space.coordinateSystem) {
      case (.picture, .normalized), (.picture, .normalizedFromBottomLeft),
        (.view(_, .resize), .normalized), (.view(_, .resize), .normalizedFromBottomLeft):
        let unit = Box(x: 0, y: 0, width: 1, height: 1)
        #expect(isClose(space.map(whole), unit, tolerance: 1e-12), "\(space)")
      case (.view, .pixels), (.view, .pixelsFromBottomLeft):
        #expect(isClose(space.map(whole).center, Point2D(x: 160, y: 100)), "\(space)")
      case (.view, _):
        #expect(isClose(space.map(whole).center, Point2D(x: 0.5, y: 0.5)), "\(space)")
      case (.picture, _):
        #expect(isClose(space.map(whole).area, 640 * 480), "\(space)")
      }
    }
  }

  @Test func anOddNumberOfMirrorsSwapsSides() throws {
    for orientation in Orientation.allCases {
      for isMirrored in [false, true] {
        let space = try ViewSpace(
          imageSize: imageSize, orientation: orientation, isMirrored: isMirrored,
          coordinateSystem: .normalizedFromBottomLeft)
        let mirrors = ([2, 4, 5, 7].contains(orientation.rawValue) ? 1 : 0) + (isMirrored ? 1 : 0)
        #expect(space.swapsSides == (mirrors == 1))
      }
    }
  }

  @Test(arguments: [0, -1, 1e-7, 1e10, Double.infinity, -Double.infinity, .nan])
  func refusesSizes(side: Double) {
    let good = Size2D(width: 10, height: 10)
    for bad in [Size2D(width: side, height: 10), Size2D(width: 10, height: side)] {
      #expect(throws: ValueError.self) { try ViewSpace(imageSize: bad) }
      #expect(throws: ValueError.self) {
        try ViewSpace(imageSize: good, placement: .view(bad, .aspectFit))
      }
    }
  }

  @Test func errorsSayWhatWasFoundAndExpected() {
    let bad = Size2D(width: 0, height: -2)
    let expected = "size 0.0 × -2.0: each side must be from 1e-06 to 1000000000.0"
    #expect(throws: ValueError("image \(expected)")) { try ViewSpace(imageSize: bad) }
    #expect(throws: ValueError("view \(expected)")) {
      try ViewSpace(imageSize: Size2D(width: 1, height: 1), placement: .view(bad, .resize))
    }
  }
}

@Suite struct GravityTests {
  /// Where a picture of 400 × 300 goes in a tall and in a wide view.
  @Test(arguments: [
    (Size2D(width: 300, height: 600), Gravity.resize, Box(x: 0, y: 0, width: 300, height: 600)),
    (Size2D(width: 300, height: 600), .aspectFit, Box(x: 0, y: 187.5, width: 300, height: 225)),
    (Size2D(width: 300, height: 600), .aspectFill, Box(x: -250, y: 0, width: 800, height: 600)),
    (Size2D(width: 800, height: 300), .resize, Box(x: 0, y: 0, width: 800, height: 300)),
    (Size2D(width: 800, height: 300), .aspectFit, Box(x: 200, y: 0, width: 400, height: 300)),
    (Size2D(width: 800, height: 300), .aspectFill, Box(x: 0, y: -150, width: 800, height: 600)),
  ])
  func placesAPicture(view: Size2D, gravity: Gravity, expected: Box) throws {
    let picture = Box(x: 0, y: 0, width: 400, height: 300)
    let space = try ViewSpace(
      imageSize: Size2D(width: 400, height: 300), placement: .view(view, gravity))
    #expect(space.map(picture) == expected)
    #expect(space.unmap(expected) == picture)
  }
}

@Suite struct CoordinateSystemTests {
  /// The box of `ViewSpace`'s examples: 200 × 100 at (100, 50) in an image of 1000 × 500.
  @Test(arguments: [
    (CoordinateSystem.pixels, Box(x: 100, y: 50, width: 200, height: 100)),
    (.pixelsFromBottomLeft, Box(x: 100, y: 350, width: 200, height: 100)),
    (.normalized, Box(x: 0.1, y: 0.1, width: 0.2, height: 0.2)),
    (.normalizedFromBottomLeft, Box(x: 0.1, y: 0.7, width: 0.2, height: 0.2)),
  ])
  func box(system: CoordinateSystem, expected: Box) throws {
    let space = try ViewSpace(
      imageSize: Size2D(width: 1000, height: 500), coordinateSystem: system)
    let box = Box(x: 100, y: 50, width: 200, height: 100)
    #expect(isClose(space.map(box), expected, tolerance: 1e-12))
    #expect(isClose(space.unmap(expected), box, tolerance: 1e-9))
    #expect(!space.swapsSides)
  }
}
