import Geometry
import LibC

/// Boxes that a cell's proposals start from, and how values move them, as in SSD
/// (Liu et al., "SSD: Single Shot MultiBox Detector", 2016, https://arxiv.org/abs/1512.02325).
///
/// Each of a cell's anchors is a box around the same point. Of four values t,
///
///     box centre  point + v · (t0, t1) · anchor
///     box size    anchor · exp(w · (t2, t3))
///     landmark    point + v · (t0, t1) · anchor
///
/// with the variances v and w.
public struct PriorBoxes: Sendable, Hashable {
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// The sizes of the anchors, in input pixels.
  public let anchors: [Size]
  /// Where in a cell the anchors' centre is, in input pixels from its corner; nil for the middle.
  public let centre: Double?
  /// Whether the cells divide the input evenly, so that they are smaller than `stride` where the
  /// input is no multiple of it, and no anchor is larger than the input.
  public let dividesInput: Bool
  /// The variance of centres and landmarks.
  public let centreVariance: Double
  /// The variance of sizes.
  public let sizeVariance: Double

  /// Boxes from their parts.
  ///
  /// - Precondition: `stride` is positive and there is at least one anchor.
  public init(
    stride: Int, anchors: [Size], centre: Double? = nil, dividesInput: Bool = false,
    centreVariance: Double = 0.1, sizeVariance: Double = 0.2
  ) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(!anchors.isEmpty, "a head needs at least one anchor")
    self.stride = stride
    self.anchors = anchors
    self.centre = centre
    self.dividesInput = dividesInput
    self.centreVariance = centreVariance
    self.sizeVariance = sizeVariance
  }

  /// The size that a cell's proposal starts from.
  private func anchor(of cell: CellValues) -> Size {
    let anchor = anchors[cell.anchor]
    guard dividesInput, let input = cell.grid.inputSize else { return anchor }
    return Size(
      width: min(anchor.width, Double(input.width)),
      height: min(anchor.height, Double(input.height)))
  }

  /// A point of a proposal, from two values of it.
  private func point(_ cell: CellValues, _ x: Double, _ y: Double) -> Point {
    let size = cell.grid.cellSize(stride: stride, dividesInput: dividesInput)
    let anchor = anchor(of: cell)
    return Point(
      x: Double(cell.column) * size.width + (centre ?? size.width / 2)
        + centreVariance * x * anchor.width,
      y: Double(cell.row) * size.height + (centre ?? size.height / 2)
        + centreVariance * y * anchor.height)
  }

  /// A size of a proposal, from two values of it.
  private func size(_ cell: CellValues, _ width: Double, _ height: Double) -> Size {
    let anchor = anchor(of: cell)
    return Size(
      width: anchor.width * exp(sizeVariance * width),
      height: anchor.height * exp(sizeVariance * height))
  }

  /// The head that moves these boxes.
  ///
  /// - Parameters:
  ///   - scores: the name of a blob of two channels for each anchor, background and face.
  ///   - boxes: that of a blob of four channels for each anchor, its t.
  ///   - points: that of a blob of ten channels for each anchor, the landmarks; nil for faces
  ///     without.
  ///   - order: the order of the scores' channels.
  func reading(scores: String, boxes: String, points: String?, order: ClassOrder) -> FaceHead {
    let count = anchors.count
    var maps = [
      FaceHead.Map(blob: scores, channels: 2 * count),
      FaceHead.Map(blob: boxes, channels: 4 * count),
    ]
    if let points { maps.append(FaceHead.Map(blob: points, channels: 10 * count)) }
    // Softmax of two numbers is the logistic function of their difference.
    @Sendable func logit(_ cell: CellValues) -> Double {
      let (background, face) = order.channels(of: cell.anchor, among: count)
      return cell[0, face] - cell[0, background]
    }
    return FaceHead(
      maps: maps, stride: stride, anchors: anchors, dividesInput: dividesInput,
      scoring: "σ(face − background)", limit: logit
    ) { cell in
      let (box, mark) = (4 * cell.anchor, 10 * cell.anchor)
      return Face(
        score: Float(sigmoid(logit(cell))),
        box: Rectangle(
          center: point(cell, cell[1, box], cell[1, box + 1]),
          size: size(cell, cell[1, box + 2], cell[1, box + 3])),
        landmarks: points.map { _ in
          Landmarks { number in
            point(cell, cell[2, mark + 2 * number], cell[2, mark + 2 * number + 1])
          }
        })
    }
  }
}

/// The order of a blob's channels of two classes, background and face.
public enum ClassOrder: String, Sendable, Hashable, Codable {
  /// Background and face of an anchor side by side.
  case byAnchor
  /// The backgrounds of all anchors before their faces.
  case byClass

  fileprivate func channels(of anchor: Int, among count: Int) -> (background: Int, face: Int) {
    switch self {
    case .byAnchor: (2 * anchor, 2 * anchor + 1)
    case .byClass: (anchor, count + anchor)
    }
  }
}
