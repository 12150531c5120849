import YOLOFace

/// Angles: the axes of the astronaut's head, on 160 × 160 pixels around the face, twice as large.
func drawPose() throws -> RGBImage {
  let astronaut = try Astronaut()
  guard let landmarks = astronaut.face.landmarks, let pose = HeadPose(landmarks) else {
    throw NothingFound()
  }
  let center = astronaut.face.box.center
  let corner = Point(x: center.x - 80, y: center.y - 80)
  var picture = try astronaut.photo.sampled(width: 320, height: 320) {
    Point(x: corner.x + $0.x / 2, y: corner.y + $0.y / 2)
  }
  let points = landmarks.points.map {
    Point(x: ($0.x - corner.x) * 2, y: ($0.y - corner.y) * 2)
  }
  for point in points {
    picture.fillDisc(center: point, radius: 4, color: .white)
  }
  picture.drawAxes(of: pose, at: points[2], length: 70)
  picture.fillRectangle(
    Rectangle(x: 0, y: 292, width: 320, height: 28), color: .black, opacity: 0.7)
  func degrees(_ angle: Double) -> Int { Int(angle.rounded()) }
  picture.drawText(
    "roll \(degrees(pose.roll)) yaw \(degrees(pose.yaw)) pitch \(degrees(pose.pitch))",
    at: Point(x: 10, y: 299), scale: 2, color: .white)
  return picture
}
