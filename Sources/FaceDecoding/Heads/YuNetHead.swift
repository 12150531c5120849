import Geometry
import LibC

/// The head of YuNet: each cell proposes one face.
///
/// Its blobs hold
///
///     1 channel     t, the class's
///     1 channel     t, the objectness's
///     4 channels    box: tx, ty, tw, th
///     10 channels   x, y of right eye, left eye, nose, right mouth corner, left mouth corner
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       √(σ(class) · σ(objectness))
///     box centre  (cell + (tx, ty)) · stride, cell being in cells
///     box size    exp((tw, th)) · stride
///     landmark    (cell + (x, y)) · stride
///
/// Wu et al., "YuNet: A Tiny Millisecond-level Face Detector", 2023,
/// https://doi.org/10.1007/s11633-023-1423-y; https://github.com/ShiqiYu/libfacedetection.train.
public struct YuNetHead: Sendable, Hashable {
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// Whether class and objectness are probabilities already, not t.
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
  public func reading(
    scores: String, objectness: String, boxes: String, points: String?
  ) -> FaceHead {
    let scale = Double(stride)
    var maps = [
      FaceHead.Map(blob: scores, channels: 1), FaceHead.Map(blob: objectness, channels: 1),
      FaceHead.Map(blob: boxes, channels: 4),
    ]
    if let points { maps.append(FaceHead.Map(blob: points, channels: 10)) }
    let confidence = ConfidenceForm(isProbability: hasScores)
    @Sendable func probability(_ cell: CellValues, _ map: Int) -> Double {
      min(max(confidence.probability(cell[map, 0]), 0), 1)
    }
    @Sendable func score(_ cell: CellValues) -> Double {
      (probability(cell, 0) * probability(cell, 1)).squareRoot()
    }
    return FaceHead(
      maps: maps, stride: stride, anchors: [Size(width: scale, height: scale)],
      scoring: "√(\(confidence.formula("class")) · \(confidence.formula("objectness")))",
      parts: [("class", { probability($0, 0) }), ("objectness", { probability($0, 1) })],
      limit: { cell in
        guard !hasScores else { return confidence.logit(score(cell)) }
        // √σ(t) is less than σ(max(t, t / 2) + 1.1) for any t, and the score no more than the lower
        // confidence's root.
        let lower = min(cell[0, 0], cell[1, 0])
        return max(lower, lower / 2) + 1.1
      }
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      return Face(
        score: Float(score(cell)),
        box: Rectangle(
          center: Point(x: (x + cell[2, 0]) * scale, y: (y + cell[2, 1]) * scale),
          size: Size(width: exp(cell[2, 2]) * scale, height: exp(cell[2, 3]) * scale)),
        landmarks: points.map { _ in
          Landmarks { number in
            Point(x: (x + cell[3, 2 * number]) * scale, y: (y + cell[3, 2 * number + 1]) * scale)
          }
        })
    }
  }
}
