import Geometry

/// The head of YOLO26 of one class: each cell proposes one face by the sides of its box.
///
/// Its blobs hold
///
///     4 channels    the distances d of the left, upper, right and lower side from the cell's middle
///     1 channel     t, the score's
///     15 channels   x, y and visibility of right eye, left eye, nose, right mouth corner, left mouth
///                   corner
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       σ(t)
///     box         from (cell + 0.5 − d) · stride to (cell + 0.5 + d) · stride, cell being in cells
///     landmark    ((x, y) + cell + 0.5) · stride
///
/// Boxes without an area are dropped, which a network that was trained hardly proposes.
///
/// https://docs.ultralytics.com/models/yolo26.
public struct YOLO26FaceHead: Sendable, Hashable {
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// Whether the score's channel is the score already, not t.
  public let hasScores: Bool

  /// A head from its parts.
  ///
  /// - Precondition: `stride` is positive.
  public init(stride: Int, hasScores: Bool = false) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    self.stride = stride
    self.hasScores = hasScores
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String, points: String?) -> FaceHead {
    let scale = Double(stride)
    var maps = [FaceHead.Map(blob: scores, channels: 1), FaceHead.Map(blob: boxes, channels: 4)]
    if let points { maps.append(FaceHead.Map(blob: points, channels: 15)) }
    let confidence = ConfidenceForm(isProbability: hasScores)
    return FaceHead(
      maps: maps, stride: stride, anchors: [Size(width: scale, height: scale)],
      scoring: confidence.formula("class"), limit: { confidence.logit($0[0, 0]) }
    ) { cell in
      let (x, y) = (Double(cell.column) + 0.5, Double(cell.row) + 0.5)
      guard cell[1, 0] + cell[1, 2] > 0, cell[1, 1] + cell[1, 3] > 0 else { return nil }
      return Face(
        score: Float(confidence.probability(cell[0, 0])),
        box: Rectangle(
          corner: Point(x: (x - cell[1, 0]) * scale, y: (y - cell[1, 1]) * scale),
          opposite: Point(x: (x + cell[1, 2]) * scale, y: (y + cell[1, 3]) * scale)),
        landmarks: points.map { _ in
          Landmarks { number in
            Point(x: (x + cell[2, 3 * number]) * scale, y: (y + cell[2, 3 * number + 1]) * scale)
          }
        })
    }
  }
}
