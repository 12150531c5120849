// A user imports this module alone; faces and pictures are part of what it offers.
@_exported import FaceAnalysis
@_exported import FaceDecoding
@_exported import Geometry
import Inference
import Kernels
import NCNN
@_exported import Raster

/// Finds faces in pictures: a box, five landmarks and a score for each.
///
/// ```swift
/// let detector = try FaceDetector()
/// let faces = try detector.detect(in: try PNG.read(path: "Examples/astronaut.png"))
/// for face in faces { print(face.score, face.box) }
/// ```
///
/// Several tasks may share a detector, but their runs of the network take turns, since it has
/// memory for one. Tasks that must not wait need a detector each; `forEach` makes them for many
/// pictures.
public struct FaceDetector: Sendable {
  /// The name of the embedded model.
  public static let defaultModelName = "yoloface-n-0.5"

  /// What the embedded model may be used for, in one sentence; its card says more.
  public static let defaultModelTerms =
    "The model's weights are for research and tests: see its card, Models/README.md."

  /// The version of the library, the tool and the server.
  public static let libraryVersion = "0.1.0"

  /// The names of the instruction sets available on this machine, the fastest first.
  public static var instructionSets: [String] { KernelTable.available.map(\.name) }

  /// How the network is fed and read.
  public let recipe: ModelRecipe
  /// The engine that runs the network.
  public let engine: Engine

  /// Int8 if any of the network's layers computes in it.
  public var precision: Precision { engine.network.precision }

  /// A detector with the embedded default model.
  ///
  /// - Parameters:
  ///   - precision: which form of the model.
  ///   - threads: how many threads one detection uses; the result does not depend on it.
  ///   - instructionSet: one of `instructionSets`; nil uses the environment's, or else the fastest.
  /// - Throws: `InferenceError` where the instruction set is not available.
  public init(
    precision: Precision = .fp32, threads: Int = 1, instructionSet: String? = nil
  ) throws {
    try self.init(
      network: try Network.embedded(precision), recipe: .yoloFace, threads: threads,
      instructionSet: instructionSet)
  }

  /// A detector with a model from files, which decide its precision.
  ///
  /// - Parameters:
  ///   - param: the path of the `.param` file.
  ///   - bin: the path of the `.bin` file.
  ///   - recipe: how the network is fed and read; nil uses that of the family that it belongs to.
  ///   - threads: how many threads one detection uses; the result does not depend on it.
  ///   - instructionSet: one of `instructionSets`; nil uses the environment's, or else the fastest.
  ///   - limits: limits on the files.
  /// - Throws: `FileError` where a file cannot be read, `ModelError` where it is not a valid model,
  ///   `FaceDetectorError` where the network does not fit the recipe, `InferenceError` where the
  ///   network cannot be run.
  public init(
    param: String, bin: String, recipe: ModelRecipe? = nil, threads: Int = 1,
    instructionSet: String? = nil, limits: ModelLimits = ModelLimits()
  ) throws {
    let network = try Network(param: param, bin: bin, limits: limits)
    try recipe?.requireFit(network)
    try self.init(
      network: network, recipe: try recipe ?? ModelRecipe.matching(network), threads: threads,
      instructionSet: instructionSet)
  }

  private init(
    network: Network, recipe: ModelRecipe, threads: Int, instructionSet: String?
  ) throws {
    try recipe.requireBlobs(of: network)
    self.recipe = recipe
    engine = try Engine(
      network, recipe: recipe, threads: threads, instructionSet: instructionSet)
  }

  /// A detector like this one with its own memory and threads, by default as many as this one has.
  /// The network is shared.
  public func another(threads: Int? = nil) throws -> FaceDetector {
    try FaceDetector(
      network: engine.network, recipe: recipe, threads: threads ?? engine.threadCount,
      instructionSet: engine.instructionSet)
  }

