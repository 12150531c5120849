import Raster
import Testing

@testable import YOLOFaceTool

struct PrecisionRecallPictureTests {
  private let picture = precisionRecallPicture(DetectorAccuracy([], subsets: []))

  /// Where a text stands, of two pixels for each square of a letter: its top left corners.
  private func places(of text: String) -> [(x: Int, y: Int)] {
    let size = RGBImage.textSize(text, scale: 2)
    var pattern = RGBImage(width: size.width, height: size.height, fill: .white)
    pattern.drawText(text, at: Point(x: 0, y: 0), scale: 2, color: .black)
    let corners = (0...picture.height - size.height).flatMap { y in
      (0...picture.width - size.width).map { (x: $0, y: y) }
    }
    return corners.filter { corner in
      (0..<size.height).allSatisfy { y in
        (0..<size.width).allSatisfy { pattern[$0, y] == picture[corner.x + $0, corner.y + y] }
      }
    }
  }

  /// The plot is from (64, 44) to (700, 500): what is to the right is named below it, what is up is
  /// named above the upright axis.
  @Test func eachAxisHasItsOwnName() throws {
    let recall = places(of: "recall")
    let precision = places(of: "precision")
    #expect(recall.count == 1 && precision.count == 1)
    #expect(try #require(recall.first).y > 500)
    // The middle of the axis, with 6 letters of 12 pixels, of which the last column is empty.
    #expect(try #require(recall.first).x == (64 + 700) / 2 - 35)
    #expect(try #require(precision.first).y + 14 < 44)
    #expect(try #require(precision.first).x < 64)
  }
}
