import FaceDecoding

/// A face of a data set.
public struct GroundTruthFace: Hashable, Sendable {
  /// How a face enters an evaluation.
  public enum Standing: Hashable, Sendable {
    /// It should be found.
    case counted
    /// It may be missed, and detections of it, however many, are neither right nor wrong: a face
    /// that is invalid in WIDER FACE, difficult in PASCAL VOC, or labelled with low confidence.
    case ignored
    /// An area with several faces (`iscrowd` in COCO): like `ignored`, but overlap is the share of
    /// the *detection* that is inside it.
    case crowd
  }

  /// The rectangle around the face: in pixels, or, in a `GroundTruthPicture` that is normalised, in
  /// fractions of its width and height.
  public var box: Rectangle
  /// The five points, where the data set has them; in the units of `box`.
  public var landmarks: Landmarks?
  /// How it enters an evaluation.
  public var standing: Standing

  /// A face from its parts. A `.counted` face whose box encloses nothing, as in some data sets,
  /// becomes `.ignored`.
  public init(box: Rectangle, landmarks: Landmarks? = nil, standing: Standing = .counted) {
    self.box = box
    self.landmarks = landmarks
    self.standing = box.isDegenerate && standing == .counted ? .ignored : standing
  }

  /// The overlap with a detection, from 0 to 1: the intersection over union or, for a crowd, over
  /// the detection's own area.
  public func overlap(with detection: Rectangle) -> Double {
    guard standing == .crowd else { return box.intersectionOverUnion(with: detection) }
    let intersection = box.intersectionArea(with: detection)
    return intersection > 0 ? intersection / detection.area : 0
  }
}
