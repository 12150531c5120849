// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN
import YOLOFaceRaster

/// A network that the page has opened, and the faces that its last run found.
struct Session {
  private(set) var detector: FaceDetector { didSet { headBlobs = [:] } }
  /// The faces of the last picture in its pixels, see `Face.numbers`.
  private(set) var faces: [Double] = []
  /// The letterboxed picture that the network sees.
  private(set) var input: RGBImage? { didSet { headBlobs = [:] } }
  /// What the heads say of the input, see `explain`.
  private(set) var readings: [HeadReading] = []
  /// The blobs that `compute` computed last.
  private(set) var blobs: [Tensor] = []
  /// What `look` found last.
  private(set) var window: ConvolutionWindow?
  /// What `decode` found last.
  private(set) var decoding: [DecodedValue] = []
  /// The blobs that the heads read, of the present input and weights; empty until `decode` needs them.
  private var headBlobs: [String: Tensor] = [:]

  /// Reads a network, if not of a known family without its heads.
  init(param: [UInt8], bin: [UInt8]) throws(Refusal) {
    let network = try refusing { () throws(ModelError) in
      var network = try Network(param: param, source: "the .param file")
      try network.loadWeights(bin, source: "the .bin file")
      return network
    }
    let recipe = (try? ModelRecipe.matching(network)) ?? .withoutHeads(network)
    detector = try refusing { () throws(InferenceError) in
      FaceDetector(recipe: recipe, engine: try Engine(network, recipe: recipe))
    }
  }

  /// Finds the faces of a picture. The input is then that of a look at the whole picture, also where a long one
  /// was seen in windows.
  ///
  /// - Parameter pixels: 8-bit RGB, height × width × 3.
  mutating func detect(
    _ pixels: [UInt8], width: Int, height: Int, options: DetectionOptions
  ) throws(Refusal) {
    let picture = try image(pixels, width: width, height: height)
    var (input, looks): (RGBImage?, Int) = (nil, 0)
    let found = try refusing { () throws(DetectionError) in
      try detector.facesAtOnce(in: picture, options: options) { stage in
        guard case .letterboxed(let picture) = stage else { return }
        input = picture
        looks += 1
      }
    }
    if looks > 1 {
      let whole = try refusing { () throws(DetectionError) in
        try detector.wholeLook(at: picture, options: options)
      }
      input = try refusing { () throws(ValueError) in try whole.input(of: picture) }
    }
    self.input = input
    faces = found.flatMap { $0.numbers }
  }

  /// Takes an input that is letterboxed already.
  ///
  /// - Parameter pixels: 8-bit RGB, height × width × 3.
  mutating func take(_ pixels: [UInt8], width: Int, height: Int) throws(Refusal) {
    input = try image(pixels, width: width, height: height)
  }
}

/// A picture of 8-bit RGB.
private func image(_ pixels: [UInt8], width: Int, height: Int) throws(Refusal) -> RGBImage {
  try refusing { () throws(ValueError) in
    try RGBImage(width: width, height: height, pixels: pixels)
  }
}

extension Session {
  var recipe: ModelRecipe { detector.recipe }
  var engine: Engine { detector.engine }

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

  /// Reads what the heads say of the input.
  mutating func explain() throws(Refusal) {
    let input = try knownInput()
    readings = try refusing { () throws(DetectionError) in try detector.readings(of: input) }
  }

  /// The candidates among the readings, with the number of their head.
  func candidates(from score: Float) -> [(head: Int, candidate: Candidate)] {
    readings.enumerated().flatMap { head, reading in
      reading.candidates.filter { $0.face.score >= score }.map { (head, $0) }
    }
  }

  /// Finds what each of a proposal's values decodes to.
  mutating func decode(
    _ cell: (anchor: Int, row: Int, column: Int), of head: Int
  ) throws(Refusal) {
    let input = try knownInput()
    guard recipe.heads.indices.contains(head) else {
      throw Refusal(message: "there is no head \(head)")
    }
    let head = recipe.heads[head]
    let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
    guard head.anchors.indices.contains(cell.anchor), (0..<grid.rows).contains(cell.row),
      (0..<grid.columns).contains(cell.column)
    else { throw Refusal(message: "the head has no such cell") }
    if headBlobs.isEmpty {
      headBlobs = try refusing { () throws(InferenceError) in
        try engine.run(
          [recipe.input: try recipe.tensor(input)],
          extracting: recipe.heads.flatMap { $0.blobs })
      }
    }
    let outputs = head.blobs.compactMap { headBlobs[$0] }.map {
      (shape: $0.shape, values: $0.values)
    }
    decoding = try refusing { () throws(ValueError) in
      try head.decoding(of: cell, in: outputs, grid)
    }
  }

  /// A layer's arrays of weights, as its file holds them.
  func weights(of layer: Int) -> [WeightArray] {
    let layers = engine.network.layers
    return layers.indices.contains(layer) ? layers[layer].weights : []
  }

  /// Gives a layer another array of weights, from now on, in fp32.
  ///
  /// - Parameter values: as many as the array has.
  mutating func replace(
    _ array: Int, of layer: Int, by values: [Float]
  ) throws(Refusal) {
    var weights = weights(of: layer)
    guard weights.indices.contains(array), let changed = weights[array].replacing(values) else {
      throw Refusal(message: "int8 weights cannot be changed here")
    }
    weights[array] = changed
    var network = engine.network
    try refusing { () throws(ModelError) in
      try network.replaceLayer(
        layer, parameters: network.layers[layer].parameters, weights: weights)
    }
    let recipe = recipe
    detector = try refusing { () throws(InferenceError) in
      FaceDetector(recipe: recipe, engine: try Engine(network, recipe: recipe))
    }
  }

  /// Computes blobs of the network from the last picture.
  mutating func compute(_ names: [String]) throws(Refusal) {
    blobs = []
    let input = try knownInput()
    let found = try refusing { () throws(InferenceError) in
      try engine.run([recipe.input: try recipe.tensor(input)], extracting: names)
    }
    blobs = names.compactMap { found[$0] }
  }

  private func knownInput() throws(Refusal) -> RGBImage {
    guard let input else { throw Refusal(message: "there is no picture yet") }
    return input
  }
}

extension WeightArray {
  /// The array with other numbers, as fp32; nil where it holds int8 weights.
  fileprivate func replacing(_ numbers: [Float]) -> WeightArray? {
    switch storage {
    case .int8: nil
    case .untagged: WeightArray(.untagged(numbers))
    default: WeightArray(.keptFloat32(numbers))
    }
  }
}
