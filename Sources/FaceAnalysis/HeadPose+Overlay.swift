import Geometry

extension HeadPose {
  /// The transform of a flat layer on the face, whose anchor point is at the face: a mask or a
  /// frame then turns with the head.
  ///
  /// It turns by pitch about x, then by yaw about −y, then by roll about z, and adds perspective,
  /// m34 = −1 / eye distance. A device's orientation is part of the roll; see `upright(from:)`. For
  /// a mirrored orientation, the layer follows the mirrored head but is not mirrored itself, so
  /// that text on it stays legible.
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
