// A user imports this module alone: what is explained is a detector's work.
@_exported import YOLOFace

/// What a detector does with one picture, stage by stage, as a page to look at.
///
/// ```swift
/// let picture = try PNG.read(path: "Examples/astronaut.png")
/// let explanation = try Explanation(of: picture, named: "astronaut.png", by: try FaceDetector())
/// let html = try explanation.page()
/// ```
///
/// The page is one HTML file that refers to nothing outside itself and is allowed to load nothing.
/// It holds the picture, the letterbox, the network with the shapes, times and feature maps of its
/// layers, the plan that the engine made of it, and the heads' raw values, from which it decodes and
/// suppresses by itself as thresholds are moved.
public struct Explanation: Encodable, Sendable {
  /// The most candidates that a page holds with all their values, the best.
  public static let maximumCandidates = 10_000
  /// Candidates of a lower score are not among them.
  public static let lowestScore: Float = 0.001
  /// The long side, in pixels, to which a larger picture is shrunk for the page.
  public static let maximumPictureSide = 1000

  var title: String
  var model: String
  var instructionSet: String
  var scoreThreshold: Double
  var overlapThreshold: Double
  var landmarkNames = Landmarks.names
  var picture: PictureReport
  var letterbox: LetterboxReport
  var network: NetworkReport
  var heads: [HeadReport]
  var candidates: CandidateReport

  /// Runs a detector on a picture and keeps what each stage made.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - title: what the page calls it, a file's name or any other text.
  ///   - detector: its network is run as the engine planned it, and once more layer by layer, both
  ///     on one thread: of several, each would count another's work to its own steps.
  ///   - options: the letterbox, the filter, and where the page's sliders stand at first. A picture
  ///     that must be turned is shown upright; scores are objectness times class.
  /// - Throws: as `FaceDetector.detect`; `InferenceError` also where not all of the network's blobs
  ///   fit into 1 GiB.
  public init(
    of image: RGBImage, named title: String, by detector: FaceDetector,
    options: DetectionOptions = DetectionOptions()
  ) throws {
    let image = image.upright(from: options.orientation)
    let letterbox = try Letterbox(
      imageWidth: image.width, imageHeight: image.height, mode: options.letterbox)
    let detector = try detector.another(threads: 1)
    let engine = detector.engine
    try engine.prepare(rows: letterbox.inputHeight, columns: letterbox.inputWidth)
    let input = try image.letterboxed(letterbox, filter: options.resizeFilter)
    self.title = title
    model = engine.network.source
    instructionSet = engine.instructionSet
    scoreThreshold = Double(options.scoreThreshold)
    overlapThreshold = options.overlapThreshold
    picture = try PictureReport(image)
    self.letterbox = LetterboxReport(letterbox)
    let cells = try HeadCells(of: input, by: detector)
    heads = zip(detector.recipe.outputs, cells.heads).map { HeadReport($0, $1) }
    candidates = CandidateReport(cells.best(Self.maximumCandidates))
    network = try NetworkReport(of: input, by: detector, steps: cells.steps)
  }
}

/// The picture as the page shows it.
struct PictureReport: Encodable, Sendable {
  /// The picture's own size, in whose pixels positions are.
  var width, height: Int
  /// A PNG, perhaps of a smaller copy.
  var png: Base64

  init(_ image: RGBImage) throws {
    width = image.width
    height = image.height
    let scale = min(1, Double(Explanation.maximumPictureSide) / Double(max(width, height)))
    let shown = try image.resized(
      width: max(1, Int(Double(width) * scale)), height: max(1, Int(Double(height) * scale)),
      filter: .area)
    png = Base64(try PNG.encode(shown))
  }
}

/// The numbers of a letterbox, see `Letterbox`.
struct LetterboxReport: Encodable, Sendable {
  var scale, horizontalScale, verticalScale: Double
  var scaledWidth, scaledHeight, inputWidth, inputHeight, padLeft, padTop: Int

  init(_ letterbox: Letterbox) {
    scale = letterbox.scale
    horizontalScale = letterbox.horizontalScale
    verticalScale = letterbox.verticalScale
    scaledWidth = letterbox.scaledWidth
    scaledHeight = letterbox.scaledHeight
    inputWidth = letterbox.inputWidth
    inputHeight = letterbox.inputHeight
    padLeft = letterbox.padLeft
    padTop = letterbox.padTop
  }
}
