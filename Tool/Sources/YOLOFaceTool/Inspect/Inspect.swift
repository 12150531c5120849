// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceFormatting

struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describes an ncnn network: layers, shapes, parameters, multiply-adds.",
    discussion: """
      Without the .bin file the weights are not checked. Layers that cannot be run, or not on an \
      input of this --size, are listed below the others, and the exit status is 1, except with \
      --dot, --recipe and --against. Where only the size that inputs have without --size does not \
      fit, the status is 0, and one that does is named if one is found. The receptive field of an \
      output is the most pixels of the input that one of its cells sees. The memory plan shows which \
      blocks the engine keeps, where in its arena, and from which step to which.

      The family is the kind of detector, recognised by the maps that its outputs come from; it decides \
      how the outputs become faces.

      Examples:
        yoloface inspect
        yoloface inspect --precision int8
        yoloface inspect --size 640x640 | grep Convolution
        yoloface inspect model.param model.bin --size 640x480 --json
        yoloface inspect model.param --dot | dot -Tsvg -o model.svg
        yoloface inspect model.param model.bin --memory --memory-picture memory.svg
        yoloface inspect model.param --recipe > family.json
        yoloface inspect model.param model.bin --against other.param --against-bin other.bin
      """)

  @Argument(
    help: "The .param file; the embedded model is the default.",
    completion: .file(extensions: ["param"]))
  var param: String?

  @Argument(help: "The .bin file.", completion: .file(extensions: ["bin"]))
  var bin: String?

  @Option(help: "The embedded model's arithmetic, fp32, the default, or int8.")
  var precision: FaceDetector.Precision?

  @Option(
    help: """
      Columns and rows of inputs with three axes, as WIDTHxHEIGHT; without it, inputs have the shape \
      that the file declares or the detector needs, or 3 x 480 x 640.
      """)
  var size: ImageSize?

  @Flag(help: "Print one JSON object, with the memory plan if there is one.")
  var json = false

  @Flag(
    help: """
      Print how a detector feeds and reads the network, as --recipe of detect takes it; for a network \
      of no known family, say what it would need to be of one.
      """)
  var recipe = false

  @Flag(
    help: """
      Print the graph in Graphviz's DOT language: a node for each layer or, of more than 50, for all of one \
      stride in the backbone, the neck or the heads; what cannot be run is dashed.
      """)
  var dot = false

  @Flag(help: "Print the memory plan instead of the layers.")
  var memory = false

  @Option(
    help: ArgumentHelp("Draw the memory plan.", valueName: "svg"),
    completion: .file(extensions: ["svg"]))
  var memoryPicture: String?

  @Option(
    help: ArgumentHelp("Print how the network differs from another.", valueName: "param"),
    completion: .file(extensions: ["param"]))
  var against: String?

  @Option(
    help: ArgumentHelp("The .bin file of that network.", valueName: "bin"),
    completion: .file(extensions: ["bin"]))
  var againstBin: String?

  func validate() throws {
    try requireEmbedded(precision, param: param)
    try requirePictureName(memoryPicture, option: "--memory-picture", isChart: true)
    guard !needsPlan || param == nil || bin != nil else {
      let option = memory ? "--memory" : "--memory-picture"
      throw ValidationError("\(option) needs the .bin file.")
    }
    guard size == nil || !recipe else {
      throw ValidationError("--recipe does not depend on a size: leave out --size.")
    }
    guard againstBin == nil || against != nil else {
      throw ValidationError("--against-bin goes with --against: give both.")
    }
    let isOne = [dot, recipe, against != nil, needsPlan].count(where: { $0 }) <= 1
    guard isOne, !json || !dot && !recipe else {
      throw ValidationError(
        "--dot, --recipe, --against, --memory and --memory-picture exclude each other, and --dot and "
          + "--recipe have no --json: give one.")
    }
  }

  func run() throws {
    let outputs = try Outputs(files: [memoryPicture], inputs: [param, bin, against, againstBin])
    let inspection = try Inspection(
      param: param, bin: bin, precision: precision ?? .fp32, size: size)
    if recipe {
      guard let family = inspection.family else {
        throw FaceDetectorError.unknownFamily(inspection.network)
      }
      return try printLine(try family.json())
    }
    if let against {
      let other = try Inspection(param: against, bin: againstBin, size: size)
      let comparison = ModelComparison(inspection, other)
      if json { return try printJSON(comparison.json) }
      return try comparison.forEachLine { try printLine(printable($0)) }
    }
    var report = InspectReport(inspection)
    if dot { return try dotGraph(report, printLine) }
    if needsPlan {
      report.memoryPlan = try inspection.memoryPlan()
    } else if json && inspection.hasWeights {
      report.memoryPlan = try? inspection.memoryPlan()
    }
    if let memoryPicture, let plan = report.memoryPlan {
      try outputs.write(YOLOFaceTool.memoryPicture(plan).bytes, to: memoryPicture)
    }
    if json {
      try printJSON(report.json)
    } else if memory, let plan = report.memoryPlan {
      try printLine(plan.text)
    } else {
      try report.forEachLine { try printLine(printable($0)) }
    }
    if !report.notSupported.isEmpty || size != nil && !report.notFitting.isEmpty {
      throw ExitCode.failure
    }
  }

  private var needsPlan: Bool { memory || memoryPicture != nil }

  private func printJSON(_ json: JSONPieces) throws {
    try json.forEach(printText)
    try printLine("")
  }
}
