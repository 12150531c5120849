import YOLOFace

/// Searching thoroughly: what one look finds in a scene with tiny and lying heads, and what many find.
func drawSearching() throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png")
  let head = try photo.cropped(x: 125, y: 0, width: 200, height: 200)
  var scene = RGBImage(width: 1800, height: 1000, fill: Color(red: 200, green: 192, blue: 188))
  for number in 0..<40 {
    let small = try head.resized(width: 46, height: 46, filter: .area)
    scene.draw(small, atX: 60 + 172 * (number % 10), y: 60 + 90 * (number / 10))
  }
  for (x, orientation) in [(200, Orientation.up), (800, .right), (1400, .down)] {
    scene.draw(head.upright(from: orientation), atX: x, y: 600)
  }
  let detector = try FaceDetector()
  func panel(_ title: String, _ effort: SearchEffort) throws -> (String, RGBImage) {
    var options = DetectionOptions()
    options.effort = effort
    var picture = scene
    for face in try detector.detect(in: scene, options: options) {
      picture.strokeRectangle(face.box, lineWidth: 6, color: Color(red: 20, green: 140, blue: 40))
    }
    return (title, try picture.resized(width: 450, height: 250, filter: .area))
  }
  return RGBImage.row([try panel("ONE LOOK", .once), try panel("--thorough", .thorough)])
}
