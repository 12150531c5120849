/// The five landmarks in three dimensions, on a rigid, symmetrical face of average proportions.
///
/// The unit is the distance between the eyes and the origin the point midway between them. Seen
/// from the front and upright, x points to the picture's right (the person's left), y down and z at
/// the viewer.
///
/// Only proportions matter to a fit. Heights and widths are fitted, by the model's projections,
/// each with an angle and size of its own, to 3,400 portraits whose landmarks were marked by hand.
/// The depths, rounded, are those whose angles agree best with MediaPipe's FaceMesh on these
/// portraits: see `fit_head.py`.
///
/// The points lie nearly in a plane. Only the tip of the nose is out of it, so the nose shows to
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
