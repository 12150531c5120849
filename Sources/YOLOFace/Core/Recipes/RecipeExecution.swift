import FaceDecoding
import Inference
import NCNN
import Raster

extension Engine {
  /// An engine that runs a network on pictures as its recipe says.
  public convenience init(
    _ network: Network, recipe: ModelRecipe, threads: Int = 1, instructionSet: String? = nil
  ) throws(InferenceError) {
    try self.init(
      network, outputs: recipe.heads.filter { $0.gate == nil }.flatMap { $0.blobs },
      gated: recipe.heads.compactMap { $0.gatedOutput }, normalisation: recipe.normalisation,
      threads: threads, instructionSet: instructionSet)
  }
}

extension Engine {
  /// All candidates in a letterboxed picture, before non-maximum suppression, in pixels of that
  /// input; a failure where the network's outputs are not those of the recipe.
  ///
  /// - Parameters:
  ///   - input: a picture of the size that the network takes.
  ///   - recipe: the one that the engine was made with.
  ///   - threshold: the lowest score wanted.
  ///   - timer: receives the time of each step of the network.
  public func candidates(
    in input: RGBImage, _ recipe: ModelRecipe, threshold: ScoreThreshold,
    timer: ((StepTime) -> Void)? = nil
  ) throws(InferenceError) -> Result<[Face], FaceHeadError> {
    var candidates: [Face] = []
    var refusal: FaceHeadError?
    try run(
      picture: input.pixels, rows: input.height, columns: input.width, timer: timer
    ) { outputs throws(InferenceError) in
      var gated = 0
      for head in recipe.heads where refusal == nil {
        let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
        let found: Result<[Face], FaceHeadError>
        if let gate = head.gate {
          found = try outputs.candidates(of: head, gate, number: gated, grid, threshold)
          gated += 1
        } else {
          let blobs = try outputs.blobs(of: head)
          found = Result { () throws(FaceHeadError) in
            try head.candidates(in: blobs, grid, threshold: threshold).map { $0.face }
          }
        }
        switch found {
        case .success(let faces): candidates += faces
        case .failure(let error): refusal = error
        }
      }
    }.get()
    return refusal.map { .failure($0) } ?? .success(candidates)
  }
}

extension PictureOutputs {
  /// The candidates of a head with a gate, the engine's gated output of this number.
  fileprivate func candidates(
    of head: FaceHead, _ gate: FaceHead.Gate, number: Int, _ grid: CellGrid,
    _ threshold: ScoreThreshold
  ) throws(InferenceError) -> Result<[Face], FaceHeadError> {
    let shape = try shape(of: head.blobs[0])
    return Result { () throws(FaceHeadError) in
      try head.require([shape], grid)
      var candidates: [Face] = []
      forEachGroup(of: number, from: gate.minimum(threshold)) { anchor, cell, values in
        let (row, column) = cell.quotientAndRemainder(dividingBy: grid.columns)
        if let face = gate.face(values, (anchor, row, column), threshold) {
          candidates.append(face)
        }
      }
      return candidates
    }
  }
}

extension ModelRecipe {
  /// A letterboxed picture as the network takes it, 3 × H × W.
  public func tensor(_ input: RGBImage) throws(InferenceError) -> Tensor {
    try Tensor(picture: input.pixels, rows: input.height, columns: input.width, normalisation)
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
  /// The blobs that a head reads.
  public func blobs(
    of head: FaceHead
  ) throws(InferenceError) -> [(shape: [Int], values: [Float])] {
    var blobs: [(shape: [Int], values: [Float])] = []
    for name in head.blobs {
      let tensor = try tensor(name)
      blobs.append((tensor.shape, tensor.values))
    }
    return blobs
  }
}
