// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceNCNN

struct ModelOptions: ParsableArguments {
  @Option(
    help: "The .param file of another model; by default the embedded model is used.",
    completion: .file(extensions: ["param"]))
  var param: String?

  @Option(help: "The .bin file of that model.", completion: .file(extensions: ["bin"]))
  var bin: String?

  @Option(
    help: """
      A JSON file that says how that model is fed and read, as inspect --recipe prints it; by default \
      the model's structure shows it.
      """, completion: .file(extensions: ["json"]))
  var recipe: String?

  @Option(
    help: """
      The embedded model's arithmetic: fp32, the default, or int8, which is faster and slightly less \
      accurate.
      """)
  var precision: FaceDetector.Precision?

  @Option(help: "The instruction set; by default the fastest that this machine supports.")
  var isa: InstructionSetName?

  func validate() throws {
    if (param == nil) != (bin == nil) {
      throw ValidationError("--param and --bin go together: give both or neither.")
    }
    if recipe != nil, param == nil {
      throw ValidationError("--recipe: give the model's files, too, with --param and --bin.")
    }
    try requireEmbedded(precision, param: param)
  }

  var files: [String?] { [param, bin, recipe] }

  /// The embedded model's name, or a number that the bytes of the model's files make.
  func identity() throws -> String {
    guard param != nil else { return FaceDetector.defaultModelName }
    let digest = try files.compactMap(\.self).reduce(UInt64(0)) { digest, path in
      checksum(try readFile(path, limit: ModelLimits().weightFileBytes), after: digest)
    }
    return String(digest, radix: 16)
  }

  func detector(threads: Int, longSide: Int? = nil) throws -> FaceDetector {
    let detector =
      if let param, let bin {
        try FaceDetector(
          param: param, bin: bin, recipe: try familyRecipe(), threads: threads,
          instructionSet: isa?.rawValue)
      } else {
        try FaceDetector(
          precision: precision ?? .fp32, threads: threads, instructionSet: isa?.rawValue)
      }
    printWarnings(of: detector.engine.network)
    if recipe == nil, longSide == nil {
      printSize(of: detector.recipe, for: detector.engine.network)
    }
    try requireLongSide(longSide, by: detector.recipe.letterbox)
    return detector
  }

  func familyRecipe() throws -> ModelRecipe? {
    try recipe.map { try FamilyRecipe(path: $0).recipe() }
  }
}

func printWarnings(of network: Network) {
  for warning in network.warnings { printError(warning) }
}

/// Says which size was chosen for a network that does not declare one of use.
func printSize(of recipe: ModelRecipe, for network: Network) {
  guard case .area = recipe.letterbox.standardMode else { return }
  printError(
    "\(network.source): the size that it declares is too small for its prior boxes; it takes "
      + "\(recipe.letterbox.standardMode), unless --long-side or a recipe says otherwise")
}

/// Refuses a model whose faces have no landmarks, for a use that needs them.
func requireLandmarks(of detector: FaceDetector, for use: String) throws {
  guard !detector.recipe.findsLandmarks else { return }
  throw ValidationError(
    "\(use) needs landmarks, and \(detector.engine.network.source) finds none: give a model that does."
  )
}

func requireEmbedded(_ precision: FaceDetector.Precision?, param: String?) throws {
  guard let precision, param != nil else { return }
  throw ValidationError(
    "--precision \(precision.rawValue): the model's files decide its precision; "
      + "`yoloface quantize` makes an int8 pair.")
}

extension FaceDetector.Precision: @retroactive ExpressibleByArgument {}

/// The instruction sets that have kernels; a machine may not support all of them.
enum InstructionSetName: String, ExpressibleByArgument, CaseIterable {
  case avx512vnni, avx512, avx2, dotproduct, baseline
}
