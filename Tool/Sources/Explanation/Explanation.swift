// SPDX-License-Identifier: Apache-2.0

// A user imports this module alone.
@_spi(Tool) @_exported import YOLOFace

/// What a detector does with one picture, stage by stage, as a page.
///
/// ```swift
/// let picture = try Picture.read(path: "Examples/astronaut.png")
/// let explanation = try Explanation(of: picture, named: "astronaut.png", by: try FaceDetector())
/// let html = try explanation.page()
/// ```
///
/// The page is one HTML file that loads nothing. It holds the picture, the letterbox, the network with the shapes, times
/// and feature maps of its layers, the engine's plan, and the candidates; and the engine itself, compiled to
/// WebAssembly, which runs suppression on these again as the reader moves the thresholds. A live page also holds the
/// model, which the engine runs on other pictures and with other weights.
public struct Explanation: Encodable, Sendable {
  /// The most candidates that a page holds, the best first.
  public static let maximumCandidates = 10_000
  /// Candidates with a lower score are left out.
  public static let lowestScore: Float = 0.001
  /// The long side, in pixels, to which a larger picture is shrunk for the page.
  public static let maximumPictureSide = 1000

  var title: String
  var model: String
  /// The planes of the network's input, in order.
  var inputColors: [String]
  var instructionSet: String
  var scoreThreshold: Double
  var overlapThreshold: Double
  var landmarkNames = Landmarks.names
  var picture: PictureReport
  var letterbox: LetterboxReport
  var network: NetworkReport
  var heads: [HeadReport]
  var candidates: CandidateReport
  var comparison: ComparisonReport?
  let engine = Base64.engine
  var live: LiveReport?
  /// Other pictures to choose, on a live page.
  var pictures: [PagePicture]
  /// The faces that are known to be in the picture, in its pixels once it is upright: the page lists those that it misses.
  public var truth: [Box] = []

  /// Runs a detector on a picture and keeps the result of each stage, to show it below a title such as the file's name.
  ///
  /// Its network runs as the engine planned it and again layer by layer, both on one thread, so that times do not
  /// overlap. The options are the letterbox, the filter, and the page's first thresholds; the picture is shown upright.
  /// With another detector, the page compares its blobs and faces with this one's. A live page holds the model, to
  /// compute what its reader asks for, instead of feature maps; only where the detector `runsInPages`. It also holds other
  /// pictures, on which the reader may run it.
  ///
  /// - Throws: as `FaceDetector.detect`; `InferenceError` also where the network's blobs do not all fit into 1 GiB.
  public init(
    of image: RGBImage, named title: String, by detector: FaceDetector,
    options: DetectionOptions = DetectionOptions(), beside other: FaceDetector? = nil,
    isLive: Bool = false, pictures: [PagePicture] = []
  ) throws {
    let image = image.upright(from: options.orientation)
    let look = try detector.wholeLook(at: image, options: options)
    let input = try look.input(of: image, filter: options.resizeFilter)
    let detector = try detector.copy(runningAllLayersOn: input)
    let engine = detector.engine
    self.title = title
    (model, instructionSet) = (engine.network.fileName, engine.instructionSet)
    inputColors = detector.recipe.inputColors
    scoreThreshold = Double(options.scoreThreshold)
    overlapThreshold = options.overlapThreshold
    picture = try PictureReport(image)
    self.letterbox = LetterboxReport(
      look.letterbox, mode: options.letterbox ?? detector.recipe.letterbox.standardMode)
    let cells = try HeadCells(of: input, by: detector)
    heads = cells.heads
    candidates = CandidateReport(cells.best(Self.maximumCandidates))
    network = try NetworkReport(of: input, by: detector, steps: cells.steps, withMaps: !isLive)
    live = isLive && detector.runsInPages ? try LiveReport(detector, input: input) : nil
    self.pictures = live == nil ? [] : pictures
    comparison = try other.map { other in
      try ComparisonReport(
        of: image, input: input, by: detector, and: try other.copy(runningAllLayersOn: input),
        options: options)
    }
  }
}

struct PictureReport: Encodable, Sendable {
  /// The size of the picture itself, in pixels; positions are in these pixels.
  var width, height: Int
  /// A PNG of the picture, or of a smaller copy.
  var png: Base64

  init(_ image: RGBImage) throws {
    (width, height) = (image.width, image.height)
    png = Base64(try PNG.encode(try image.shrunk(toLongSide: Explanation.maximumPictureSide)))
  }
}

/// How the picture is fitted into the network's input: what the page's engine makes a `Letterbox` of.
struct LetterboxReport: Encodable, Sendable {
  var imageWidth, imageHeight: Int
  /// 0 for a long side, 1 for a square, 2 for an exact size.
  var mode: Int
  /// The size of the mode; the long side or the side of the square twice.
  var width, height: Int
  /// The grey of the padding.
  var fill: UInt8
  var granularity: Int
  /// The only size that the network takes; 0 × 0 where it takes many.
  var fixedWidth, fixedHeight: Int
  var isStretched: Bool

  init(_ letterbox: Letterbox, mode: Letterbox.Mode) {
    (imageWidth, imageHeight) = (letterbox.imageWidth, letterbox.imageHeight)
    let longSide = max(letterbox.inputWidth, letterbox.inputHeight)
    (self.mode, width, height) =
      switch mode {
      case .longSide(let side): (0, side, side)
      case .square(let side): (1, side, side)
      case .exact(let width, let height): (2, width, height)
      case .area: (0, longSide, longSide)
      }
    let style = letterbox.style
    (fill, granularity, isStretched) = (style.fill, style.granularity, style.stretches)
    (fixedWidth, fixedHeight) = style.fixedSize.map { ($0.width, $0.height) } ?? (0, 0)
  }
}
