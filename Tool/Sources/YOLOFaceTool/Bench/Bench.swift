import ArgumentParser
import Formatting
import Inference
import YOLOFace

/// `yoloface bench`: how fast this machine runs the network.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the detector on this machine.",
    discussion: """
      The network, decoding and suppression run on a picture of the network's input size; resizing \
      a picture of twice that size is measured separately. Only the plan and the memory are reused \
      from one iteration to the next. Where the time goes within the network is what `yoloface \
      profile` shows.

      Examples:
        yoloface bench
        yoloface bench --size 320x320 --threads 2 --json
        yoloface bench --precision int8 --isa avx2
      """)

  @OptionGroup var model: ModelOptions

  @Option(
    help: """
      The network's input, WIDTHxHEIGHT, multiples of 32. (default: 640x480, or the model's only size)
      """)
  var size: ImageSize?

  @Option(help: "Threads that one detection uses.")
  var threads = 1

  @Option(help: "Measured iterations; a tenth as many run before, unmeasured.")
  var iterations = 50

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    if let size {
      // The picture that is resized has twice the sides.
      let mostPixels = RGBImage.maximumPixels / 4
      guard size.width * size.height <= mostPixels else {
        throw ValidationError("--size \(size): give at most \(mostPixels) pixels.")
      }
    }
    try requireNumber("--threads", threads, in: threadCounts)
    try requireNumber("--iterations", iterations, in: 1...1_000_000)
  }

  func run() throws {
    _ = try Outputs(inputs: model.files)
    let detector = try model.detector(threads: threads)
    let onlySize = detector.recipe.letterbox.fixedSize.map {
      ImageSize(width: $0.width, height: $0.height)
    }
    let size = self.size ?? onlySize ?? ImageSize(width: 640, height: 480)
    do {
      try detector.recipe.letterbox.requireAdmitted(
        .exact(width: size.width, height: size.height))
    } catch {
      throw ValidationError("--size \(size): \(error)")
    }
    let report = try BenchReport(detector, size: size, iterations: iterations)
    try printLine(json ? try report.json() : report.text)
  }
}