  /// The faces in a picture, in its pixels, best score first.
  ///
  /// - Parameters:
  ///   - image: as stored, see `DetectionOptions.orientation`.
  ///   - options: how faces are searched for.
  ///   - progress: called during a search in tiles, with the share of them that have been looked at, which
  ///     rises to 1.
  /// - Throws: `LetterboxError` where the size of the picture or of the input is out of bounds,
  ///   `InferenceError` where the model does not fit or would need too much memory, and `FaceHeadError`
  ///   where the network's outputs are not those of the recipe.
  public func detect(
    in image: RGBImage, options: DetectionOptions = DetectionOptions(),
    progress: (Double) -> Void = { _ in }
  ) throws -> [Face] {
    guard options.orientation != .up else {
      return try detect(inUpright: image, options, progress)
    }
    let space = try ViewSpace(imageSize: image.size, orientation: options.orientation)
    let upright = image.upright(from: options.orientation)
    return try detect(inUpright: upright, options, progress).map { space.unmap($0) }
  }

  private func detect(
    inUpright image: RGBImage, _ options: DetectionOptions, _ progress: (Double) -> Void
  ) throws -> [Face] {
    // Further looks at a face need its whole box.
    var whole = options
    whole.clipsToImage = false
    var faces =
      options.effort == .once
      ? try detectOnce(inUpright: image, whole)
      : try detectThoroughly(inUpright: image, whole, progress)
    if options.refinesFaces {
      let letterbox = try letterbox(for: image, options: options)
      faces = try refined(faces, inUpright: image)
        .filter { options.admits(letterbox.map($0)) }.sorted { $0.score > $1.score }
    }
    if options.clipsToImage {
      for index in faces.indices { faces[index].box = faces[index].box.clipped(to: image.size) }
    }
    return faces
  }

  /// The faces that one look at an upright picture finds, in its pixels.
  ///
  /// - Parameter direction: how the picture is turned before.
  func detectOnce(
    inUpright image: RGBImage, _ options: DetectionOptions, direction: Orientation = .up
  ) throws -> [Face] {
    guard direction == .up else {
      let space = try ViewSpace(imageSize: image.size, orientation: direction)
      return try detectOnce(inUpright: image.upright(from: direction), options).map {
        space.unmap($0)
      }
    }
    let letterbox = try letterbox(for: image, options: options)
    try engine.prepare(rows: letterbox.inputHeight, columns: letterbox.inputWidth)
    let input = try image.letterboxed(letterbox, filter: options.resizeFilter)
    return options.faces(among: try candidates(in: input, options: options), in: letterbox)
  }

  /// How an upright picture is fitted into the network's input.
  ///
  /// - Throws: `LetterboxError` where the size of the picture or of the input is out of bounds.
  public func letterbox(
    for image: RGBImage, options: DetectionOptions
  ) throws(LetterboxError) -> Letterbox {
    try letterbox(for: image.size, options)
  }

  private func letterbox(
    for size: Size, _ options: DetectionOptions
  ) throws(LetterboxError) -> Letterbox {
    try Letterbox(
      imageWidth: Int(size.width), imageHeight: Int(size.height),
      mode: options.letterbox ?? recipe.letterbox.standardMode, style: recipe.letterbox)
  }

  /// Pixels of the network's input per pixel of a stored picture, see `DetectionOptions.orientation`.
  ///
  /// - Throws: as `letterbox(for:options:)`.
  public func scale(
    ofStored image: RGBImage, options: DetectionOptions
  ) throws(LetterboxError) -> Double {
    try letterbox(for: options.orientation.uprightSize(of: image.size), options).scale
  }

  /// All candidates in a letterboxed picture, before non-maximum suppression, in pixels of that
  /// input; `Letterbox.unmap` maps them to the picture.
  ///
  /// - Parameters:
  ///   - input: a picture of the size that the network takes, see `RGBImage.letterboxed`.
  ///   - options: only the score thresholds apply.
  /// - Throws: `FaceHeadError` where the network's outputs are not those of the recipe,
  ///   `InferenceError` where the model does not fit or would need too much memory.
  public func candidates(
    in input: RGBImage, options: DetectionOptions = DetectionOptions()
  ) throws -> [Face] {
    try candidates(in: input, options: options, timer: nil)
  }

  /// `candidates(in:options:)`, with a `timer` that receives the time of each step of the network.
  public func candidates(
    in input: RGBImage, options: DetectionOptions, timer: ((StepTime) -> Void)?
  ) throws -> [Face] {
    let candidates = try engine.candidates(
      in: input, recipe, threshold: ScoreThreshold(options.lowestScore), timer: timer
    ).get()
    return options.smallFaceScoreThreshold == nil ? candidates : candidates.filter(options.admits)
  }
}
