import FaceDecoding

/// A picture's ground truth and its detections.
public struct ExaminedPicture: Hashable, Sendable {
  /// The picture's name, see `GroundTruthPicture.name`.
  public let name: String
  /// The faces of the ground truth, in the data set's order, in pixels.
  public let faces: [GroundTruthFace]
  /// The detections in pixels, best score first; equal scores keep the order given.
  public let detections: [Face]

  /// A picture from its parts. Detections without a score (NaN) are dropped.
  public init(name: String, faces: [GroundTruthFace], detections: [Face]) {
    self.name = name
    self.faces = faces
    self.detections = detections.filter { !$0.score.isNaN }.bestFirst(by: \.score)
  }
}

extension Sequence {
  /// The elements, best score first; equal scores keep their order.
  func bestFirst(by score: (Element) -> Float) -> [Element] {
    enumerated().sorted { a, b in
      let (first, second) = (score(a.element), score(b.element))
      return first == second ? a.offset < b.offset : first > second
    }.map(\.element)
  }
}
