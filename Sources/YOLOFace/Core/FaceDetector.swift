// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

/// Finds faces in pictures: a box, five landmarks and a score for each.
///
/// ```swift
/// let detector = try FaceDetector()
/// let faces = try detector.detect(in: try Picture.read(path: "Examples/astronaut.png"))
/// for face in faces { print(face.score, face.box) }
/// ```
///
/// Several tasks may share a detector, but their runs of the network take turns, since it has memory for one. Of
/// pictures from files or bytes, it holds two decoded ones at a time. Tasks that must not wait need a detector each;
/// `results(of:workers:work:)` makes them for many pictures.
public struct FaceDetector: Sendable {
  /// How the network is fed and read.
  public let recipe: ModelRecipe
  /// The engine that runs the network.
  public let engine: Engine
  /// Bounds how many pictures are held that wait for the engine.
  let turns = PictureTurns()

  /// A detector from its parts; the engine was made for the recipe.
  package init(recipe: ModelRecipe, engine: Engine) {
    (self.recipe, self.engine) = (recipe, engine)
  }

  /// All candidates in a letterboxed picture, before non-maximum suppression, in pixels of that
  /// input; `Letterbox.unmap` maps them to the picture.
  ///
  /// - Parameters:
  ///   - input: a picture of the size that the network takes, see `Look.input(of:filter:)`.
  ///   - options: only the score thresholds apply.
  ///   - timer: receives the time of each step of the network.
  public func candidates(
    in input: RGBImage, options: DetectionOptions = DetectionOptions(),
    timer: ((StepTime) -> Void)? = nil
  ) throws(DetectionError) -> [Face] {
    let threshold = ScoreThreshold(options.lowestScore)
    var candidates: [Face] = []
    try run(on: input, timer: timer) { outputs throws(DetectionError) in
      var gated = 0
      for head in recipe.heads {
        let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
        if let gate = head.gate {
          candidates += try outputs.candidates(of: head, gate, number: gated, grid, threshold)
          gated += 1
        } else {
          let blobs = try outputs.blobs(of: head)
          candidates += try namingValue(head.candidates(in: blobs, grid, threshold: threshold))
            .map { $0.face }
        }
      }
    }
    return options.smallFaceScoreThreshold == nil
      ? candidates : candidates.filter { options.admits($0) }
  }

  /// Runs the network on a letterboxed picture, and calls a function with the outputs of the recipe's heads.
  func run(
    on input: RGBImage, timer: ((StepTime) -> Void)?,
    _ read: (borrowing PictureOutputs) throws(DetectionError) -> Void
  ) throws(DetectionError) {
    try namingNetwork(
      engine.run(
        picture: input.pixels, rows: input.height, columns: input.width, timer: timer, read)
    ).get()
  }
}

extension Engine {
  /// An engine that runs a network on pictures as its recipe says; without heads, to the network's outputs.
  public convenience init(
    _ network: Network, recipe: ModelRecipe, threads: Int = 1, instructionSet: String? = nil
  ) throws(InferenceError) {
    try self.init(
      network,
      outputs: recipe.heads.isEmpty
        ? network.outputs : recipe.heads.filter { $0.gate == nil }.flatMap { $0.blobs },
      gated: recipe.heads.compactMap { $0.gatedOutput }, normalization: recipe.normalization,
      threads: threads, instructionSet: instructionSet)
  }
}

extension FaceHead {
  /// What the engine needs to know of its gate.
  fileprivate var gatedOutput: GatedOutput? {
    gate.map {
      GatedOutput(blob: blobs[0], groups: anchors.count, width: $0.width, gate: $0.index)
    }
  }
}

extension PictureOutputs {
  /// The candidates of a head with a gate, the engine's gated output of this number.
  fileprivate func candidates(
    of head: FaceHead, _ gate: FaceHead.Gate, number: Int, _ grid: CellGrid,
    _ threshold: ScoreThreshold
  ) throws(DetectionError) -> [Face] {
    let shape = try namingNetwork(self.shape(of: head.blobs[0]))
    try namingValue(head.require([shape], grid))
    var candidates: [Face] = []
    forEachGroup(of: number, from: gate.minimum(threshold)) { anchor, cell, values in
      let (row, column) = cell.quotientAndRemainder(dividingBy: grid.columns)
      if let face = gate.face(values, (anchor, row, column), threshold) { candidates.append(face) }
    }
    return candidates
  }

  func blobs(of head: FaceHead) throws(DetectionError) -> [(shape: [Int], values: [Float])] {
    var blobs: [(shape: [Int], values: [Float])] = []
    for name in head.blobs {
      let tensor = try namingNetwork(self.tensor(name))
      blobs.append((tensor.shape, tensor.values))
    }
    return blobs
  }
}

extension ModelRecipe {
  /// A letterboxed picture as the network takes it, 3 × H × W.
  public func tensor(_ input: RGBImage) throws(InferenceError) -> Tensor {
    try Tensor(picture: input.pixels, rows: input.height, columns: input.width, normalization)
  }
}
