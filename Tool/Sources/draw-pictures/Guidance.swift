import YOLOFace

/// Guidance: a face in the circle.
func drawGuidanceInside() throws -> RGBImage {
  try drawGuidance(circle: CircularMask(center: Point(x: 120, y: 143), radius: 95))
}

/// Guidance: the same face beside the circle.
func drawGuidanceOutside() throws -> RGBImage {
  try drawGuidance(circle: CircularMask(center: Point(x: 80, y: 110), radius: 70))
}

private func drawGuidance(circle: CircularMask) throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png").cropped(
    x: 125, y: 0, width: 200, height: 250)
  let view = try ViewSpace(
    imageSize: photo.size, isMirrored: true,
    placement: .view(Size(width: 240, height: 300), .aspectFill))
  let faces = try FaceDetector().detect(in: photo)
  var session = GuidanceSession(circle: circle, in: view)
  session.begin(at: .zero)
  session.update(faces, at: .zero)
  var seen = try photo.rendered(in: view)
  seen.drawGuidance(
    circle: circle, faces: faces.map { view.map($0) }, isGood: session.verdict == .success,
    tip: session.tip)
  return seen
}
