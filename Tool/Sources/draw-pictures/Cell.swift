import YOLOFace

/// Decoding: the coarsest grid over the network's input, the best cell in yellow, its anchor about
/// the cell's centre in blue, and the box found in green.
func drawCell() throws -> RGBImage {
  let photo = try examplePhoto()
  let letterbox = try Letterbox(
    imageWidth: photo.width, imageHeight: photo.height, mode: .longSide(640))
  let input = try photo.letterboxed(letterbox)
  let detector = try FaceDetector()
  let readings = try detector.readings(of: input)
  let best = readings[2].candidates.max { $0.face.score < $1.face.score }
  guard let best else { throw NothingFound() }

  let head = detector.recipe.heads[2]
  let side = Double(head.stride)
  var picture = input
  for place in stride(from: side, to: Double(input.width), by: side) {
    let column = Rectangle(x: place, y: 0, width: 1, height: Double(input.height))
    let row = Rectangle(x: 0, y: place, width: Double(input.width), height: 1)
    for line in [column, row] { picture.fillRectangle(line, color: .white, opacity: 0.7) }
  }
  let cell = Rectangle(
    x: Double(best.column) * side, y: Double(best.row) * side, width: side, height: side)
  let anchor = Rectangle(center: cell.center, size: head.anchors[best.anchor])
  let (blue, green) = (Color(red: 60, green: 100, blue: 240), Color(red: 60, green: 220, blue: 90))
  picture.strokeRectangle(anchor, lineWidth: 3, color: blue)
  picture.strokeRectangle(best.face.box, lineWidth: 5, color: green)
  picture.strokeRectangle(cell, lineWidth: 5, color: Color(red: 255, green: 180, blue: 0))
  picture.fillDisc(center: best.face.box.center, radius: 6, color: green)
  let left = Int(min(max(cell.center.x - 212, 0), Double(input.width - 440)))
  return try picture.cropped(x: left, y: 0, width: 440, height: 400)
}
