import YOLOFace

/// Decoding: the coarsest grid over the network's input, the best cell in yellow, its anchor about
/// the cell's centre in blue, and the box found in green.
func drawCell() throws -> RGBImage {
  let photo = try Picture.read(path: "Examples/astronaut.png")
  let letterbox = try Letterbox(
    imageWidth: photo.width, imageHeight: photo.height, mode: .longSide(640))
  let input = try photo.letterboxed(letterbox)
  let detector = try FaceDetector()
  let readings = try detector.readings(of: input)
  let best = readings[2].candidates.max { $0.face.score < $1.face.score }
  guard let best else { throw NothingFound() }

  let head = detector.recipe.heads[2]
  let stride = Double(head.stride)
  var picture = input
  for place in Swift.stride(from: 0, to: Double(input.width), by: stride) {
    for (x, y) in [(place, 0), (0, place)] {
      let line = Rectangle(
        x: x, y: y, width: x > 0 ? 1 : Double(input.width),
        height: y > 0 ? 1 : Double(input.height))
      picture.fillRectangle(line, color: .white, opacity: x + y > 0 ? 0.7 : 0)
    }
  }
  func frame(_ box: Rectangle, _ color: Color, width: Double) {
    picture.strokeRectangle(box, lineWidth: width, color: color)
  }
  let cell = Rectangle(
    x: Double(best.column) * stride, y: Double(best.row) * stride, width: stride, height: stride)
  frame(
    Rectangle(center: cell.center, size: head.anchors[best.anchor]),
    Color(red: 60, green: 100, blue: 240),
    width: 3)
  let green = Color(red: 60, green: 220, blue: 90)
  frame(best.face.box, green, width: 5)
  frame(cell, Color(red: 255, green: 180, blue: 0), width: 5)
  picture.fillDisc(center: best.face.box.center, radius: 6, color: green)
  let left = Int(min(max(cell.center.x - 212, 0), Double(input.width - 440)))
  return try picture.cropped(x: left, y: 0, width: 440, height: 400)
}
