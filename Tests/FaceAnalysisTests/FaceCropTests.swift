import FaceAnalysis
import FaceDecoding
import Testing

struct FaceCropTests {
  private let size = Size(width: 200, height: 100)
  private let box = Rectangle(x: 20, y: 30, width: 40, height: 50)

  private func crop(_ crop: FaceCrop, _ box: Rectangle) -> Rectangle? {
    crop.rectangle(around: box, in: size)
  }

  @Test func addsTheMarginOnEachSide() {
    #expect(crop(FaceCrop(), box) == box)
    // A tenth of 40 is 4, and of 50 it is 5.
    let wider = Rectangle(x: 16, y: 25, width: 48, height: 60)
    #expect(crop(FaceCrop(margin: 0.1), box) == wider)
    let narrower = Rectangle(x: 24, y: 35, width: 32, height: 40)
    #expect(crop(FaceCrop(margin: -0.1), box) == narrower)
  }

  @Test func widensToASquareOfTheLongerSide() {
    let square = Rectangle(x: 15, y: 30, width: 50, height: 50)
    #expect(crop(FaceCrop(isSquare: true), box) == square)
    let lying = Rectangle(x: 30, y: 20, width: 50, height: 40)
    let tall = Rectangle(x: 30, y: 15, width: 50, height: 50)
    #expect(crop(FaceCrop(isSquare: true), lying) == tall)
  }

  /// With half of 40 and of 50 the crop is 80 × 100 from (0, 5).
  @Test func endsAtThePictureOrExtendsBeyondIt() {
    let clipped = Rectangle(x: 0, y: 5, width: 80, height: 95)
    let padded = Rectangle(x: 0, y: 5, width: 80, height: 100)
    #expect(crop(FaceCrop(margin: 0.5), box) == clipped)
    #expect(crop(FaceCrop(margin: 0.5, isClipped: false), box) == padded)
    let corner = Rectangle(x: -10, y: -20, width: 40, height: 40)
    #expect(crop(FaceCrop(), corner) == Rectangle(x: 0, y: 0, width: 30, height: 20))
    #expect(crop(FaceCrop(isClipped: false), corner) == corner)
  }

  /// 10.4 is rounded to 10 columns, 10.6 to 11 rows, wherever the box is.
  @Test(arguments: [0, 0.2, 0.5, 0.7, 0.99])
  func isOnWholePixels(shift: Double) throws {
    let box = Rectangle(x: 50 + shift, y: 40 + shift, width: 10.4, height: 10.6)
    let part = try #require(crop(FaceCrop(), box))
    #expect(part.width == 10)
    #expect(part.height == 11)
    #expect(part.x == part.x.rounded())
    #expect(part.y == part.y.rounded())
    // Half a pixel from rounding the size and half from rounding the position, on two sides.
    #expect(abs(part.center.x - box.center.x) <= 0.5)
    #expect(abs(part.center.y - box.center.y) <= 0.5)
    let square = try #require(crop(FaceCrop(isSquare: true), box))
    #expect(square.width == 11 && square.height == 11)
  }

  @Test func aTinyBoxGivesAPixel() {
    let box = Rectangle(x: 7.1, y: 8.1, width: 0.2, height: 0.3)
    #expect(crop(FaceCrop(), box) == Rectangle(x: 7, y: 8, width: 1, height: 1))
  }

  @Test(arguments: [
    Rectangle(x: 0, y: 0, width: 0, height: 5), Rectangle(x: 0, y: 0, width: -5, height: 5),
    Rectangle(x: .nan, y: 0, width: 5, height: 5),
    Rectangle(x: 0, y: 0, width: .infinity, height: 5),
    Rectangle(x: 0, y: 0, width: 1e300, height: 1e300),
  ])
  func aDegenerateBoxHasNone(box: Rectangle) {
    #expect(crop(FaceCrop(), box) == nil)
    #expect(crop(FaceCrop(isSquare: true, isClipped: false), box) == nil)
  }

  @Test(arguments: [-0.5, -1, .nan, .infinity, 1e300])
  func anImpossibleMarginGivesNone(margin: Double) {
    #expect(crop(FaceCrop(margin: margin, isClipped: false), box) == nil)
  }

  @Test func outsideThePictureThereIsNone() {
    let outside = Rectangle(x: 300, y: 10, width: 40, height: 40)
    #expect(crop(FaceCrop(), outside) == nil)
    #expect(crop(FaceCrop(isClipped: false), outside) == outside)
  }
}
