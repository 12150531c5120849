// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// Whether two results of Double arithmetic on coordinates are equal up to rounding. Coordinates
/// in these tests stay under 10⁵, where a Double resolves 10⁻¹¹; 10⁻⁶ leaves room for a few steps.
package func isClose(_ a: Double, _ b: Double, tolerance: Double = 1e-6) -> Bool {
  abs(a - b) <= tolerance
}

package func isClose(_ a: Point2D, _ b: Point2D, tolerance: Double = 1e-6) -> Bool {
  isClose(a.x, b.x, tolerance: tolerance) && isClose(a.y, b.y, tolerance: tolerance)
}

package func isClose(_ a: Box, _ b: Box, tolerance: Double = 1e-6) -> Bool {
  isClose(Point2D(x: a.x, y: a.y), Point2D(x: b.x, y: b.y), tolerance: tolerance)
    && isClose(a.width, b.width, tolerance: tolerance)
    && isClose(a.height, b.height, tolerance: tolerance)
}

package func isClose(_ a: Landmarks, _ b: Landmarks, tolerance: Double = 1e-6) -> Bool {
  zip(a.points, b.points).allSatisfy { isClose($0, $1, tolerance: tolerance) }
}
