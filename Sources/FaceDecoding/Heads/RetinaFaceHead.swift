import Geometry

/// The head of RetinaFace: square `PriorBoxes`, two classes, landmarks.
///
/// Its blobs hold two, four and ten channels for each anchor: background and face, the box's t, and
/// x and y of right eye, left eye, nose, right mouth corner and left mouth corner. The score is the
/// face's share of a softmax, σ(face − background).
///
/// Deng et al., "RetinaFace: Single-stage Dense Face Localisation in the Wild", 2019,
/// https://arxiv.org/abs/1905.00641. There are two lines of weights. Those of the authors
/// (https://github.com/deepinsight/insightface) have anchors around a point 8 pixels into each cell,
/// on every stride, and no variances. Those of the most used PyTorch implementation
/// (https://github.com/biubug6/Pytorch_Retinaface) have anchors around the cell's middle and the
/// variances 0.1 and 0.2.
public struct RetinaFaceHead: Sendable, Hashable {
  /// The anchors.
  public let priors: PriorBoxes
  /// The order of the scores' channels.
  public let order: ClassOrder

  /// A head from its parts.
  public init(priors: PriorBoxes, order: ClassOrder) {
    self.priors = priors
    self.order = order
  }

  /// The heads of the authors' weights: the larger anchor first, classes one after the other.
  public static let insightFace = [(8, [32, 16]), (16, [128, 64]), (32, [512, 256])].map {
    RetinaFaceHead(
      priors: PriorBoxes(
        stride: $0, anchors: squares($1), centre: 8, centreVariance: 1, sizeVariance: 1),
      order: .byClass)
  }

  /// The heads of the PyTorch implementation with a MobileNet of a quarter of its width.
  public static let pyTorch = [(8, [16, 32]), (16, [64, 128]), (32, [256, 512])].map {
    RetinaFaceHead(priors: PriorBoxes(stride: $0, anchors: squares($1)), order: .byAnchor)
  }

  /// The `FaceHead` that reads the blobs of these names.
  public func reading(scores: String, boxes: String, points: String?) -> FaceHead {
    priors.reading(scores: scores, boxes: boxes, points: points, order: order)
  }
}

/// Squares with these sides, in pixels.
func squares(_ sides: [Int]) -> [Size] { sizes(sides.map { ($0, $0) }) }

/// Sizes with these sides, in pixels.
func sizes(_ sides: [(width: Int, height: Int)]) -> [Size] {
  sides.map { Size(width: Double($0.width), height: Double($0.height)) }
}
