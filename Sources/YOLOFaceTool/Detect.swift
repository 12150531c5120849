import ArgumentParser
import YOLOFace

/// `yoloface detect`: faces in pictures.
struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds faces in PNG pictures.",
    discussion: """
      Prints each face's score, box and landmarks in pixels of the picture, best score first. \
      Landmarks carry the person's own sides: the right eye is at the picture's left in a frontal \
      photo.

      Examples:
        yoloface detect photo.png
        yoloface detect *.png --json
        yoloface detect crowd.png --long-side 1280 --score-threshold 0.3 --annotate faces.png
      """)

  @Argument(help: ArgumentHelp("PNG pictures.", valueName: "image"))
  var images: [String]

  @OptionGroup var model: ModelOptions

  @Option(help: "The picture's long side in the network's input, a multiple of 32.")
  var longSide = 640

  @Option(help: "Faces of a lower score, 0 to 1, are left out.")
  var scoreThreshold: Float = 0.5

  @Option(help: "Of boxes that overlap more, 0 to 1, only the best stays.")
  var iouThreshold = 0.45

  @Option(help: "Threads that one detection uses; all processors by default, 8 at most.")
  var threads = min(processorCount(), 8)

  @Flag(help: "Print a JSON object per picture, one on each line.")
  var json = false

  @Option(help: ArgumentHelp("Write the picture with its faces drawn.", valueName: "png"))
  var annotate: String?

  func validate() throws {
    guard (32...Letterbox.maximumInputSide).contains(longSide), longSide % 32 == 0 else {
      throw ValidationError(
        "--long-side \(longSide): give a multiple of 32 up to \(Letterbox.maximumInputSide).")
    }
    guard (1...256).contains(threads) else {
      throw ValidationError("--threads \(threads): give a number from 1 to 256.")
    }
    guard (0...1).contains(scoreThreshold) else {
      throw ValidationError("--score-threshold \(scoreThreshold): give a number from 0 to 1.")
    }
    guard (0...1).contains(iouThreshold) else {
      throw ValidationError("--iou-threshold \(iouThreshold): give a number from 0 to 1.")
    }
    guard annotate == nil || images.count == 1 else {
      throw ValidationError("--annotate writes one picture: give one image.")
    }
  }

  func run() throws {
    try reportingErrors {
      let detector = try model.detector(threads: threads)
      var failures = 0
      for path in images {
        let report: DetectionReport
        do {
          report = try detect(path, with: detector)
        } catch {
          failures += 1
          printError("\(error)")
          continue
        }
        try printLine(json ? try report.json() : report.text)
        try flushOutput()
      }
      if failures > 0 { throw ExitCode.failure }
    }
  }

  private func detect(_ path: String, with detector: FaceDetector) throws -> DetectionReport {
    var options = DetectionOptions()
    options.letterbox = .longSide(longSide)
    options.scoreThreshold = scoreThreshold
    options.overlapThreshold = iouThreshold
    var image = try PNG.read(path: path)
    let faces = try detector.detect(in: image, options: options)
    let report = DetectionReport(path: path, image: image, faces: faces)
    if let annotate {
      image.draw(faces)
      try PNG.write(image, to: annotate)
    }
    return report
  }
}
