// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceRaster

@Suite struct ResizeTests {
  static let image = try! RGBImage(
    width: 2, height: 2, pixels: [0, 0, 0, 100, 100, 100, 200, 200, 200, 44, 44, 44])

  @Test(arguments: ResizeFilter.allCases)
  func keepsThePictureAtItsOwnSize(filter: ResizeFilter) throws {
    #expect(try Self.image.resized(width: 2, height: 2, filter: filter) == Self.image)
  }

  @Test(arguments: ResizeFilter.allCases, [(1, 1), (6, 3), (1, 9), (64, 2)])
  func keepsAnEvenColor(filter: ResizeFilter, size: (width: Int, height: Int)) throws {
    let color = RGBColor(red: 255, green: 1, blue: 114)
    let image = RGBImage(width: 12, height: 6, fill: color)
    let resized = try image.resized(width: size.width, height: size.height, filter: filter)
    #expect(resized == RGBImage(width: size.width, height: size.height, fill: color))
  }

  @Test func enlargesBilinearlyWithTheAreaFilter() throws {
    for (width, height) in [(3, 3), (1, 5), (5, 1)] {
      #expect(
        try Self.image.resized(width: width, height: height, filter: .area)
          == Self.image.resized(width: width, height: height, filter: .bilinear))
    }
  }

  /// 13 × 5 pixels: 7 × 3 is more than half of it, 6 × 2 less.
  @Test func averagesPixelsThatBilinearSkips() throws {
    var random = SeededGenerator(seed: 3)
    let pixels = (0..<3 * 13 * 5).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try RGBImage(width: 13, height: 5, pixels: pixels)
    for (width, height, filter) in [
      (20, 9, ResizeFilter.bilinear), (7, 3, .bilinear), (6, 2, .area), (7, 2, .area),
    ] {
      #expect(
        try image.resized(width: width, height: height, filter: .automatic)
          == image.resized(width: width, height: height, filter: filter))
    }
    #expect(
      try image.resized(width: 6, height: 2, filter: .area)
        != image.resized(width: 6, height: 2, filter: .bilinear))
  }
}

@Suite struct HalvingTests {
  /// The general filters have no special case for halving.
  @Test(arguments: [(2, 2), (4, 2), (2, 6), (6, 4), (34, 18), (1280, 8), (250, 402)])
  func agreesWithTheGeneralFilters(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: 1)
    let pixels = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try RGBImage(width: width, height: height, pixels: pixels)
    let halved = image.halved()
    #expect(halved == image.resizedBilinearly(width: width / 2, height: height / 2))
    #expect(halved == image.resizedByArea(width: width / 2, height: height / 2))
  }
}

/// The literals are those of cv2.resize of OpenCV 5.0.0.
@Suite struct OpenCVResizeTests {
  /// INTER_LINEAR and INTER_AREA give the same.
  @Test(arguments: ResizeFilter.allCases)
  func agreesWhereItHalves(filter: ResizeFilter) throws {
    let image = try RGBImage(
      width: 6, height: 4,
      pixels: [
        168, 229, 184, 171, 238, 171, 20, 206, 245, 153, 204, 5, 37, 53, 213, 206, 192, 173,
        6, 120, 63, 96, 236, 131, 118, 4, 87, 161, 124, 71, 42, 73, 237, 16, 194, 250,
        10, 103, 206, 13, 143, 2, 38, 71, 133, 118, 36, 98, 196, 35, 57, 146, 50, 179,
        145, 104, 206, 53, 141, 33, 181, 39, 151, 11, 180, 138, 66, 0, 165, 98, 123, 12,
      ])
    #expect(
      try image.resized(width: 3, height: 2, filter: filter).pixels == [
        110, 206, 137, 113, 135, 102, 75, 128, 218, 55, 123, 112, 87, 82, 130, 127, 52, 103,
      ])
  }

  /// INTER_AREA may round a half the other way; none occurs here.
  @Test(
    arguments: [
      (2, 2, [86, 89, 126, 148, 116, 85, 109, 146, 115, 103, 105, 142]),
      (3, 1, [87, 124, 127, 111, 97, 117, 135, 121, 107]),
      (5, 1, [43, 80, 117, 154, 191, 143, 94, 46, 83, 120, 157, 194, 146, 97, 49]),
    ] as [(Int, Int, [UInt8])])
  func agreesByArea(width: Int, height: Int, expected: [UInt8]) throws {
    let image = try RGBImage(
      width: 5, height: 3, pixels: (0..<45).map { UInt8(truncatingIfNeeded: 37 * $0) })
    #expect(try image.resized(width: width, height: height, filter: .area).pixels == expected)
  }

  @Test(
    arguments: [
      (2, 1, [42, 84, 111, 78, 113, 27]),
      (
        5, 3,
        [
          10, 0, 200, 26, 102, 120, 50, 255, 1, 74, 106, 20, 90, 7, 33,
          5, 64, 132, 64, 95, 99, 153, 143, 50, 93, 119, 31, 54, 104, 19,
          0, 128, 64, 102, 89, 78, 255, 31, 99, 112, 132, 42, 17, 200, 5,
        ]
      ),
      (
        7, 4,
        [
          10, 0, 200, 16, 36, 171, 33, 146, 86, 50, 255, 1, 67, 149, 15, 84, 42, 28, 90, 7, 33,
          8, 32, 166, 21, 56, 146, 61, 127, 85, 101, 199, 26, 88, 137, 26, 76, 76, 26, 72, 55, 26,
          3, 96, 98, 31, 95, 95, 117, 91, 84, 204, 87, 75, 131, 115, 48, 59, 142, 21, 35, 152, 12,
          0, 128, 64, 36, 114, 69, 146, 72, 84, 255, 31, 99, 153, 103, 59, 51, 176, 18, 17, 200, 5,
        ]
      ),
    ] as [(Int, Int, [UInt8])])
  func agreesBilinearly(width: Int, height: Int, expected: [UInt8]) throws {
    let image = try RGBImage(
      width: 3, height: 2,
      pixels: [10, 0, 200, 50, 255, 1, 90, 7, 33, 0, 128, 64, 255, 31, 99, 17, 200, 5])
    #expect(try image.resized(width: width, height: height).pixels == expected)
  }

  /// The letterboxed pictures were made by OpenCV from the pictures: every byte must agree.
  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation),
    arguments: [("zidane", 640, 360, 12), ("selfie", 640, 359, 12), ("astronaut", 640, 640, 0)])
  func agreesWithLetterboxedPictures(name: String, width: Int, height: Int, top: Int) throws {
    let picture = try Picture.read(path: SharedData.path("images/\(name).png"))
    let expected = try Picture.read(
      path: SharedData.path("golden/yolov5n-0.5/detections/\(name).letterboxed.png"))
    var canvas = RGBImage(
      width: expected.width, height: expected.height,
      fill: RGBColor(red: 114, green: 114, blue: 114))
    try canvas.draw(picture.resized(width: width, height: height), atX: 0, y: top)
    #expect(canvas == expected)
  }
}
