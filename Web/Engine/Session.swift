import FaceDecoding
import Inference
import NCNN
import Raster
import YOLOFace

/// A network that the page has opened, and the faces that its last run found.
struct Session {
  let recipe: ModelRecipe
  let engine: Engine
  /// Fifteen numbers for each face: score, the box's x, y, width and height, and x and y of the five
  /// points, NaN where there are none; in pixels of the picture.
  private(set) var faces: [Double] = []
  /// The network's input in the last run on a picture.
  private(set) var input: Tensor?
  /// The blobs that `compute` was asked for last.
  private(set) var blobs: [Tensor] = []
  /// What `look` was asked for last.
  private(set) var window: ConvolutionWindow?

  /// Reads a network of a known family.
  init(param: [UInt8], bin: [UInt8]) throws(Refusal) {
    let network = try refusing { () throws(ModelError) in
      var network = try Network(param: param, source: "the .param file")
      try network.loadWeights(bin, source: "the .bin file")
      return network
    }
    let recipe = try refusing { () throws(FaceDetectorError) in
      try ModelRecipe.matching(network)
    }
    engine = try refusing { () throws(InferenceError) in
      try Engine(network, recipe: recipe)
    }
    self.recipe = recipe
  }

  /// Finds the faces of a picture.
  ///
  /// - Parameter pixels: 8-bit RGB, height × width × 3.
  mutating func detect(
    _ pixels: [UInt8], width: Int, height: Int, options: DetectionOptions
  ) throws(Refusal) {
    let picture = try refusing { () throws(RasterError) in
      try RGBImage(width: width, height: height, pixels: pixels)
    }
    let letterbox = try refusing { () throws(LetterboxError) in
      try Letterbox(
        imageWidth: width, imageHeight: height,
        mode: options.letterbox ?? recipe.letterbox.standardMode, style: recipe.letterbox)
    }
    let input = try refusing { () throws(RasterError) in try picture.letterboxed(letterbox) }
    self.input = try refusing { () throws(InferenceError) in try recipe.tensor(input) }
    let found = try refusing { () throws(InferenceError) in
      try engine.candidates(in: input, recipe, threshold: ScoreThreshold(options.scoreThreshold))
    }
    let candidates = try refusing { () throws(FaceHeadError) in try found.get() }
    faces = options.faces(among: candidates, in: letterbox).flatMap { $0.numbers }
  }
}

extension Session {
  /// A line for each layer: kind, name, the blobs that it reads and makes, and its parameters as in
  /// the file, with tabs between them.
  var layerLines: String {
    engine.network.layers.map { layer in
      [
        layer.kind, layer.name, layer.inputs.joined(separator: " "),
        layer.outputs.joined(separator: " "),
        layer.parameters.pairs.map { $0.text }.joined(separator: " "),
      ].joined(separator: "\t")
    }.joined(separator: "\n")
  }

  /// Finds how a convolution's number comes about. The first of `blobs` is what the layer reads.
  mutating func look(
    at layer: Int, channel: Int, row: Int, column: Int
  ) throws(Refusal) {
    guard let input = blobs.first else { throw Refusal(message: "no blob has been computed") }
    window = try refusing { () throws(InferenceError) in
      try engine.network.window(of: layer, at: (channel, row, column), input: input)
    }
  }

  /// Computes blobs of the network from its input.
  mutating func compute(_ names: [String], from input: Tensor) throws(Refusal) {
    blobs = []
    let found = try refusing { () throws(InferenceError) in
      try engine.run([recipe.input: input], extracting: names)
    }
    blobs = names.compactMap { found[$0] }
  }
}

extension Face {
  fileprivate var numbers: [Double] {
    let points = landmarks?.points.flatMap { [$0.x, $0.y] } ?? Array(repeating: .nan, count: 10)
    return [Double(score), box.x, box.y, box.width, box.height] + points
  }
}

/// Why the page's wish was refused, for people to read.
struct Refusal: Error {
  let message: String
}

/// The result of a function, or its error as a refusal.
func refusing<Result, Failure: Error & CustomStringConvertible>(
  _ body: () throws(Failure) -> Result
) throws(Refusal) -> Result {
  do throws(Failure) {
    return try body()
  } catch {
    throw Refusal(message: error.description)
  }
}
