// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFaceRaster

struct SamplingTests {
  /// Red values 10 20 30
  ///            40 50 60, green twice and blue three times as much.
  private let image = try! RGBImage(
    width: 3, height: 2, pixels: [10, 20, 30, 40, 50, 60].flatMap { [$0, 2 * $0, 3 * $0] })

  @Test func aNewPictureHasItsOwnSizeAndMayTurn() throws {
    let turned = try image.sampled(width: 2, height: 3) { Point2D(x: $0.y, y: 2 - $0.x) }
    #expect(turned.reds == [[40, 10], [50, 20], [60, 30]])
  }

  /// A quarter of the way from 10 to 20 is 12.5, and from 40 to 50 is 42.5; half way between them
  /// 27.5, which is rounded up. Green and blue: 55 and 82.5.
  @Test func interpolatesBetweenFourCenters() throws {
    let one = try image.sampled(width: 1, height: 1) { _ in Point2D(x: 0.75, y: 1) }
    #expect(one[0, 0] == RGBColor(red: 28, green: 55, blue: 83))
  }

  @Test(arguments: [
    (0.0, 0.0, 10), (0.5, 0, 10), (3, 2, 60), (2.9, 1.2, 51), (1.5, 0, 20), (3, 0.5, 30),
  ])
  func theOuterHalfPixelRepeatsTheEdge(x: Double, y: Double, red: Int) throws {
    let one = try image.sampled(width: 1, height: 1) { _ in Point2D(x: x, y: y) }
    #expect(one[0, 0].red == red)
  }

  @Test(arguments: [
    (-0.01, 1.0), (3.01, 1), (1, -0.01), (1, 2.01), (Double.nan, 1), (1, .nan),
    (-.infinity, 1), (.infinity, 1), (1, 1e300),
  ])
  func outsideIsTheBackground(x: Double, y: Double) throws {
    let color = RGBColor(red: 1, green: 2, blue: 3)
    let one = try image.sampled(width: 1, height: 1, background: color) { _ in Point2D(x: x, y: y) }
    #expect(one[0, 0] == color)
  }
}

struct ViewRenderingTests {
  private let stored = RGBImage(reds: [[1, 2], [3, 4], [5, 6]])

  private func space(
    _ image: RGBImage, _ orientation: Orientation = .up, isMirrored: Bool = false,
    view: (width: Double, height: Double, gravity: Gravity)? = nil,
    coordinateSystem: CoordinateSystem = .pixels
  ) throws -> ViewSpace {
    try ViewSpace(
      imageSize: image.size,
      orientation: orientation, isMirrored: isMirrored,
      placement: view.map { .view(Size2D(width: $0.width, height: $0.height), $0.gravity) }
        ?? .picture, coordinateSystem: coordinateSystem)
  }

  /// 2 × 3 pixels in a view of 6 × 3 points: fitting leaves bars of 2 on both sides.
  @Test func fittingLeavesBars() throws {
    let view = try space(stored, view: (6, 3, .aspectFit))
    #expect(
      try stored.rendered(in: view, background: RGBColor(red: 9, green: 0, blue: 0)).reds
        == [[9, 9, 1, 2, 9, 9], [9, 9, 3, 4, 9, 9], [9, 9, 5, 6, 9, 9]])
    #expect(try stored.rendered(in: view)[0, 0] == .black)
  }

  /// 2 × 3 pixels in a view of 2 × 1 at scale 1 show their middle row, mirrored or not.
  @Test func fillingCutsOff() throws {
    #expect(try stored.rendered(in: space(stored, view: (2, 1, .aspectFill))).reds == [[3, 4]])
    #expect(
      try stored.rendered(in: space(stored, isMirrored: true, view: (2, 1, .aspectFill))).reds
        == [[4, 3]])
  }

  /// Twice as wide: new centres are at a quarter and three quarters between the old ones, and the
  /// outer ones beyond them. Rows stay.
  @Test func stretchesToTheView() throws {
    let stored = RGBImage(reds: [[0, 100], [100, 200]])
    #expect(
      try stored.rendered(in: space(stored, view: (4, 2, .resize))).reds
        == [[0, 25, 75, 100], [100, 125, 175, 200]])
  }

  /// One pixel for four by four: all of them count, where sampling at the centre would use only
  /// some.
  @Test(arguments: [Orientation.up, .right])
  func shrinksByTheMean(orientation: Orientation) throws {
    let stored = RGBImage(reds: [[200, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 80], [0, 40, 0, 0]])
    let seen = try stored.rendered(in: space(stored, orientation, view: (1, 1, .resize)))
    #expect(seen.reds == [[20]])
    let wide = RGBImage(reds: [[30, 0, 0, 60, 0, 0], [0, 30, 0, 0, 0, 0]])
    #expect(
      try wide.rendered(in: space(wide, view: (2, 2, .resize))).reds == [[10, 20], [10, 0]])
    let tall = try wide.rendered(in: space(wide, .right, view: (2, 2, .resize)))
    #expect(tall.reds == [[10, 10], [0, 20]])
  }

  @Test func coordinatesDoNotChangeThePicture() throws {
    for system in CoordinateSystem.allCases {
      let view = try space(stored, .left, view: (5, 2, .aspectFit), coordinateSystem: system)
      #expect(try stored.rendered(in: view).reds == [[0, 2, 4, 6, 0], [0, 1, 3, 5, 0]])
    }
  }

  @Test func aThumbnailStandsForThePhoto() throws {
    let photo = try ViewSpace(
      imageSize: Size2D(width: 200, height: 300),
      placement: .view(Size2D(width: 2, height: 3), .resize)
    )
    #expect(try stored.rendered(in: photo) == stored)
  }

  @Test func sidesAreRoundedUp() throws {
    let stored = RGBImage(reds: [[7]])
    let seen = try stored.rendered(in: space(stored, view: (2.25, 0.5, .resize)))
    #expect((seen.width, seen.height) == (3, 1))
  }

  @Test(arguments: [(1e9, 1e9), (1e9, 1e-6), (16384, 16385)])
  func refusesLargeViews(width: Double, height: Double) throws {
    let stored = RGBImage(reds: [[7]])
    let view = try space(stored, view: (width, height, .aspectFill))
    #expect(throws: ValueError.self) { try stored.rendered(in: view) }
  }
}
