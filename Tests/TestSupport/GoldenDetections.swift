// SPDX-License-Identifier: Apache-2.0
import Foundation
import YOLOFaceDecoding

/// The faces that upstream ncnn and a separate decoder found with the original model in a photo.
///
/// Numbers are rounded: pixels to 0.001, scores to 0.00001.
package struct GoldenDetections: Decodable, Sendable {
  /// How upstream's script scaled the photo: both axes by one factor.
  package struct Letterboxed: Decodable, Sendable, CoordinateMapping {
    package var longSide: Int
    package var inputSize: [Int]
    package var scale: Double
    package var padLeft: Int
    package var padTop: Int
    package var fill: Int

    package var swapsSides: Bool { false }

    package func map(_ point: Point2D) -> Point2D {
      Point2D(x: point.x * scale + Double(padLeft), y: point.y * scale + Double(padTop))
    }

    package func unmap(_ point: Point2D) -> Point2D {
      Point2D(x: (point.x - Double(padLeft)) / scale, y: (point.y - Double(padTop)) / scale)
    }
  }

  package struct Found: Decodable, Sendable {
    package var score: Float
    package var box: [Double]
    package var landmarks: [[Double]]

    package var face: Face {
      let points = landmarks.map { Point2D(x: $0[0], y: $0[1]) }
      return Face(
        score: score,
        box: Box(
          corner: Point2D(x: box[0], y: box[1]), opposite: Point2D(x: box[2], y: box[3])),
        landmarks: Landmarks(points))
    }
  }

  package var imageSize: [Int]
  package var letterbox: Letterboxed
  package var scoreThreshold: Float
  package var iouThreshold: Double
  package var candidates: Int
  package var faces: [Found]

  package static let names = ["zidane", "selfie", "astronaut"]

  package static func read(_ name: String) throws -> GoldenDetections {
    let path = SharedData.path("golden/yolov5n-0.5/detections/\(name).json")
    return try JSONDecoder().decode(
      GoldenDetections.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }
}
