import Foundation
import TestSupport
import Testing
import YOLOFace

/// The picture of the article Angles that shows the signs. With the environment variable
/// `ARTICLE_PICTURES` it is written to the directory that it names.
struct AnglesPictureTests {
  private static let directory = ProcessInfo.processInfo.environment["ARTICLE_PICTURES"]

  /// The article shows what this code draws, up to the differences between libraries' sines.
  @Test func drawsTheSigns() throws {
    let picture = SignsPicture.draw()
    if let directory = Self.directory {
      try PNG.write(picture, to: "\(directory)/angles.png")
    }
    let resource = "Sources/FaceAnalysis/FaceAnalysis.docc/Resources/angles.png"
    let shown = try Picture.read(path: SharedData.projectRoot.appending(path: resource).path)
    try #require(shown.width == picture.width && shown.height == picture.height)
    let difference = zip(shown.pixels, picture.pixels).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(difference < picture.pixels.count / 100)
  }

  /// The ends of the lines: at 30° of yaw, the blue one reaches half its length to the left.
  @Test func drawsAxes() {
    var image = RGBImage(width: 200, height: 200)
    image.drawAxes(of: HeadPose(roll: 0, yaw: 30, pitch: 0), at: Point(x: 100, y: 100), length: 80)
    #expect(image[61, 100].blue == 255 && image[61, 100].red < 100)
    #expect(image[55, 100] == .black)
    #expect(image[165, 100].red == 230, "80 · cos 30° = 69")
    #expect(image[174, 100] == .black)
    #expect(image[100, 175].green == 180)
  }
}

/// Nine heads: a row for each angle, from −30° to 30°.
private enum SignsPicture {
  private static let panel = 170.0
  /// The proportions that `HeadPose` assumes, in the order of `Landmarks.points` and in units of
  /// the distance between the eyes.
  private static let landmarks = [
    SIMD3(-0.5, 0, 0), SIMD3(0.5, 0, 0), SIMD3(0, 0.55, 0.60), SIMD3(-0.42, 0.99, 0.02),
    SIMD3(0.42, 0.99, 0.02),
  ]

  static func draw() -> RGBImage {
    var picture = RGBImage(width: 3 * Int(panel), height: 3 * Int(panel), fill: .white)
    for (column, degrees) in [-30.0, 0, 30].enumerated() {
      let poses = [
        ("roll", HeadPose(roll: degrees, yaw: 0, pitch: 0)),
        ("yaw", HeadPose(roll: 0, yaw: degrees, pitch: 0)),
        ("pitch", HeadPose(roll: 0, yaw: 0, pitch: degrees)),
      ]
      for (row, (name, pose)) in poses.enumerated() {
        let (x, y) = (panel * (Double(column) + 0.5), panel * (Double(row) + 0.5))
        let turn = pose.transform()
        /// From distances between the eyes about the middle of the face to pixels, and the depth.
        func place(_ point: SIMD3<Double>) -> SIMD3<Double> {
          turn(38 * (point - SIMD3(0, 0.45, 0))) + SIMD3(x, y - 8, 0)
        }
        drawHead(in: &picture, place)
        let nose = place(SIMD3(0, 0.55, 0.60))
        picture.drawAxes(of: pose, at: Point(x: nose.x, y: nose.y), length: 38)
        let sign = degrees > 0 ? "+" : ""
        let text = "\(name) \(sign)\(Int(degrees))"
        picture.drawText(
          text, at: Point(x: x - Double(RGBImage.textSize(text).width) / 2, y: y + panel / 2 - 12),
          color: .black)
      }
    }
    return picture
  }

  /// The visible half of an ellipsoid's circles, and the face.
  private static func drawHead(
    in picture: inout RGBImage, _ place: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    let (center, radii) = (SIMD3(0, 0.35, -0.85), SIMD3(0.95, 1.35, 1.0))
    let middle = place(center)
    func line(_ from: SIMD3<Double>, _ to: SIMD3<Double>, _ width: Double, _ color: Color) {
      picture.drawLine(
        from: Point(x: from.x, y: from.y), to: Point(x: to.x, y: to.y), lineWidth: width,
        color: color)
    }
    func circle(_ point: (_ cosine: Double, _ sine: Double) -> SIMD3<Double>) {
      let places = (0...48).map { step in
        let angle = Double(step) / 48 * 2 * .pi
        return place(center + radii * point(cos(angle), sin(angle)))
      }
      for (from, to) in zip(places, places.dropFirst()) where from.z + to.z > 2 * middle.z - 1e-6 {
        line(from, to, 1.2, Color(red: 170, green: 170, blue: 170))
      }
    }
    for step in 0..<6 {
      let angle = Double(step) / 6 * .pi
      circle { SIMD3($0 * sin(angle), $1, $0 * cos(angle)) }
      let height = cos(angle)
      circle { SIMD3($0 * sin(angle), height, $1 * sin(angle)) }
    }
    let face = landmarks.map(place)
    let bridge = place(SIMD3(0, 0.05, 0.12))
    line(bridge, face[2], 3, .black)
    line(place(SIMD3(0, 0.65, 0.12)), face[2], 3, .black)
    let lips = place(SIMD3(0, 1.0, 0.08))
    line(face[3], lips, 3, .black)
    line(lips, face[4], 3, .black)
    for eye in face.prefix(2) {
      picture.fillDisc(center: Point(x: eye.x, y: eye.y), radius: 5, color: .black)
    }
  }
}
