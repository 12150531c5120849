import YOLOFace

/// Hiding faces: the three styles, as `yoloface anonymise` draws them.
func drawHiding() throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png")
  let faces = try FaceDetector().detect(in: photo)
  return RGBImage.row(
    try Hiding.Style.allCases.map { style in
      var picture = photo
      for face in faces {
        let size = Size(width: 1.3 * face.box.width, height: 1.3 * face.box.height)
        picture.hide(Rectangle(center: face.box.center, size: size), by: Hiding(style: style))
      }
      return ("--style \(style)", try picture.cropped(x: 90, y: 0, width: 270, height: 270))
    })
}
