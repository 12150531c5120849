import Raster
import Testing

@testable import YOLOFaceTool

struct PrecisionRecallPictureTests {
  private let picture = precisionRecallPicture(DetectorAccuracy([], subsets: []))

  /// The top left corners of the places where a text is drawn at a scale of two.
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

  /// The plot extends from (64, 44) to (700, 500). The name of the horizontal axis is below it,
  /// that of the vertical axis above it.
  @Test func eachAxisHasItsOwnName() throws {
    let (recall, precision) = (places(of: "recall"), places(of: "precision"))
    try #require(recall.count == 1 && precision.count == 1)
    // Centred on the axis: 6 letters of 12 pixels, each with an empty last column.
    #expect(recall[0].x == (64 + 700) / 2 - 35 && recall[0].y > 500)
    #expect(precision[0].x < 64 && precision[0].y + 14 < 44)
  }
}
