import FaceDecoding

/// A face as a data set states it.
public struct TrueFace: Hashable, Sendable {
  /// How a face enters an evaluation.
  public enum Standing: Hashable, Sendable {
    /// It is to be found.
    case counted
    /// It need not be found, and what finds it, however often, is neither right nor wrong: a face
    /// that is invalid in WIDER FACE, difficult in PASCAL VOC, or of which a labeller was not sure.
    case ignored
    /// An area of several faces (`iscrowd` in COCO): like `ignored`, and a detection lies in it by
    /// the share of the *detection* that it covers.
    case crowd
  }

  /// The rectangle around the face, in pixels of the picture; in a `TruePicture` that is normalised,
  /// in its widths and heights.
  public var box: Rectangle
  /// The five points, where the data set has them; in the units of `box`.
  public var landmarks: Landmarks?
  /// How it enters an evaluation.
  public var standing: Standing

  /// A face from its parts. One whose box encloses nothing, as some data sets have, is never counted:
  /// it becomes `.ignored`.
  public init(box: Rectangle, landmarks: Landmarks? = nil, standing: Standing = .counted) {
    self.box = box
    self.landmarks = landmarks
    self.standing = box.isDegenerate && standing == .counted ? .ignored : standing
  }

  /// How much of a detection is on this face, from 0 to 1: the intersection over union, or over the
  /// detection's own area where this is a crowd.
  public func overlap(with detection: Rectangle) -> Double {
    guard standing == .crowd else { return box.intersectionOverUnion(with: detection) }
    let intersection = box.intersectionArea(with: detection)
    return intersection > 0 ? intersection / detection.area : 0
  }
}
