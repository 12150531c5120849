import Geometry
import LibC

/// The head of YOLOv8-face: each cell proposes one face, the sides of its box as distributions.
///
/// Its blobs hold
///
///     64 channels   16 numbers for each of the left, upper, right and lower side: with their softmax
///                   as weights, the mean of 0 … 15 is the side's distance d from the cell's middle
///     1 channel     t, the score's
///     15 channels   x, y and visibility of right eye, left eye, nose, right mouth corner, left
///                   mouth corner
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     score       σ(t)
///     box         from (cell + 0.5 − d) · stride to (cell + 0.5 + d) · stride, cell being in cells
///     landmark    (2 (x, y) + cell) · stride
///
/// https://github.com/derronqi/yolov8-face; the distributions are those of Li et al., "Generalized
/// Focal Loss", 2020, https://arxiv.org/abs/2006.04388.
public struct YOLO8FaceHead: Sendable, Hashable {
  /// The numbers of each distribution.
  public static let bins = 16

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
    var maps = [
      FaceHead.Map(blob: boxes, channels: 4 * YOLO8FaceHead.bins),
      FaceHead.Map(blob: scores, channels: 1),
    ]
    if let points { maps.append(FaceHead.Map(blob: points, channels: 15)) }
    return head(maps, score: (1, 0), point: points == nil ? nil : (2, 0))
  }

  /// The `FaceHead` that reads the blob of this name, which holds the channels of boxes, scores and
  /// points one after the other.
  public func reading(channelsOf blob: String) -> FaceHead {
    let boxes = 4 * YOLO8FaceHead.bins
    return head(
      [FaceHead.Map(blob: blob, channels: boxes + 16)], score: (0, boxes), point: (0, boxes + 1))
  }

  /// - Parameters:
  ///   - maps: the blobs, of which the first begins with the box.
  ///   - score: the blob and the channel of the score.
  ///   - point: those of the first landmark's x; nil for faces without landmarks.
  private func head(
    _ maps: [FaceHead.Map], score: (map: Int, channel: Int), point: (map: Int, channel: Int)?
  ) -> FaceHead {
    let scale = Double(stride)
    let confidence = ConfidenceForm(isProbability: hasScores)
    return FaceHead(
      maps: maps, stride: stride, anchors: [Size(width: scale, height: scale)],
      scoring: confidence.formula("class"),
      limit: { confidence.logit($0[score.map, score.channel]) }
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let sides = (0..<4).map { meanOfBins(cell, from: $0 * YOLO8FaceHead.bins) }
      return Face(
        score: Float(confidence.probability(cell[score.map, score.channel])),
        box: Rectangle(
          corner: Point(x: (x + 0.5 - sides[0]) * scale, y: (y + 0.5 - sides[1]) * scale),
          opposite: Point(x: (x + 0.5 + sides[2]) * scale, y: (y + 0.5 + sides[3]) * scale)),
        landmarks: point.map { map, first in
          Landmarks { number in
            Point(
              x: (2 * cell[map, first + 3 * number] + x) * scale,
              y: (2 * cell[map, first + 3 * number + 1] + y) * scale)
          }
        })
    }
  }

  private func meanOfBins(_ cell: CellValues, from first: Int) -> Double {
    let values = (0..<YOLO8FaceHead.bins).map { cell[0, first + $0] }
    // Of the largest, so that no exponential overflows.
    let largest = values.reduce(-.infinity, max)
    var (sum, moment) = (0.0, 0.0)
    for (bin, value) in values.enumerated() {
      let weight = exp(value - largest)
      sum += weight
      moment += weight * Double(bin)
    }
    return moment / sum
  }
}
