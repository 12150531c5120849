// A user imports this module alone; a face is written in points and rectangles.
@_exported import Geometry

/// A detected face: how sure the detector is, where the face is, and its five landmarks if the model
/// gives any.
///
/// A detector's results are in image pixels. The same type holds a candidate, still in network
/// input pixels, and a face mapped to another space by a `CoordinateMapping`.
public struct Face: Sendable, Hashable {
  /// Confidence, 0 to 1, as the model's `FaceHead` scores.
  public var score: Float
  /// The rectangle around the face. It may reach over the picture's edges.
  public var box: Rectangle
  /// Eyes, nose and mouth corners, which may lie outside the box and outside the picture; nil where
  /// the model finds none.
  public var landmarks: Landmarks?
  /// Whether a second look, such as that of `SearchEffort.checked`, found that the face is upside down, or nearer
  /// to that than to upright: its landmarks are then as if it were upright, and wrong. False where none was taken.
  public var isUpsideDown = false

  /// A face from its parts, not marked as upside down.
  public init(score: Float, box: Rectangle, landmarks: Landmarks? = nil) {
    self.score = score
    self.box = box
    self.landmarks = landmarks
  }
}
