import YOLOFace

/// Views: one detection in the eight orientations of the same photo, and below them mirrored.
func drawViews() throws -> RGBImage {
  let astronaut = try Astronaut()
  let center = astronaut.face.box.center
  let part = Rectangle(x: center.x - 88, y: center.y - 112, width: 176, height: 216)
  let photo = try astronaut.photo.cropped(to: part).resized(width: 88, height: 108, filter: .area)
  let face = astronaut.face.map {
    Point(x: ($0.x - part.minX.rounded()) / 2, y: ($0.y - part.minY.rounded()) / 2)
  }
  var picture = RGBImage(width: 8 * 120, height: 2 * 124, fill: .white)
  for (column, orientation) in Orientation.allCases.enumerated() {
    for (row, isMirrored) in [false, true].enumerated() {
      let space = try ViewSpace(
        imageSize: photo.size, orientation: orientation, isMirrored: isMirrored)
      var seen = try photo.rendered(in: space)
      let box = space.map(face.box)
      seen.strokeRectangle(box, lineWidth: 2, color: Color(red: 60, green: 220, blue: 90))
      guard let eyes = space.map(face).landmarks else { throw NothingFound() }
      seen.fillDisc(center: eyes.rightEye, radius: 4, color: Color(red: 230, green: 40, blue: 40))
      seen.fillDisc(center: eyes.leftEye, radius: 4, color: Color(red: 40, green: 180, blue: 60))
      let middle = 120 * column + 60
      picture.draw(seen, atX: middle - seen.width / 2, y: 124 * row + 108 - seen.height)
      let title = isMirrored ? "mirror" : "\(orientation)"
      let left = middle - RGBImage.textSize(title).width / 2
      picture.drawText(
        title, at: Point(x: Double(left), y: Double(124 * row + 112)), color: .black)
    }
  }
  return picture
}
