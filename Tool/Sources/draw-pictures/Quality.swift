import YOLOFace

/// Quality: a face, and the same made worse in four ways, with the number that suffers and the score.
func drawQuality() throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png")
  let detector = try FaceDetector()
  func decimals(_ number: Double) -> String {
    let hundredths = Int((100 * number).rounded())
    return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
  }
  func panel(_ name: String, _ picture: RGBImage, _ part: (FaceQuality) -> Double) throws -> (
    String, RGBImage
  ) {
    guard let face = try detector.detect(in: picture).first,
      let quality = picture.quality(of: face)
    else { throw NothingFound() }
    let around = Rectangle(
      center: face.box.center,
      size: Size(width: 1.6 * face.box.height, height: 1.6 * face.box.height))
    return (
      "\(name)\(decimals(part(quality))) SCORE \(decimals(quality.score))",
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
