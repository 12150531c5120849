import Geometry

/// The head of SCRFD: each cell proposes faces by their distances from the cell's corner.
///
/// Its blobs hold, for each of the cell's proposals in turn,
///
///     1 channel     t, the score's
///     4 channels    l, t, r, b
///     10 channels   x, y of right eye, left eye, nose, right mouth corner, left mouth corner; or no
///                   such blob
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       σ(t)
///     box         from (cell − (l, t)) · stride to (cell + (r, b)) · stride, cell being in cells
///     landmark    (cell + (x, y)) · stride
///
/// Guo et al., "Sample and Computation Redistribution for Efficient Face Detection", 2021,
/// https://arxiv.org/abs/2105.04714.
public struct SCRFDHead: Sendable, Hashable {
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// How many faces a cell proposes.
  public let proposals: Int
  /// Whether the score's channels are scores already, not t.
  public let hasScores: Bool

  /// A head from its parts.
  ///
  /// - Precondition: both numbers are positive.
  public init(stride: Int, proposals: Int = 2, hasScores: Bool = false) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(proposals > 0, "a cell proposes at least one face, not \(proposals)")
    self.stride = stride
    self.proposals = proposals
    self.hasScores = hasScores
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String, points: String?) -> FaceHead {
    let scale = Double(stride)
    let maps = [
      FaceHead.Map(blob: scores, channels: proposals),
      FaceHead.Map(blob: boxes, channels: 4 * proposals),
    ]
    let pointMaps = points.map { [FaceHead.Map(blob: $0, channels: 10 * proposals)] } ?? []
    let confidence = ConfidenceForm(isProbability: hasScores)
    return FaceHead(
      maps: maps + pointMaps, stride: stride,
      anchors: Array(repeating: Size(width: scale, height: scale), count: proposals),
      scoring: confidence.formula("score"), limit: { confidence.logit($0[0, $0.anchor]) }
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let box = 4 * cell.anchor
      let left = 10 * cell.anchor
      return Face(
        score: Float(confidence.probability(cell[0, cell.anchor])),
        box: Rectangle(
          corner: Point(x: (x - cell[1, box]) * scale, y: (y - cell[1, box + 1]) * scale),
          opposite: Point(x: (x + cell[1, box + 2]) * scale, y: (y + cell[1, box + 3]) * scale)),
        landmarks: points.map { _ in
          Landmarks { number in
            Point(
              x: (x + cell[2, left + 2 * number]) * scale,
              y: (y + cell[2, left + 2 * number + 1]) * scale)
          }
        })
    }
  }
}
