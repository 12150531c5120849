// SPDX-License-Identifier: Apache-2.0
import YOLOFaceInference
import YOLOFaceKernels
import YOLOFaceNCNN
import YOLOFaceRaster

extension FaceDetector {
  /// The name of the embedded model.
  public static let defaultModelName = "yoloface-n-0.5"

  /// What the embedded model may be used for, in one sentence; its card says more.
  public static let defaultModelTerms =
    "The model's weights are for research and tests: see its card, Models/README.md, or weights.md in packages."

  /// The version of the library, the tool and the server.
  public static let libraryVersion = "0.2.0"

  /// The names of the instruction sets available on this machine, the fastest first.
  public static var instructionSets: [String] { KernelTable.available.map(\.name) }

  /// Int8 if any of the network's layers computes in it.
  public var precision: Precision { engine.network.precision }

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

  /// A detector with a network whose weights are loaded, and its recipe.
  ///
  /// - Throws: `FaceDetectorError` where they do not fit, `InferenceError` where the network cannot be run.
  public init(
    network: Network, recipe: ModelRecipe, threads: Int = 1, instructionSet: String? = nil
  ) throws {
    try recipe.requireBlobs(of: network)
    self.init(
      recipe: recipe,
      engine: try Engine(
        network, recipe: recipe, threads: threads, instructionSet: instructionSet))
  }

  /// A detector like this one, with its own memory and one thread, that can run all its layers on an input. Where
  /// some are for another size or of unknown kinds, it keeps the layers up to the heads, and constants.
  public func copy(runningAllLayersOn input: RGBImage) throws -> FaceDetector {
    let shapes = ShapeInference(
      partial: engine.network, inputs: [recipe.input: [3, input.height, input.width]])
    // Constants show the anchors of some families.
    let constants = engine.network.layers.filter { $0.inputs.isEmpty && !$0.weights.isEmpty }
    let kept = recipe.heads.flatMap { $0.blobs } + constants.flatMap { $0.outputs }
    return try FaceDetector(
      network: shapes.failures.isEmpty || recipe.heads.isEmpty
        ? engine.network : engine.network.cut(to: kept),
      recipe: recipe, threads: 1, instructionSet: engine.instructionSet)
  }

  /// A detector like this one with its own memory and threads, by default as many as this one has.
  /// The network is shared.
  public func copy(threads: Int? = nil) throws -> FaceDetector {
    try FaceDetector(
      network: engine.network, recipe: recipe, threads: threads ?? engine.threadCount,
      instructionSet: engine.instructionSet)
  }
}

extension FaceDetector {
  /// The arithmetic of a network's layers.
  ///
  /// Int8 is faster, most of all on processors with instructions for products of bytes, and its
  /// weights and blobs are smaller. It costs a little accuracy: scores, boxes and landmarks differ
  /// slightly, and a face near the score threshold may appear or disappear.
  public enum Precision: String, CaseIterable, Codable, Sendable {
    /// Floats of 32 bits.
    case fp32
    /// Bytes, where the model's layers have scales for them; floats elsewhere.
    case int8

    /// The name of the embedded model in this precision.
    public var defaultModelName: String {
      switch self {
      case .fp32: FaceDetector.defaultModelName
      case .int8: "\(FaceDetector.defaultModelName)-int8"
      }
    }
  }
}

extension Network {
  /// Int8 if any layer computes in it.
  public var precision: FaceDetector.Precision {
    layers.contains { $0.computesInInt8 } ? .int8 : .fp32
  }
}
