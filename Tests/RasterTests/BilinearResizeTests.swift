import Raster
import TestSupport
import Testing

/// The literals are OpenCV's: cv2.resize(…, interpolation=cv2.INTER_LINEAR) of 5.0.0.
@Suite struct BilinearResizeTests {
  static let image = try! RGBImage(
    width: 3, height: 2,
    pixels: [10, 0, 200, 50, 255, 1, 90, 7, 33, 0, 128, 64, 255, 31, 99, 17, 200, 5])

  @Test(
    arguments: [
      (
        5, 3,
        [
          10, 0, 200, 26, 102, 120, 50, 255, 1, 74, 106, 20, 90, 7, 33,
          5, 64, 132, 64, 95, 99, 153, 143, 50, 93, 119, 31, 54, 104, 19,
          0, 128, 64, 102, 89, 78, 255, 31, 99, 112, 132, 42, 17, 200, 5,
        ]
      ),
      (2, 1, [42, 84, 111, 78, 113, 27]),
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
  func agreesWithOpenCV(width: Int, height: Int, expected: [UInt8]) throws {
    #expect(try Self.image.resized(width: width, height: height).pixels == expected)
  }

  /// Halved, each pixel is the mean of four, rounded: (0 + 100 + 200 + 44 + 2) / 4 = 86.5.
  @Test func averagesWhenHalving() throws {
    let image = try RGBImage(
      width: 2, height: 2, pixels: [0, 1, 2, 100, 1, 2, 200, 1, 3, 44, 1, 3])
    #expect(try image.resized(width: 1, height: 1).pixels == [86, 1, 3])
  }

  /// The letterboxed pictures were made by OpenCV from the pictures: every byte must agree.
  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation),
    arguments: [("zidane", 640, 360, 12), ("selfie", 640, 359, 12), ("astronaut", 640, 640, 0)])
  func agreesWithLetterboxedPictures(name: String, width: Int, height: Int, top: Int) throws {
    let picture = try PNG.read(path: SharedData.path("images/\(name).png"))
    let expected = try PNG.read(
      path: SharedData.path("golden/yolov5n-0.5/detections/\(name).letterboxed.png"))
    var canvas = RGBImage(
      width: expected.width, height: expected.height,
      fill: Color(red: 114, green: 114, blue: 114))
    try canvas.draw(picture.resized(width: width, height: height), atX: 0, y: top)
    #expect(canvas == expected)
  }
}
