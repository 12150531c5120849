import FaceDecoding
import Raster
import YOLOFace

/// The engine, compiled to WebAssembly (see `Tool/Web/`), and a model for it.
struct EngineReport: Encodable, Sendable {
  /// The compiled engine, gzip.
  private let code: Base64
  private let param: Base64
  private let bin: Base64
  /// The long sides that the reader may choose; 0 stands for the model's only size.
  private let longSides: [Int]

  init(_ detector: FaceDetector) {
    let network = detector.engine.network
    code = Base64(embedded: EmbeddedEngine.base64)
    param = Base64(Array(network.paramText().utf8))
    bin = Base64(network.weightBytes())
    let style = detector.recipe.letterbox
    longSides =
      style.fixedSize == nil
      ? [160, 320, 480, 640, 960, 1280].filter { $0.isMultiple(of: style.granularity) } : [0]
  }
}

extension FaceDetector {
  /// Whether the engine in a page can run the model. It knows a recipe only by the network's structure, so a
  /// network that another recipe feeds or reads cannot be in a page.
  public var runsInPages: Bool {
    guard let recognised = try? ModelRecipe.matching(engine.network) else { return false }
    return recipe.input == recognised.input && recipe.normalisation == recognised.normalisation
      && recipe.letterbox == recognised.letterbox
      && (recipe.family == nil || recipe.family == recognised.family)
  }
}

/// What a live page computes with.
struct LiveReport: Encodable, Sendable {
  private let engine: EngineReport
  /// The letterboxed picture, a PNG of the network's input.
  private let input: Base64
  /// Whether the page can follow the decoding of a candidate step by step: see `YOLO5FaceHead`.
  private let decodesAsYOLO5Face: Bool

  init(_ detector: FaceDetector, input: RGBImage) throws {
    engine = EngineReport(detector)
    self.input = Base64(try PNG.encode(input))
    let recipe = detector.recipe
    decodesAsYOLO5Face =
      recipe.family?.family == .yolo5Face
      || recipe.heads.allSatisfy { $0.gate?.width == YOLO5FaceHead.valuesPerAnchor }
  }
}
