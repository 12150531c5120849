// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceRaster

extension Base64 {
  /// The engine, compiled to WebAssembly (see `Tool/Web/`), gzip.
  static var engine: Base64 { Base64(embedded: EmbeddedEngine.base64) }
}

struct ModelReport: Encodable, Sendable {
  private let param: Base64
  private let bin: Base64
  /// The long sides that the reader may choose; 0 stands for the model's own size.
  private let longSides: [Int]

  init(_ detector: FaceDetector) {
    let network = detector.engine.network
    param = Base64(Array(network.paramText().utf8))
    bin = Base64(network.weightBytes())
    let style = detector.recipe.letterbox
    let sides = [160, 320, 480, 640, 960, 1280].filter { $0.isMultiple(of: style.granularity) }
    if case .longSide = style.standardMode {
      longSides = sides
    } else {
      longSides = [0] + (style.fixedSize == nil ? sides : [])
    }
  }
}

extension FaceDetector {
  /// Whether the engine in a page can run the model: it knows a recipe only by the network's structure.
  public var runsInPages: Bool {
    let recognized =
      (try? ModelRecipe.matching(engine.network)) ?? ModelRecipe.withoutHeads(engine.network)
    return recognized.heads.isEmpty == recipe.heads.isEmpty && recipe.input == recognized.input
      && recipe.normalization == recognized.normalization
      && recipe.letterbox == recognized.letterbox
      && (recipe.family == nil || recipe.family == recognized.family)
  }
}

/// The network of a live page.
struct LiveReport: Encodable, Sendable {
  private let model: ModelReport
  /// The letterboxed picture, a PNG of the network's input.
  private let input: Base64
  /// Candidates with a lower score are left out.
  private let lowestScore = Explanation.lowestScore

  init(_ detector: FaceDetector, input: RGBImage) throws {
    model = ModelReport(detector)
    self.input = Base64(try PNG.encode(input))
  }
}
