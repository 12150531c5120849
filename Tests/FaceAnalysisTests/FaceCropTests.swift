// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct FaceCropTests {
  private static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
    Box(x: x, y: y, width: width, height: height)
  }

  private func crop(_ crop: FaceCrop, _ box: Box) -> Box? {
    crop.rectangle(around: box, in: Size2D(width: 200, height: 100))
  }

  @Test(arguments: [
    (FaceCrop(), box(20, 30, 40, 50), box(20, 30, 40, 50)),
    // A tenth of 40 is 4, and of 50 it is 5.
    (FaceCrop(margin: 0.1), box(20, 30, 40, 50), box(16, 25, 48, 60)),
    (FaceCrop(margin: -0.1), box(20, 30, 40, 50), box(24, 35, 32, 40)),
    // A square of the longer side.
    (FaceCrop(isSquare: true), box(20, 30, 40, 50), box(15, 30, 50, 50)),
    (FaceCrop(isSquare: true), box(30, 20, 50, 40), box(30, 15, 50, 50)),
    // With half of 40 and of 50 it is 80 × 100 from (0, 5), of which the picture has 95 rows.
    (FaceCrop(margin: 0.5), box(20, 30, 40, 50), box(0, 5, 80, 95)),
    (FaceCrop(margin: 0.5, isClipped: false), box(20, 30, 40, 50), box(0, 5, 80, 100)),
    (FaceCrop(), box(-10, -20, 40, 40), box(0, 0, 30, 20)),
    (FaceCrop(isClipped: false), box(-10, -20, 40, 40), box(-10, -20, 40, 40)),
    (FaceCrop(isClipped: false), box(300, 10, 40, 40), box(300, 10, 40, 40)),
    // A tiny box gives a pixel.
    (FaceCrop(), box(7.1, 8.1, 0.2, 0.3), box(7, 8, 1, 1)),
  ])
  func growsAndIsClipped(crop: FaceCrop, box: Box, expected: Box) {
    #expect(self.crop(crop, box) == expected)
  }

  /// 10.4 is rounded to 10 columns, 10.6 to 11 rows, wherever the box is.
  @Test(arguments: [0, 0.2, 0.5, 0.7, 0.99])
  func isOnWholePixels(shift: Double) throws {
    let box = Box(x: 50 + shift, y: 40 + shift, width: 10.4, height: 10.6)
    let part = try #require(crop(FaceCrop(), box))
    #expect(part.width == 10 && part.height == 11)
    #expect(part.x == part.x.rounded() && part.y == part.y.rounded())
    // Half a pixel from rounding the size and half from rounding the position, on two sides.
    #expect(isClose(part.center, box.center, tolerance: 0.5))
    let square = try #require(crop(FaceCrop(isSquare: true), box))
    #expect(square.width == 11 && square.height == 11)
  }

  @Test(arguments: Box.degenerate + [box(0, 0, 1e300, 1e300)])
  func aDegenerateBoxHasNone(box: Box) {
    #expect(crop(FaceCrop(), box) == nil)
    #expect(crop(FaceCrop(isSquare: true, isClipped: false), box) == nil)
  }

  @Test(arguments: [-0.5, -1, .nan, .infinity, 1e300])
  func anImpossibleMarginGivesNone(margin: Double) {
    #expect(crop(FaceCrop(margin: margin, isClipped: false), Self.box(20, 30, 40, 50)) == nil)
  }

  @Test func outsideThePictureThereIsNone() {
    #expect(crop(FaceCrop(), Self.box(300, 10, 40, 40)) == nil)
  }
}
