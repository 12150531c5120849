// SPDX-License-Identifier: Apache-2.0
import YOLOFace

private let background = RGBColor(red: 200, green: 192, blue: 188)

private func exampleHead() throws -> RGBImage {
  try examplePhoto().cropped(x: 125, y: 0, width: 200, height: 200)
}

/// Selection: the same three faces with different options, which draw different ones.
func drawSelection() throws -> RGBImage {
  let head = try exampleHead()
  var scene = RGBImage(width: 600, height: 340, fill: background)
  for (x, y, side) in [(0, 0, 200), (425, 15, 150), (250, 200, 100)] {
    scene.draw(try head.resized(width: side, height: side, filter: .area), atX: x, y: y)
  }
  let faces = try FaceDetector().detect(in: scene)
  func panel(_ title: String, _ selection: FaceSelection) throws -> (String, RGBImage) {
    var picture = scene
    if let region = selection.region {
      picture.strokeRectangle(region, lineWidth: 4, color: RGBColor(red: 60, green: 100, blue: 240))
    }
    picture.draw(selection.select(from: faces, in: scene.size))
    return (title, try picture.resized(width: 300, height: 170, filter: .area))
  }
  let biggest = FaceSelection(preference: .biggest, maximumCount: 1)
  let central = FaceSelection(preference: .central, maximumCount: 1)
  let right = FaceSelection(region: Box(x: 400, y: 0, width: 200, height: 340))
  return RGBImage.row([
    try panel("--select biggest --max-faces 1", biggest),
    try panel("--select central --max-faces 1", central),
    try panel("--region 400,0,200,340", right),
  ])
}

/// Searching thoroughly: what one look finds in a scene with tiny and lying heads, and what many find.
func drawSearching() throws -> RGBImage {
  let head = try exampleHead()
  var scene = RGBImage(width: 1800, height: 1000, fill: background)
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
      picture.strokeRectangle(
        face.box, lineWidth: 6, color: RGBColor(red: 20, green: 140, blue: 40))
    }
    return (title, try picture.resized(width: 450, height: 250, filter: .area))
  }
  return RGBImage.row([try panel("ONE LOOK", .once), try panel("--thorough", .thorough)])
}

/// Hiding faces: the three styles, as `yoloface anonymise` draws them.
func drawHiding() throws -> RGBImage {
  let photo = try examplePhoto()
  let faces = try FaceDetector().detect(in: photo)
  return RGBImage.row(
    try Hiding.Style.allCases.map { style in
      var picture = photo
      for face in faces {
        let size = Size2D(width: 1.3 * face.box.width, height: 1.3 * face.box.height)
        picture.hide(Box(center: face.box.center, size: size), by: Hiding(style: style))
      }
      return ("--style \(style)", try picture.cropped(x: 90, y: 0, width: 270, height: 270))
    })
}

/// Guidance: a face in a circle, or beside it.
func drawGuidance(x: Double, y: Double, radius: Double) throws -> RGBImage {
  let circle = CircularMask(center: Point2D(x: x, y: y), radius: radius)
  let photo = try examplePhoto().cropped(x: 125, y: 0, width: 200, height: 250)
  let view = try ViewSpace(
    imageSize: photo.size, isMirrored: true,
    placement: .view(Size2D(width: 240, height: 300), .aspectFill))
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
