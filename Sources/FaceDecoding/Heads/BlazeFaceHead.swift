import Geometry

/// The head of MediaPipe's BlazeFace: a cell proposes faces around its middle, all in the same way.
///
/// Its blobs hold, for each of the cell's proposals in turn,
///
///     1 channel     t, the score's
///     16 channels   x, y, width, height, and x, y of six points
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       σ(t)
///     box centre  (cell + 0.5) · stride + (x, y), cell being in cells
///     box size    (width, height)
///
/// MediaPipe bounds t to ±100, which changes no score that a threshold tells from 0 or 1, and drops boxes without
/// an area, as this head does. It then averages boxes that overlap, weighted by their scores, where here the best
/// of them stays. The six points, two of which are ears, have one for the mouth's middle but none for its corners,
/// so they are no `Landmarks`: faces have a box alone.
///
/// Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019,
/// https://arxiv.org/abs/1907.05047; https://github.com/google-ai-edge/mediapipe.
public struct BlazeFaceHead: Sendable, Hashable {
  /// Channels for each proposal's box and points.
  static let valuesPerBox = 16

  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// How many faces a cell proposes.
  public let proposals: Int
  /// Whether the scores' channels are scores already, not t.
  public let hasScores: Bool

  /// A head from its parts.
  ///
  /// - Precondition: both numbers are positive.
  public init(stride: Int, proposals: Int, hasScores: Bool = false) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(proposals > 0, "a cell proposes at least one face, not \(proposals)")
    self.stride = stride
    self.proposals = proposals
    self.hasScores = hasScores
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String) -> FaceHead {
    let scale = Double(stride)
    let width = BlazeFaceHead.valuesPerBox
    let confidence = ConfidenceForm(isProbability: hasScores)
    return FaceHead(
      maps: [
        FaceHead.Map(blob: scores, channels: proposals),
        FaceHead.Map(blob: boxes, channels: width * proposals),
      ], stride: stride,
      anchors: Array(repeating: Size(width: scale, height: scale), count: proposals),
      scoring: confidence.formula("score"), limit: { confidence.logit($0[0, $0.anchor]) }
    ) { cell in
      let first = width * cell.anchor
      let size = Size(width: cell[1, first + 2], height: cell[1, first + 3])
      guard size.width > 0, size.height > 0 else { return nil }
      return Face(
        score: Float(confidence.probability(cell[0, cell.anchor])),
        box: Rectangle(
          center: Point(
            x: (Double(cell.column) + 0.5) * scale + cell[1, first],
            y: (Double(cell.row) + 0.5) * scale + cell[1, first + 1]), size: size))
    }
  }
}
