import FaceDecoding
import Geometry
import Inference

/// A recipe in a form that can be written to a file and read from one: a family, and how this network
/// differs from others of it.
///
/// ```json
/// {
///   "family": "scrfd", "input": "input.1", "planes": "rgb", "mean": [127.5, 127.5, 127.5],
///   "divisor": 128, "fill": 0, "size": {"multipleOf": 32},
///   "levels": [
///     {"stride": 8, "scores": "442", "boxes": "bbox_8", "points": "kps_8", "proposals": 2}
///   ]
/// }
/// ```
///
/// Blobs are named as in the `.param` file. Those of a level have a row and a column for each cell,
/// except `cells` and SSD's rows.
public struct FamilyRecipe: Sendable, Hashable, Codable {
  /// The order of the input's planes.
  public enum Planes: String, Sendable, Hashable, Codable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr
  }

  /// The sizes of input that the network takes.
  public enum Size: Sendable, Hashable {
    /// Any whose sides are multiples of this.
    case multiples(of: Int)
    /// A single size, to which a picture is stretched, or into which it is fitted with padding.
    case fixed(Letterbox.InputSize, isStretched: Bool = false)
  }

  /// The blobs of one stride.
  public struct Level: Sendable, Hashable, Codable {
    /// Input pixels from one cell to the next.
    public var stride: Int
    /// A blob of all values: YOLO5Face's, YOLOv5's, YOLOv7-face's or YOLOv8-face's, or SSD's rows.
    public var values: String?
    /// The blob of all values of YOLO5Face as anchors × cells × 16.
    public var cells: String?
    /// The scores' blob, or the classes'.
    public var scores: String?
    /// YuNet's second blob of scores.
    public var objectness: String?
    /// The boxes' blob.
    public var boxes: String?
    /// CenterFace's blob of offsets.
    public var offsets: String?
    /// The landmarks' blob; absent for faces without.
    public var points: String?
    /// Width and height of each anchor in input pixels, for families that have anchors.
    public var anchors: [[Double]]?
    /// How many faces a cell of SCRFD or BlazeFace proposes, and SSD's rows; 2 by default.
    public var proposals: Int?

    /// The names of all its blobs.
    var blobs: [String] {
      [values, cells, scores, objectness, boxes, offsets, points].compactMap { $0 }
    }
  }

  /// The family.
  public var family: FaceFamily
  /// The name of the network's input.
  public var input: String
  /// The order of its planes.
  public var planes: Planes
  /// What is subtracted from red, green and blue, 0 to 255.
  public var mean: [Float]
  /// What the difference is divided by.
  public var divisor: Float
  /// The grey of the padding, 0 to 255.
  public var fill: UInt8
  /// The sizes of input.
  public var size: Size
  /// Whether the scores are probabilities already; false by default.
  public var hasScores: Bool?
  /// The variances of centres and sizes of `PriorBoxes`; 0.1 and 0.2 by default.
  public var variances: [Double]?
  /// Where in a cell the centre of `PriorBoxes` is, in pixels from its corner; the middle by default.
  public var anchorCentre: Double?
  /// The order of channels of two classes; by anchor by default.
  public var classOrder: ClassOrder?
  /// The blobs of each stride.
  public var levels: [Level]
}

extension FamilyRecipe {
  /// Whether faces have landmarks.
  public var findsLandmarks: Bool {
    switch family {
    case .yolo5Face, .yolo7Face: true
    case .yolo8Face: levels.allSatisfy { $0.points != nil || $0.values != nil }
    default: levels.allSatisfy { $0.points != nil }
    }
  }

  /// The recipe that it describes.
  ///
  /// - Throws: `RecipeError` where a value is missing or out of bounds.
  public func recipe() throws(RecipeError) -> ModelRecipe {
    try requireBounds()
    var heads: [FaceHead] = []
    for level in levels { heads.append(try head(level)) }
    let style: Letterbox.Style =
      switch size {
      case .multiples(let number): Letterbox.Style(fill: fill, granularity: number)
      case .fixed(let size, let isStretched):
        Letterbox.Style(fill: fill, size: size, stretches: isStretched)
      }
    var recipe = ModelRecipe(
      input: input,
      normalisation: Normalisation(
        mean: SIMD3(mean[0], mean[1], mean[2]), divisor: divisor,
        order: planes == .rgb ? .rgb : .bgr),
      letterbox: style, heads: heads)
    recipe.family = self
    return recipe
  }

  private func head(_ level: Level) throws(RecipeError) -> FaceHead {
    func required<Value>(_ value: Value?, _ key: String) throws(RecipeError) -> Value {
      guard let value else { throw .missing(key: key, family: family, stride: level.stride) }
      return value
    }
    func anchors() throws(RecipeError) -> [Geometry.Size] {
      try required(level.anchors, "anchors").map { Geometry.Size(width: $0[0], height: $0[1]) }
    }
    func scores() throws(RecipeError) -> String { try required(level.scores, "scores") }
    func boxes() throws(RecipeError) -> String { try required(level.boxes, "boxes") }
    func priors() throws(RecipeError) -> PriorBoxes {
      PriorBoxes(
        stride: level.stride, anchors: try anchors(), centre: anchorCentre,
        dividesInput: family == .ultraFace && level.points == nil,
        centreVariance: variances?[0] ?? 0.1, sizeVariance: variances?[1] ?? 0.2)
    }
    let hasScores = hasScores ?? false
    switch family {
    case .yolo5Face:
      let head = YOLO5FaceHead(stride: level.stride, anchors: try anchors())
      if let cells = level.cells { return head.reading(cells) }
      return head.reading(channelsOf: try required(level.values, "values"))
    case .yolo5, .yolo7Face:
      return YOLO7FaceHead(
        stride: level.stride, anchors: try anchors(), hasLandmarks: family == .yolo7Face
      ).reading(try required(level.values, "values"))
    case .yolo8Face:
      let head = YOLO8FaceHead(stride: level.stride, hasScores: hasScores)
      if let values = level.values { return head.reading(channelsOf: values) }
      return head.reading(scores: try scores(), boxes: try boxes(), points: level.points)
    case .yolo26Face:
      return YOLO26FaceHead(stride: level.stride, hasScores: hasScores).reading(
        scores: try scores(), boxes: try boxes(), points: level.points)
    case .scrfd:
      return SCRFDHead(
        stride: level.stride, proposals: level.proposals ?? 2, hasScores: hasScores
      ).reading(scores: try scores(), boxes: try boxes(), points: level.points)
    case .retinaFace:
      return RetinaFaceHead(priors: try priors(), order: classOrder ?? .byAnchor).reading(
        scores: try scores(), boxes: try boxes(), points: level.points)
    case .ultraFace:
      return UltraFaceHead(priors: try priors()).reading(
        scores: try scores(), boxes: try boxes(), points: level.points)
    case .yuNet:
      return YuNetHead(stride: level.stride, hasScores: hasScores).reading(
        scores: try scores(),
        objectness: try required(level.objectness, "objectness"),
        boxes: try boxes(), points: level.points)
    case .centerFace:
      return CenterFaceHead(stride: level.stride, hasScores: hasScores).reading(
        scores: try scores(), boxes: try boxes(),
        offsets: try required(level.offsets, "offsets"), points: level.points)
    case .blazeFace:
      return BlazeFaceHead(
        stride: level.stride, proposals: level.proposals ?? 2, hasScores: hasScores
      ).reading(scores: try scores(), boxes: try boxes())
    case .ssd:
      return SSDHead(stride: level.stride, rows: level.proposals ?? 2)
        .reading(try required(level.values, "values"))
    }
  }
}
