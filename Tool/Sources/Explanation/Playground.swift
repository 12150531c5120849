// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A page in which the engine itself, compiled to WebAssembly in `Tool/Web/`, finds faces in the reader's pictures.
public struct Playground: Encodable, Sendable {
  private let model, terms: String
  private let inputColors: [String]
  private let engine = Base64.engine
  private let files: ModelReport
  private let longSide: Int
  private let pictures: [PagePicture]
  private let scoreThreshold: Float
  private let overlapThreshold: Double
  private let landmarkNames = Landmarks.names
  private let picture = Picture()
  private let network = Network()

  /// What the scripts of a report expect.
  private struct Picture: Encodable, Sendable { var width = 1, height = 1 }
  private struct Network: Encodable, Sendable { var steps: [Int] = [] }

  /// A playground with the model of a detector that `runsInPages`, and the terms of its use. The options say where the
  /// thresholds and the long side start. The page opens with the first of the pictures.
  public init(
    of detector: FaceDetector, options: DetectionOptions = DetectionOptions(),
    terms: String = FaceDetector.defaultModelTerms, pictures: [PagePicture] = PagePicture.examples
  ) {
    model = detector.engine.network.fileName
    inputColors = detector.recipe.inputColors
    self.terms = terms
    files = ModelReport(detector)
    let style = detector.recipe.letterbox
    if case .longSide(let side) = style.standardMode {
      longSide = options.letterbox?.longSide ?? side
    } else {
      longSide = 0
    }
    self.pictures = pictures
    scoreThreshold = options.scoreThreshold
    overlapThreshold = options.overlapThreshold
  }

  /// The bytes of a self-contained HTML file.
  public func page() throws -> [UInt8] {
    try Explanation.page(of: self, between: EmbeddedPlayground.head, and: EmbeddedPlayground.tail)
  }
}
