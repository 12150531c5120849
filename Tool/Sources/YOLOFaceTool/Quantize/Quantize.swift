// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceNCNN
import YOLOFaceQuantization

struct Quantize: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes an int8 form of a model, calibrated on pictures.",
    discussion: """
      Reads a model in floating point and writes NAME.param and NAME.bin, which compute most \
      convolutions in int8. ncnn runs them with nearly the same results. The pictures should resemble those \
      that the model is for; a few hundred are enough, and they need no labels.

      All pictures are run twice to find the range of each blob's numbers, and where to clip it so \
      that rounding changes the numbers least. On some of the pictures, the trials, detections are \
      then compared with those of the original, to measure what each layer costs if it alone is int8. \
      A layer that costs more than --tolerance stays in floating point. Pictures that cannot be read \
      are left out with a message, and the status is 1.

      The error of a network is the mean change of the candidates' scores, relative to the score, \
      plus four times that of the boxes' edges and twice that of the landmarks, relative to the box; \
      candidates weigh as much as the square of their score.

      Blobs that only data movement joins share a scale, so that they stay in int8 between layers. \
      Weights are whole numbers up to 127, scaled by output channel, or by group of a depthwise \
      convolution; a scale is lowered where the weights of one sign of four neighbouring inputs add up \
      to more than 250, so that few sums exceed the 16 bits that AVX2 has for them.

      Examples:
        yoloface quantize model.param model.bin photos -o small
        yoloface quantize model.param model.bin photos -o small --tolerance 0.05 --json
      """,
    aliases: ["quantise"])

  @Argument(help: "The model's .param file.", completion: .file(extensions: ["param"]))
  var param: String

  @Argument(help: "The model's .bin file.", completion: .file(extensions: ["bin"]))
  var bin: String

  @Argument(
    help: ArgumentHelp(
      "\(Picture.formats) pictures, and directories, whose pictures are all used.",
      valueName: "photo"), completion: .file())
  var photos: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The files to write, without .param and .bin.", valueName: "name"),
    completion: .file())
  var output: String

  @Option(
    help: """
      A JSON file that says how the model is fed and read, as inspect --recipe prints it; by default \
      the model's structure shows it.
      """, completion: .file(extensions: ["json"]))
  var recipe: String?

  @Option(
    name: [.long, .customLong("imgsz")], parsing: .unconditional,
    help: """
      The pictures' long side in the network's input, a multiple of 32; every second trial has half of \
      it. (default: 640, or the model's own size, then for all trials)
      """)
  var longSide: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("The number of trials.", valueName: "number"))
  var trials = 32

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The largest error that a layer alone may cause and still become int8.", valueName: "error"))
  var tolerance = 0.025

  @OptionGroup var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var walk: WalkOptions

  @Option(
    parsing: .unconditional,
    help:
      "Threads that share the work, \(threadCounts.words); by default one for each processor, up to 8."
  )
  var threads = min(processorCount, 8)

  @Option(help: "The instruction set; by default the fastest that this machine supports.")
  var isa: InstructionSetName?

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    try requireLongSide(longSide)
    try requireNumber("--threads", threads, in: threadCounts)
    guard !photos.isEmpty else { throw ValidationError("Give a picture or a directory.") }
    guard !output.hasSuffix("/") else {
      throw ValidationError("--output: give the path of the new files, without .param and .bin.")
    }
    try requireNumber("--trials", trials, in: 1...10_000)
    try requireNumber("--tolerance", tolerance, in: 0...)
  }

  func run() throws {
    Interruption.beginNoting()
    let paths = try picturePaths(photos, leavingOut: nil, excluding: walk.excluded)
    let files = [output + ".param", output + ".bin"]
    let outputs = try Outputs(documents: files, inputs: [param, bin, recipe] + paths)
    let network = try Network(param: param, bin: bin)
    try network.requireKnownLayers()
    printWarnings(of: network)
    let recipe = try recipe(of: network)
    if self.recipe == nil, longSide == nil { printSize(of: recipe, for: network) }
    try requireLongSide(longSide, by: recipe.letterbox)
    let run = QuantizationRun(
      network: network, recipe: recipe, read: picture.read,
      longSide: longSide, threads: threads, instructionSet: isa?.rawValue)
    let calibrated = try run.calibrate(on: paths)
    let trials = try run.trials(among: calibrated.paths, count: self.trials)
    let result = try run.quantize(calibrated.calibration, trials, tolerance: tolerance)
    let small = try result.quantizer.quantized()
    let weights = small.weightBytes()
    try outputs.write([(weights, files[1]), (Array(small.paramText().utf8), files[0])])
    let report = QuantizationReport(
      files: files, bytes: weights.count, originalBytes: network.weightBytes().count,
      pictures: calibrated.paths.count, leftOut: paths.count - calibrated.paths.count,
      trials: trials.count, tolerance: tolerance, errors: .init(result),
      layers: result.quantizer.layers.map { .init($0, of: small, result) })
    try printLine(json ? try report.json() : report.text)
    for message in outputs.messages { printError(message) }
    if calibrated.paths.count < paths.count { throw ExitCode.failure }
  }

  private func recipe(of network: Network) throws -> ModelRecipe {
    guard let path = recipe else { return try ModelRecipe.matching(network) }
    let recipe = try FamilyRecipe(path: path).recipe()
    try recipe.requireFit(network)
    return recipe
  }
}
