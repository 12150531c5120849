// SPDX-License-Identifier: Apache-2.0
import Foundation
import YOLOFace

func examplePhoto() throws -> RGBImage { try Picture.read(path: "Examples/astronaut.png") }

/// A photo, the face that the default model finds in it, and the landmarks of that.
struct Portrait {
  let photo: RGBImage
  let face: Face
  let landmarks: Landmarks

  init(_ photo: RGBImage) throws {
    guard let face = try FaceDetector().detect(in: photo).first, let landmarks = face.landmarks
    else { throw NothingFound() }
    (self.photo, self.face, self.landmarks) = (photo, face, landmarks)
  }
}

/// Thrown where the model finds no face, or no pose, where there should be one.
struct NothingFound: Error {}

extension RGBImage {
  /// Pictures side by side on white, with titles above them.
  static func row(_ panels: [(title: String, picture: RGBImage)]) -> RGBImage {
    let (gap, titleHeight) = (12, 20)
    let width = panels.reduce(-gap) { $0 + $1.picture.width + gap }
    let height = titleHeight + (panels.map(\.picture.height).max() ?? 0)
    var row = RGBImage(width: width, height: height, fill: .white)
    var x = 0
    for (title, picture) in panels {
      row.drawText(title, at: Point2D(x: Double(x), y: 6), color: .black)
      row.draw(picture, atX: x, y: titleHeight)
      x += picture.width + gap
    }
    return row
  }
}

extension Face {
  /// The same face elsewhere; its box is that of the four transformed corners.
  func map(_ transform: (Point2D) -> Point2D) -> Face {
    let corners = [box.minX, box.maxX].flatMap { x in
      [box.minY, box.maxY].map { y in transform(Point2D(x: x, y: y)) }
    }
    let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
    return Face(
      score: score,
      box: Box(corner: Point2D(x: xs[0], y: ys[0]), opposite: Point2D(x: xs[3], y: ys[3])),
      landmarks: landmarks?.map(transform))
  }
}

/// Alignment: a face turned by 25°, its square crop, and the aligned face with the template's
/// points. The landmarks are found before the turn, and turned with the photo.
func drawAlignment() throws -> RGBImage {
  let astronaut = try Portrait(examplePhoto())
  let (side, angle) = (336.0, 25 * Double.pi / 180)
  let (center, cosine, sine) = (astronaut.face.box.center, cos(angle), sin(angle))
  let photo = try astronaut.photo.sampled(width: Int(side), height: Int(side)) {
    let (x, y) = ($0.x - side / 2, $0.y - side / 2)
    return Point2D(x: center.x + x * cosine + y * sine, y: center.y - x * sine + y * cosine)
  }
  let face = astronaut.face.map {
    let (x, y) = ($0.x - center.x, $0.y - center.y)
    return Point2D(x: side / 2 + x * cosine - y * sine, y: side / 2 + x * sine + y * cosine)
  }
  guard let landmarks = face.landmarks,
    let part = FaceCrop(margin: 0.1, isSquare: true).rectangle(around: face.box, in: photo.size)
  else { throw NothingFound() }
  let alignment = try FaceAlignment(landmarks, side: Int(side) / 2)
  var aligned = try photo.aligned(by: alignment)
  for point in FaceAlignment.template.points {
    let scale = side / 2 / Double(FaceAlignment.templateSide)
    let (x, y) = (point.x * scale, point.y * scale)
    aligned.fillRectangle(Box(x: x - 5, y: y - 0.75, width: 10, height: 1.5), color: .white)
    aligned.fillRectangle(Box(x: x - 0.75, y: y - 5, width: 1.5, height: 10), color: .white)
  }
  var found = photo
  found.draw([face])
  return RGBImage.row([
    ("turned by 25 degrees", try found.resized(width: 168, height: 168, filter: .area)),
    ("--square --margin 0.1", try photo.cropped(to: part).resized(width: 168, height: 168)),
    ("aligned to the template", aligned),
  ])
}

