// A user imports this module alone; faces and pictures are part of what it offers.
@_exported import FaceDecoding
import Inference
import NCNN
@_exported import Raster

/// Finds faces in pictures: a box, five landmarks and a score for each.
///
/// ```swift
/// let detector = try FaceDetector()
/// let faces = try detector.detect(in: try PNG.read(path: "Examples/astronaut.png"))
/// for face in faces { print(face.score, face.box, face.landmarks.nose) }
/// ```
///
/// A detector is a value without mutable state: it may be used by several tasks at once.
public struct FaceDetector: Sendable {
  /// The name of the embedded model.
  public static let defaultModelName = "yoloface-n-0.5"

  /// How the network is fed and read.
  public let recipe: ModelRecipe
  private let interpreter: Interpreter

  /// A detector with the embedded default model.
  ///
  /// - Throws: never in a sound build; the embedded files are checked like any other.
  public init() throws {
    try self.init(network: try Network.embedded(), recipe: .yoloFace)
  }

  /// A detector with a model from files.
  ///
  /// - Parameters:
  ///   - param: the path of the `.param` file.
  ///   - bin: the path of the `.bin` file.
  ///   - recipe: how the network is fed and read; nil takes the known recipe whose blobs it has.
  /// - Throws: `ModelError`, `InferenceError`, or `FaceDetectorError` where the network is no model
  ///   of this kind.
  public init(param: String, bin: String, recipe: ModelRecipe? = nil) throws {
    let network = try Network(param: param, bin: bin)
    try self.init(network: network, recipe: try recipe ?? ModelRecipe.matching(network))
  }

  private init(network: Network, recipe: ModelRecipe) throws {
    let blobs = Set(network.layers.flatMap(\.outputs))
    for blob in recipe.blobs where !blobs.contains(blob) {
      throw FaceDetectorError.missingBlob(model: network.source, blob: blob)
    }
    self.recipe = recipe
    interpreter = try Interpreter(network)
  }

  /// The faces in a picture, in its pixels, best score first.
  ///
  /// - Throws: `LetterboxError` where the picture or the asked input size is out of bounds,
  ///   `InferenceError` or `FaceDetectorError` where the model does not fit.
  public func detect(
    in image: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws -> [Face] {
    let letterbox = try Letterbox(
      imageWidth: image.width, imageHeight: image.height, mode: options.letterbox)
    let input = try image.letterboxed(letterbox, filter: options.resizeFilter)
    let candidates = try candidates(in: input, options: options)
    let suppression = nonMaximumSuppression(
      of: candidates, overlapThreshold: options.overlapThreshold,
      maximumCount: options.maximumFaces)
    return suppression.kept.map { index in
      var face = letterbox.unmap(candidates[index])
      if options.clipsToImage { face.box = face.box.clipped(to: letterbox.imageSize) }
      return face
    }
  }

  /// Everything that the network proposes for a letterboxed picture, in the picture's pixels, before
  /// non-maximum suppression.
  ///
  /// - Parameter input: a picture whose sides are multiples of 32, see `RGBImage.letterboxed`.
  /// - Throws: `InferenceError` or `FaceDetectorError` where the model does not fit.
  public func candidates(
    in input: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws -> [Face] {
    let blobs = try interpreter.run(
      [recipe.input: try Tensor(rgb: input)], extracting: recipe.outputs.map(\.blob))
    let threshold = ScoreThreshold(options.scoreThreshold, rule: options.scoreRule)
    var candidates: [Face] = []
    for output in recipe.outputs {
      guard let blob = blobs[output.blob] else { continue }
      let (columns, rows) = (input.width / output.head.stride, input.height / output.head.stride)
      let expected = [
        output.head.anchors.count, columns * rows, DetectionHead.valuesPerAnchor,
      ]
      guard blob.shape == expected else {
        throw FaceDetectorError.outputShape(
          blob: output.blob, found: blob.shape, expected: expected)
      }
      try output.head.appendCandidates(
        from: blob.values.span, columns: columns, rows: rows, threshold: threshold,
        to: &candidates)
    }
    return candidates
  }
}

extension Tensor {
  /// A picture as the network takes it: 3 × H × W, red, green and blue divided by 255.
  init(rgb image: RGBImage) throws {
    let size = image.width * image.height
    var values = [Float](repeating: 0, count: 3 * size)
    for index in 0..<size {
      for channel in 0..<3 {
        values[channel * size + index] = Float(image.pixels[3 * index + channel]) / 255
      }
    }
    try self.init(shape: [3, image.height, image.width], values: values)
  }
}
