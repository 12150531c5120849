/// Where the five landmarks lie on a face, in three dimensions: a rigid, symmetrical face of average
/// proportions.
///
/// The unit is the distance between the eyes and the origin the point midway between them. Seen from
/// the front and upright, x points to the picture's right (the person's left), y down and z at the
/// viewer.
///
/// Only proportions matter to a fit. Heights and widths come from one of the model's projections,
/// each with an angle and size of its own, to 3,400 portraits whose landmarks were marked by
/// people. The depths are those whose angles agree best with MediaPipe's FaceMesh on these
/// portraits, rounded: see `fit_head.py`.
///
/// The points lie nearly in a plane. Only the tip of the nose leaves it, and so the nose tells to
/// which side a face is turned.
enum FaceModel {
  /// The landmarks in the order of `Landmarks.points`.
  static let points: [SIMD3<Double>] = [
    SIMD3(-0.5, 0, 0),
    SIMD3(0.5, 0, 0),
    SIMD3(0, 0.55, 0.60),
    SIMD3(-0.42, 0.99, 0.02),
    SIMD3(0.42, 0.99, 0.02),
  ]
}
