// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference

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
    /// As a single size, but where another is asked for, any whose sides are multiples of a number.
    case usual(Letterbox.InputSize, isStretched: Bool = false, multiplesOf: Int = 1)
    /// About this many pixels in the picture's shape, its sides multiples of a number.
    case area(Int, multiplesOf: Int = 1)
  }

  /// The blobs of one stride.
  public struct Level: Sendable, Hashable, Codable {
    /// Input pixels from one cell to the next.
    public var stride: Int
    /// A blob of all values: of YOLO5Face, YOLOv3, YOLOv5, YOLOv7-face, YOLOv8-face or YuNet of 2021; or SSD's rows.
    public var values: String?
    /// The blob of all values of YOLO5Face as anchors × cells × 16.
    public var cells: String?
    /// The scores' blob, or the classes'.
    public var scores: String?
    /// YuNet's second blob of scores, the overlaps of YuNet of 2021.
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
  /// What red, green and blue are divided by, where these differ; then `divisor` does not count.
  public var divisors: [Float]?
  /// The grey of the padding, 0 to 255.
  public var fill: UInt8
  /// The sizes of input.
  public var size: Size
  /// Whether the scores are probabilities already; false by default.
  public var hasScores: Bool?
  /// The variances of centres and sizes of prior boxes, see `FaceFamily.retinaFace`; 0.1 and 0.2 by default.
  public var variances: [Double]?
  /// Where in a cell the centre of prior boxes is, in pixels from its corner; the middle by default.
  public var anchorCenter: Double?
  /// The order of channels of two classes; by anchor by default.
  public var classOrder: ClassOrder?
  /// The blobs of each stride.
  public var levels: [Level]
}

extension FamilyRecipe {
  /// Whether faces have landmarks.
  public var findsLandmarks: Bool { levels.allSatisfy { family.findsLandmarks(at: $0) } }

  /// The recipe that it describes.
  ///
  /// - Throws: `ValueError` where a value is missing or out of bounds.
  public func recipe() throws(ValueError) -> ModelRecipe {
    try requireBounds()
    var heads: [FaceHead] = []
    for level in levels { heads.append(family.head(try HeadLevel(level, of: self))) }
    let style: Letterbox.Style =
      switch size {
      case .multiples(let number): Letterbox.Style(fill: fill, granularity: number)
      case .fixed(let size, let isStretched):
        Letterbox.Style(fill: fill, size: size, stretches: isStretched)
      case .usual(let size, let isStretched, let number):
        Letterbox.Style(
          fill: fill, granularity: number,
          standardMode: .exact(width: size.width, height: size.height), stretches: isStretched)
      case .area(let area, let number):
        Letterbox.Style(fill: fill, granularity: number, standardMode: .area(area))
      }
    var recipe = ModelRecipe(
      input: input,
      normalization: Normalization(
        mean: SIMD3(mean), divisors: divisors.map { SIMD3($0) } ?? SIMD3(repeating: divisor),
        order: planes == .rgb ? .rgb : .bgr),
      letterbox: style, heads: heads)
    recipe.family = self
    return recipe
  }
}

extension FamilyRecipe.Level {
  enum Key: String, CaseIterable {
    case values, cells, scores, objectness, boxes, offsets, points
  }

  subscript(key: Key) -> String? {
    get {
      switch key {
      case .values: values
      case .cells: cells
      case .scores: scores
      case .objectness: objectness
      case .boxes: boxes
      case .offsets: offsets
      case .points: points
      }
    }
    set {
      switch key {
      case .values: values = newValue
      case .cells: cells = newValue
      case .scores: scores = newValue
      case .objectness: objectness = newValue
      case .boxes: boxes = newValue
      case .offsets: offsets = newValue
      case .points: points = newValue
      }
    }
  }

  var blobs: [String] { Key.allCases.compactMap { self[$0] } }
}

/// The order of a blob's channels of two classes, background and face.
public enum ClassOrder: String, Sendable, Hashable, Codable {
  /// Background and face of an anchor side by side.
  case byAnchor
  /// The backgrounds of all anchors before their faces.
  case byClass
  /// Face and background of an anchor side by side.
  case faceFirst
}
