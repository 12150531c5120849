import FaceAnalysis
import Geometry
import Raster

extension RGBImage {
  /// Draws the axes of a head as three lines from a point, such as the tip of the nose: red to the
  /// person's left, green towards the chin, blue where the face looks.
  ///
  /// - Parameters:
  ///   - pose: how the head is turned in this picture.
  ///   - point: where the lines begin, in this picture's pixels.
  ///   - length: the length of a line in the picture's plane, in pixels.
  public mutating func drawAxes(of pose: HeadPose, at point: Point, length: Double) {
    let turn = pose.transform()
    let axes: [(SIMD3<Double>, Color)] = [
      (SIMD3(length, 0, 0), Color(red: 230, green: 40, blue: 40)),
      (SIMD3(0, length, 0), Color(red: 40, green: 180, blue: 40)),
      (SIMD3(0, 0, length), Color(red: 60, green: 110, blue: 255)),
    ]
    // The line nearest to the viewer is drawn last, on top.
    for (end, color) in axes.map({ (turn($0), $1) }).sorted(by: { $0.0.z < $1.0.z }) {
      drawLine(
        from: point, to: Point(x: point.x + end.x, y: point.y + end.y),
        lineWidth: max(1, length / 15), color: color)
    }
  }
}
