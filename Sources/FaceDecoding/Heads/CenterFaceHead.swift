import Geometry
import LibC

/// The head of CenterFace: each cell proposes the face whose middle lies in it.
///
/// Its blobs hold
///
///     1 channel     t, the score's
///     2 channels    th, tw: height before width
///     2 channels    dy, dx: y before x
///     10 channels   y, x of right eye, left eye, nose, right mouth corner, left mouth corner
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       σ(t)
///     box centre  (cell + 0.5 + (dx, dy)) · stride, cell being in cells
///     box size    exp((tw, th)) · stride
///     landmark    the box's corner + (x, y) · box size
///
/// The authors' program moves a box that reaches over the picture's left or top edge, with its landmarks, inside;
/// here it stays where it is.
///
/// Xu et al., "CenterFace: Joint Face Detection and Alignment Using Face as Point", 2019,
/// https://arxiv.org/abs/1911.03599; https://github.com/Star-Clouds/CenterFace.
public struct CenterFaceHead: Sendable, Hashable {
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// Whether the score's channel is a score already, not t.
  public let hasScores: Bool

  /// A head from its parts.
  ///
  /// - Precondition: `stride` is positive.
  public init(stride: Int = 4, hasScores: Bool = false) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    self.stride = stride
    self.hasScores = hasScores
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String, offsets: String, points: String?) -> FaceHead {
    let scale = Double(stride)
    var maps = [
      FaceHead.Map(blob: scores, channels: 1), FaceHead.Map(blob: boxes, channels: 2),
      FaceHead.Map(blob: offsets, channels: 2),
    ]
    if let points { maps.append(FaceHead.Map(blob: points, channels: 10)) }
    let confidence = ConfidenceForm(isProbability: hasScores)
    return FaceHead(
      maps: maps, stride: stride, anchors: [Size(width: scale, height: scale)],
      scoring: confidence.formula("score"), limit: { confidence.logit($0[0, 0]) }
    ) { cell in
      let box = Rectangle(
        center: Point(
          x: (Double(cell.column) + 0.5 + cell[2, 1]) * scale,
          y: (Double(cell.row) + 0.5 + cell[2, 0]) * scale),
        size: Size(width: exp(cell[1, 1]) * scale, height: exp(cell[1, 0]) * scale))
      return Face(
        score: Float(confidence.probability(cell[0, 0])), box: box,
        landmarks: points.map { _ in
          Landmarks { number in
            Point(
              x: box.x + cell[3, 2 * number + 1] * box.width,
              y: box.y + cell[3, 2 * number] * box.height)
          }
        })
    }
  }
}
