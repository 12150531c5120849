// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFormatting

struct Profile: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows where the time of a detection goes, step by step.",
    discussion: """
      Detects faces in a picture repeatedly, and prints the stages and the network's steps of the run \
      with the median time. Next to its time in that run, each step has its median over all runs, \
      from which its rates are computed: GFLOP/s, and their share of the peak measured here; the \
      bytes that it must move, its operand, weights and result once each, in thousands (kB); and how \
      close it comes to the roof, which is the time of its multiply-adds at the peak or of its bytes \
      at the speed of a copy of that size, whichever is longer. Winograd's tiles need fewer products \
      than are counted, so shares above 100 % are possible. Reading the PNG file is not included.

      Examples:
        yoloface profile
        yoloface profile photo.png --flame profile.svg
        yoloface profile photo.png --long-side 320 --threads 2 --json
        yoloface profile --isa avx2 --layers
        yoloface profile --precision int8
      """)

  @Argument(
    help: ArgumentHelp(
      "The \(Picture.formats) picture; by default a generated one, twice as large as the network's input.",
      valueName: "image"), completion: .file())
  var image: String?

  @OptionGroup var picture: PictureOptions
  @OptionGroup var model: ModelOptions

  @Option(
    name: [.long, .customLong("imgsz")], parsing: .unconditional,
    help: """
      The picture's long side in the network's input, a multiple of 32. (default: 640, or the model's \
      own size)
      """)
  var longSide: Int?

  @Option(parsing: .unconditional, help: "Threads that one detection uses.")
  var threads = 1

  @Option(parsing: .unconditional, help: "Measured runs; a tenth as many run before, unmeasured.")
  var repetitions = 50

  @Flag(help: "Also print how long each layer takes when nothing is fused.")
  var layers = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp("Draw the medians, with time running to the right.", valueName: "svg"),
    completion: .file(extensions: ["svg"]))
  var flame: String?

  @Option(
    help: ArgumentHelp("Draw the steps below the roof.", valueName: "svg"),
    completion: .file(extensions: ["svg"]))
  var roofline: String?

  func validate() throws {
    try requirePictureName(flame, option: "--flame", isChart: true)
    try requirePictureName(roofline, option: "--roofline", isChart: true)
    try requireLongSide(longSide)
    try requireNumber("--threads", threads, in: threadCounts)
    try requireNumber("--repetitions", repetitions, in: 1...10_000)
  }

  func run() throws {
    let outputs = try Outputs(files: [flame, roofline], inputs: model.files + [image])
    let searched = try image.map(picture.read) ?? madePicture
    let detector = try model.detector(threads: threads, longSide: longSide)
    var options = DetectionOptions()
    options.letterbox = longSide.map { .longSide($0) }
    if let image { try detector.sayParts(of: searched, named: image, options: options) }
    let report = try ProfileReport(
      of: searched, named: image, by: detector, options: options, repetitions: repetitions,
      withLayers: layers)
    if let flame { try outputs.write(flamePicture(of: report).bytes, to: flame) }
    if let roofline { try outputs.write(rooflinePicture(of: report).bytes, to: roofline) }
    try printLine(json ? try report.json() : report.text)
  }

  /// A picture of 4 : 3, which the network's input then has too. It is twice as large as the input,
  /// except for the largest inputs.
  private var madePicture: RGBImage {
    let width = min(2 * (longSide ?? 640), Letterbox.maximumInputSide)
    return .pattern(width: width, height: width / 4 * 3)
  }
}
