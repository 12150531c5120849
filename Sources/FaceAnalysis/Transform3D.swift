// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceLibC

/// A projective transform of space: 4 × 4 numbers in the order of Core Animation's `CATransform3D`.
///
/// A point is a row vector on the left, [x y z 1] · matrix, and the result is divided by its fourth
/// number: the first three rows are where the axes go, the fourth is where the origin goes, and
/// `row3.w` is m34. In a layer x points to the right, y down and z at the viewer.
public struct Transform3D: Hashable, Sendable {
  /// m11, m12, m13, m14: where the x axis goes.
  public var row1: SIMD4<Double>
  /// m21, m22, m23, m24: where the y axis goes.
  public var row2: SIMD4<Double>
  /// m31, m32, m33, m34: where the z axis goes; m34 makes perspective.
  public var row3: SIMD4<Double>
  /// m41, m42, m43, m44: where the origin goes.
  public var row4: SIMD4<Double>

  /// A transform of the four rows.
  public init(row1: SIMD4<Double>, row2: SIMD4<Double>, row3: SIMD4<Double>, row4: SIMD4<Double>) {
    (self.row1, self.row2, self.row3, self.row4) = (row1, row2, row3, row4)
  }

  /// The transform that changes nothing.
  public static let identity = Transform3D(
    row1: SIMD4(1, 0, 0, 0), row2: SIMD4(0, 1, 0, 0), row3: SIMD4(0, 0, 1, 0),
    row4: SIMD4(0, 0, 0, 1))

  /// Turns about a line through the origin: x towards y about z, the other way about −z.
  ///
  /// - Parameters:
  ///   - degrees: the angle.
  ///   - axis: the line's direction, of any length; the identity results where the length is 0 or
  ///     not finite.
  public static func rotation(degrees: Double, about axis: SIMD3<Double>) -> Transform3D {
    let direction = axis / max(abs(axis.x), abs(axis.y), abs(axis.z))
    let k = direction / (direction * direction).sum().squareRoot()
    guard k.x.isFinite, k.y.isFinite, k.z.isFinite else { return .identity }
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    /// Rodrigues' formula, of an axis and its cross product with `k`.
    func turned(_ axis: SIMD3<Double>, _ cross: SIMD3<Double>) -> SIMD4<Double> {
      SIMD4(cosine * axis + sine * cross + (1 - cosine) * (k * axis).sum() * k, 0)
    }
    return Transform3D(
      row1: turned(SIMD3(1, 0, 0), SIMD3(0, k.z, -k.y)),
      row2: turned(SIMD3(0, 1, 0), SIMD3(-k.z, 0, k.x)),
      row3: turned(SIMD3(0, 0, 1), SIMD3(k.y, -k.x, 0)), row4: SIMD4(0, 0, 0, 1))
  }

  /// Enlarges what is nearer to the viewer: m34 = −1 / eye distance.
  ///
  /// - Parameter eyeDistance: how far the viewer's eye is in front of the plane z = 0, in the
  ///   plane's units; points in that plane keep their place. There is no perspective where the
  ///   distance is infinite or not above 0.
  public static func perspective(eyeDistance: Double) -> Transform3D {
    var transform = Transform3D.identity
    if eyeDistance > 0, eyeDistance.isFinite { transform.row3.w = -1 / eyeDistance }
    return transform
  }

  /// The transform that applies this one first, then the next, as `CATransform3DConcat` does.
  public func then(_ next: Transform3D) -> Transform3D {
    func row(_ row: SIMD4<Double>) -> SIMD4<Double> {
      row.x * next.row1 + row.y * next.row2 + row.z * next.row3 + row.w * next.row4
    }
    return Transform3D(row1: row(row1), row2: row(row2), row3: row(row3), row4: row(row4))
  }

  /// Where the transform takes a point. Points behind the eye of a perspective come out inverted.
  public func callAsFunction(_ point: SIMD3<Double>) -> SIMD3<Double> {
    let moved = point.x * row1 + point.y * row2 + point.z * row3 + row4
    return SIMD3(moved.x, moved.y, moved.z) / moved.w
  }

  /// The 16 numbers, row by row: m11, m12, … m44.
  public var elements: [Double] {
    [row1, row2, row3, row4].flatMap { row in row.indices.map { row[$0] } }
  }
}

extension HeadPose {
  /// The transform that turns a flat layer, whose anchor point is at the face, with the head: by
  /// pitch about x, then by yaw about −y, then by roll about z, and with perspective.
  ///
  /// A device's orientation is part of the roll; see `upright(from:)`. For a mirrored orientation,
  /// the layer follows the mirrored head but is not mirrored itself, so that text on it stays legible.
  ///
  /// - Parameters:
  ///   - eyeDistance: how far in front of the screen the viewer's eye is, in the layer's points;
  ///     infinite, which is the default, for no perspective.
  ///   - orientation: how the stored picture in which the pose was found is turned for the screen:
  ///     for an interface that stays upright while the device is turned, `.right` with the device's
  ///     top on the left, `.down` with it at the bottom, `.left` with it on the right.
  public func transform(
    eyeDistance: Double = .infinity, orientation: Orientation = .up
  ) -> Transform3D {
    let seen = upright(from: orientation)
    return Transform3D.rotation(degrees: seen.pitch, about: SIMD3(1, 0, 0))
      .then(.rotation(degrees: seen.yaw, about: SIMD3(0, -1, 0)))
      .then(.rotation(degrees: seen.roll, about: SIMD3(0, 0, 1)))
      .then(.perspective(eyeDistance: eyeDistance))
  }
}
