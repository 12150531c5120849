import YOLOFace

/// Selection: the same three faces with different options, which draw different ones.
func drawSelection() throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png")
  let head = try photo.cropped(x: 125, y: 0, width: 200, height: 200)
  var scene = RGBImage(width: 600, height: 340, fill: Color(red: 200, green: 192, blue: 188))
  for (x, y, side) in [(0, 0, 200), (425, 15, 150), (250, 200, 100)] {
    scene.draw(try head.resized(width: side, height: side, filter: .area), atX: x, y: y)
  }
  let faces = try FaceDetector().detect(in: scene)
  func panel(_ title: String, _ selection: FaceSelection) throws -> (String, RGBImage) {
    var picture = scene
    if let region = selection.region {
      picture.strokeRectangle(region, lineWidth: 4, color: Color(red: 60, green: 100, blue: 240))
    }
    picture.draw(selection.select(from: faces, in: scene.size))
    return (title, try picture.resized(width: 300, height: 170, filter: .area))
  }
  return RGBImage.row([
    try panel(
      "--select biggest --max-faces 1", FaceSelection(preference: .biggest, maximumCount: 1)),
    try panel(
      "--select central --max-faces 1", FaceSelection(preference: .central, maximumCount: 1)),
    try panel(
      "--region 400,0,200,340",
      FaceSelection(region: Rectangle(x: 400, y: 0, width: 200, height: 340))),
  ])
}
