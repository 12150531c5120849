// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

extension LandmarkSimilarity {
  /// The width and height of each half of a comparison's picture.
  private static let side = 320

  /// The two faces side by side, with the shapes that were compared. The left half shows the first
  /// face with its shape in orange, mirrored if the comparison was; the right half shows the second
  /// face with its shape in blue, and the first's fitted to it. White lines join corresponding
  /// points; their lengths are the `residuals`.
  ///
  /// - Parameters:
  ///   - first: the face given first, in the pixels of `firstImage`, with landmarks.
  ///   - firstImage: the picture with the first face.
  ///   - second: the face given second, in the pixels of `secondImage`, with landmarks.
  ///   - secondImage: the picture with the second face.
  /// - Returns: a picture of 640 × 320 pixels, in which each face is cut out as a square with a
  ///   margin, and the score is at the top right.
  /// - Throws: `ValueError` where a face is too large to be cut out.
  public func picture(
    of first: Face, in firstImage: RGBImage, and second: Face, in secondImage: RGBImage
  ) throws(ValueError) -> RGBImage {
    let side = LandmarkSimilarity.side
    var left = try FacePanel(first, in: firstImage, side: side)
    if let shape = first.landmarks { left.draw(shape, .orange, radius: 3) }
    if isMirrored { left.image = left.image.upright(from: .upMirrored) }
    var right = try FacePanel(second, in: secondImage, side: side)
    if let shape = second.landmarks { right.draw(shape, .blue, radius: 5) }
    right.draw(overlay, .orange, radius: 3)
    for (from, to) in zip(overlay.points, second.landmarks?.points ?? []) {
      right.drawLine(from, to, width: 1.5, .white)
    }
    let tenths = Int((score * 10).rounded())
    right.label("\(tenths / 10).\(tenths % 10)")
    var picture = RGBImage(width: 2 * side, height: side)
    picture.draw(left.image, atX: 0, y: 0)
    picture.draw(right.image, atX: side, y: 0)
    return picture
  }
}

/// A face cut out as a square and scaled.
private struct FacePanel {
  var image: RGBImage
  /// From the whole picture's pixels to those of the cut-out.
  private let transform: AffineMap

  init(_ face: Face, in whole: RGBImage, side: Int) throws(ValueError) {
    let crop = FaceCrop(margin: 0.1, isSquare: true, isClipped: false)
    let nothing = Box(x: 0, y: 0, width: 0, height: 0)
    let part = crop.rectangle(around: face.box, in: whole.size) ?? nothing
    image = try whole.cropped(to: part).resized(width: side, height: side, filter: .area)
    let scale = Double(side) / part.width
    transform = AffineMap(
      xx: scale, xy: 0, x0: -scale * part.x, yx: 0, yy: scale, y0: -scale * part.y)
  }

  /// Eyes, nose and mouth joined, with a dot for each.
  mutating func draw(_ landmarks: Landmarks, _ color: RGBColor, radius: Double) {
    let (rightEye, leftEye, nose) = (landmarks.rightEye, landmarks.leftEye, landmarks.nose)
    let (rightMouth, leftMouth) = (landmarks.rightMouth, landmarks.leftMouth)
    for (from, to) in [
      (rightEye, leftEye), (rightEye, nose), (leftEye, nose), (nose, rightMouth),
      (nose, leftMouth), (rightMouth, leftMouth),
    ] {
      drawLine(from, to, width: 1.5, color)
    }
    for point in landmarks.points.map({ transform($0) }) {
      image.fillDisc(center: point, radius: radius, color: color)
    }
  }

  mutating func drawLine(_ from: Point2D, _ to: Point2D, width: Double, _ color: RGBColor) {
    let (from, to) = (transform(from), transform(to))
    image.drawLine(from: from, to: to, lineWidth: width, color: color)
  }

  /// Writes at the top right on a dark background.
  mutating func label(_ text: String) {
    let size = RGBImage.textSize(text, scale: 3)
    let (width, height) = (Double(size.width) + 12, Double(size.height) + 12)
    let x = Double(image.width) - width
    image.fillRectangle(
      Box(x: x, y: 0, width: width, height: height), color: .black, opacity: 0.6)
    image.drawText(text, at: Point2D(x: x + 6, y: 6), scale: 3, color: .white)
  }
}

extension RGBColor {
  static let orange = RGBColor(red: 255, green: 150, blue: 30)
  fileprivate static let blue = RGBColor(red: 60, green: 170, blue: 255)
}
