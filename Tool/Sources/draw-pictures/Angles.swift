// SPDX-License-Identifier: Apache-2.0
import Foundation
import YOLOFace

/// Nine heads: a row for each angle, from −30° to 30°.
enum Signs {
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
        picture.drawAxes(of: pose, at: Point2D(x: nose.x, y: nose.y), length: 38)
        let sign = degrees > 0 ? "+" : ""
        let text = "\(name) \(sign)\(Int(degrees))"
        picture.drawText(
          text,
          at: Point2D(x: x - Double(RGBImage.textSize(text).width) / 2, y: y + panel / 2 - 12),
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
    func line(_ from: SIMD3<Double>, _ to: SIMD3<Double>, _ width: Double, _ color: RGBColor) {
      picture.drawLine(
        from: Point2D(x: from.x, y: from.y), to: Point2D(x: to.x, y: to.y), lineWidth: width,
        color: color)
    }
    func circle(_ point: (_ cosine: Double, _ sine: Double) -> SIMD3<Double>) {
      let places = (0...48).map { step in
        let angle = Double(step) / 48 * 2 * .pi
        return place(center + radii * point(cos(angle), sin(angle)))
      }
      for (from, to) in zip(places, places.dropFirst()) where from.z + to.z > 2 * middle.z - 1e-6 {
        line(from, to, 1.2, RGBColor(red: 170, green: 170, blue: 170))
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
      picture.fillDisc(center: Point2D(x: eye.x, y: eye.y), radius: 5, color: .black)
    }
  }
}

extension RGBImage {
  /// Draws the axes of a head as three lines from a point, such as the tip of the nose: red to the
  /// person's left, green towards the chin, blue where the face looks.
  ///
  /// - Parameters:
  ///   - pose: how the head is turned in this picture.
  ///   - point: where the lines begin, in this picture's pixels.
  ///   - length: the length of a line in the picture's plane, in pixels.
  mutating func drawAxes(of pose: HeadPose, at point: Point2D, length: Double) {
    let turn = pose.transform()
    let axes: [(SIMD3<Double>, RGBColor)] = [
      (SIMD3(length, 0, 0), RGBColor(red: 230, green: 40, blue: 40)),
      (SIMD3(0, length, 0), RGBColor(red: 40, green: 180, blue: 40)),
      (SIMD3(0, 0, length), RGBColor(red: 60, green: 110, blue: 255)),
    ]
    // The line nearest to the viewer is drawn last, on top.
    for (end, color) in axes.map({ (turn($0), $1) }).sorted(by: { $0.0.z < $1.0.z }) {
      drawLine(
        from: point, to: Point2D(x: point.x + end.x, y: point.y + end.y),
        lineWidth: max(1, length / 15), color: color)
    }
  }
}
