// SPDX-License-Identifier: Apache-2.0
import Testing
@_spi(Tool) import YOLOFace
import YOLOFaceDecoding

/// Pictures made of dots, in which one look finds nothing.
struct ScreenedPictureTests {
  /// Each pixel black or white, its error passed on to its neighbours (Floyd and Steinberg, 1976).
  private static func dithered(_ image: RGBImage) throws -> RGBImage {
    var rows = (0..<image.height).map { y in (0..<image.width).map { Int(image[$0, y].green) } }
    for y in rows.indices {
      for x in rows[y].indices {
        let value = rows[y][x] < 128 ? 0 : 255
        let error = rows[y][x] - value
        rows[y][x] = value
        for (dx, dy, share) in [(1, 0, 7), (-1, 1, 3), (0, 1, 5), (1, 1, 1)]
        where rows[y].indices.contains(x + dx) && y + dy < rows.count {
          rows[y + dy][x + dx] += error * share / 16
        }
      }
    }
    return try image.replacing(rows)
  }

  /// A printer's screen: dots on a grid of 5 pixels, the larger the darker.
  private static func printed(_ image: RGBImage) throws -> RGBImage {
    try image.replacing(
      (0..<image.height).map { y in
        (0..<image.width).map { x in
          let (dx, dy) = (x % 5 - 2, y % 5 - 2)
          return (255 - Int(image[x, y].green)) * 9 / 255 > dx * dx + dy * dy ? 0 : 255
        }
      })
  }

  @Test(arguments: [dithered, printed])
  func aCheckedSearchFindsTheFace(draw: @Sendable (RGBImage) throws -> RGBImage) throws {
    let dots = try draw(photo)
    #expect(dots.isScreened && !photo.isScreened)
    #expect(try detector.detect(in: dots).isEmpty)
    let truth = try #require(try detector.detect(in: photo).first)
    for options in [DetectionOptions { $0.effort = .checked }, detector.optionsForHiding()] {
      let faces = try detector.detect(in: dots, options: options)
      #expect(faces.contains { $0.box.intersectionOverUnion(with: truth.box) > 0.6 })
    }
  }

  @Test func aSmallPictureIsNotScreened() {
    #expect(
      !RGBImage(width: 15, height: 8).isScreened && !RGBImage(width: 16, height: 7).isScreened)
    #expect(!RGBImage(width: 64, height: 64).isScreened)
  }
}

extension RGBImage {
  fileprivate func replacing(_ grays: [[Int]]) throws -> RGBImage {
    try RGBImage(
      width: width, height: height,
      pixels: grays.joined().flatMap { gray -> [UInt8] in [UInt8](repeating: UInt8(gray), count: 3)
      })
  }
}
