import YOLOFace

/// The example photo and the face that the default model finds in it.
struct Astronaut {
  let photo: RGBImage
  let face: Face

  init() throws {
    photo = try PNG.read(path: "Examples/astronaut.png")
    guard let face = try FaceDetector().detect(in: photo).first else { throw NothingFound() }
    self.face = face
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
      row.drawText(title, at: Point(x: Double(x), y: 6), color: .black)
      row.draw(picture, atX: x, y: titleHeight)
      x += picture.width + gap
    }
    return row
  }
}

extension Face {
  /// The same face elsewhere; its box is that of the four transformed corners.
  func map(_ transform: (Point) -> Point) -> Face {
    let corners = [
      Point(x: box.minX, y: box.minY), Point(x: box.maxX, y: box.minY),
      Point(x: box.minX, y: box.maxY), Point(x: box.maxX, y: box.maxY),
    ].map(transform)
    let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
    return Face(
      score: score,
      box: Rectangle(
        corner: Point(x: xs[0], y: ys[0]), opposite: Point(x: xs[3], y: ys[3])),
      landmarks: landmarks?.map(transform))
  }
}
