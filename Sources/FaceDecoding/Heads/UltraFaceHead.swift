import Geometry

/// The head of Ultra-Light-Fast-Generic-Face-Detector-1MB, RFB or slim: square `PriorBoxes`, whose
/// cells divide the input, and two classes.
///
/// Its blobs hold two and four channels for each anchor: background and face, and the box's t. The
/// score is the face's share of a softmax, σ(face − background). Relatives with landmarks
/// have a blob of ten more for each anchor, and cells of `stride` pixels.
///
/// https://github.com/Linzaer/Ultra-Light-Fast-Generic-Face-Detector-1MB,
/// https://github.com/biubug6/Face-Detector-1MB-with-landmark
public struct UltraFaceHead: Sendable, Hashable {
  /// The anchors.
  public let priors: PriorBoxes

  /// A head from its anchors.
  public init(priors: PriorBoxes) { self.priors = priors }

  /// The heads of the four strides.
  public static let ultraFace = [
    (8, [10, 16, 24]), (16, [32, 48]), (32, [64, 96]), (64, [128, 192, 256]),
  ].map {
    UltraFaceHead(priors: PriorBoxes(stride: $0, anchors: squares($1), dividesInput: true))
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String, points: String? = nil) -> FaceHead {
    priors.reading(scores: scores, boxes: boxes, points: points, order: .byAnchor)
  }
}