/// Angles: the axes of the astronaut's head, on 160 × 160 pixels around the face, twice as large.
func drawPose() throws -> RGBImage {
  let astronaut = try Portrait(examplePhoto())
  guard let pose = HeadPose(astronaut.landmarks) else { throw NothingFound() }
  let center = astronaut.face.box.center
  let corner = Point2D(x: center.x - 80, y: center.y - 80)
  var picture = try astronaut.photo.sampled(width: 320, height: 320) {
    Point2D(x: corner.x + $0.x / 2, y: corner.y + $0.y / 2)
  }
  let landmarks = astronaut.landmarks.map {
    Point2D(x: ($0.x - corner.x) * 2, y: ($0.y - corner.y) * 2)
  }
  for point in landmarks.points { picture.fillDisc(center: point, radius: 4, color: .white) }
  picture.drawAxes(of: pose, at: landmarks.nose, length: 70)
  picture.fillRectangle(
    Box(x: 0, y: 292, width: 320, height: 28), color: .black, opacity: 0.7)
  let (roll, yaw, pitch) = (pose.roll.rounded(), pose.yaw.rounded(), pose.pitch.rounded())
  picture.drawText(
    "roll \(Int(roll)) yaw \(Int(yaw)) pitch \(Int(pitch))", at: Point2D(x: 10, y: 299), scale: 2,
    color: .white)
  return picture
}

/// Quality: a face, and the same made worse in four ways, with the number that suffers and the score.
func drawQuality() throws -> RGBImage {
  let photo = try examplePhoto()
  func panel(
    _ name: String, _ picture: RGBImage, _ part: (FaceQuality) -> Double
  ) throws -> (String, RGBImage) {
    let face = try Portrait(picture).face
    guard let quality = picture.quality(of: face) else { throw NothingFound() }
    let side = 1.6 * face.box.height
    let around = Box(center: face.box.center, size: Size2D(width: side, height: side))
    return (
      String(format: "\(name)%.2f SCORE %.2f", part(quality), quality.score),
      try picture.cropped(to: around).resized(width: 170, height: 170)
    )
  }
  let blurred = try photo.resized(width: 96, height: 96, filter: .area)
    .resized(width: 512, height: 512, filter: .bilinear)
  let dark = try RGBImage(width: 512, height: 512, pixels: photo.pixels.map { $0 / 4 })
  let small = try photo.resized(width: 120, height: 120, filter: .area)
  return RGBImage.row([
    try panel("SHARP ", photo) { $0.sharpness },
    try panel("SHARP ", blurred) { $0.sharpness },
    try panel("LIGHT ", dark) { $0.light },
    try panel("SIZE ", small) { $0.size },
  ])
}

/// Similarity: the photo compared with its mirror image, as `yoloface compare --mirrored` draws it.
func drawSimilarity() throws -> RGBImage {
  let one = try Portrait(examplePhoto())
  let space = try ViewSpace(imageSize: one.photo.size, isMirrored: true)
  let other = try Portrait(one.photo.rendered(in: space))
  let similarity = try LandmarkSimilarity(
    of: one.landmarks, and: other.landmarks, isMirrored: true)
  let picture = try similarity.picture(
    of: one.face, in: one.photo, and: other.face, in: other.photo)
  return try picture.resized(width: 400, height: 200, filter: .area)
}

/// Views: one detection in the eight orientations of the same photo, and below them mirrored.
func drawViews() throws -> RGBImage {
  let astronaut = try Portrait(examplePhoto())
  let center = astronaut.face.box.center
  let part = Box(x: center.x - 88, y: center.y - 112, width: 176, height: 216)
  let photo = try astronaut.photo.cropped(to: part).resized(width: 88, height: 108, filter: .area)
  let face = astronaut.face.map {
    Point2D(x: ($0.x - part.minX.rounded()) / 2, y: ($0.y - part.minY.rounded()) / 2)
  }
  var picture = RGBImage(width: 8 * 120, height: 2 * 124, fill: .white)
  for (column, orientation) in Orientation.allCases.enumerated() {
    for (row, isMirrored) in [false, true].enumerated() {
      let space = try ViewSpace(
        imageSize: photo.size, orientation: orientation, isMirrored: isMirrored)
      var seen = try photo.rendered(in: space)
      let box = space.map(face.box)
      seen.strokeRectangle(box, lineWidth: 2, color: RGBColor(red: 60, green: 220, blue: 90))
      guard let eyes = space.map(face).landmarks else { throw NothingFound() }
      seen.fillDisc(
        center: eyes.rightEye, radius: 4, color: RGBColor(red: 230, green: 40, blue: 40))
      seen.fillDisc(center: eyes.leftEye, radius: 4, color: RGBColor(red: 40, green: 180, blue: 60))
      let middle = 120 * column + 60
      picture.draw(seen, atX: middle - seen.width / 2, y: 124 * row + 108 - seen.height)
      let title = isMirrored ? "mirror" : "\(orientation)"
      let left = middle - RGBImage.textSize(title).width / 2
      picture.drawText(
        title, at: Point2D(x: Double(left), y: Double(124 * row + 112)), color: .black)
    }
  }
  return picture
}
