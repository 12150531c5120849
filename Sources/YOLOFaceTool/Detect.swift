import ArgumentParser
import Synchronization
import YOLOFace

/// `yoloface detect`: faces in pictures.
struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds faces in PNG pictures.",
    discussion: """
      Prints each face's score, box and landmarks in pixels of the picture, best score first unless \
      --select says otherwise. Landmarks carry the person's own sides: the right eye is at the \
      picture's left in a frontal photo. Where the landmarks tell them, the head's roll, yaw and \
      pitch follow in degrees; positive are clockwise, to the picture's left, and up. With --view, \
      --mirror, --orientation or --coordinates, positions and the drawn picture are those that this \
      view shows; faces are cut out of the upright picture, which is not mirrored. Several pictures \
      are taken at a time and printed in their order; where one cannot be read, a message says why, \
      and the others go on.

      Examples:
        yoloface detect photo.png
        yoloface detect photos --json
        yoloface detect crowd.png --long-side 1280 --score-threshold 0.3 --annotate faces.png
        yoloface detect photo.png --view 390x844 --gravity aspect-fill --mirror --annotate seen.png
        yoloface detect crowd.png --select biggest --max-faces 1 --min-size 40
        yoloface detect photos --crop faces --margin 0.3 --align aligned
        yoloface detect sideways.png --orientation right --crop faces
      """)

  @Argument(
    help: ArgumentHelp(
      "PNG pictures, and directories whose *.png files are taken by name.", valueName: "image"))
  var images: [String]

  @OptionGroup var model: ModelOptions

  @OptionGroup(title: "How faces are searched for") var search: SearchOptions

  @OptionGroup(title: "Which faces") var selection: SelectionOptions

  @OptionGroup(title: "A picture of each face") var cuts: CutOptions

  @OptionGroup(title: "How positions are printed and drawn") var view: ViewOptions

  @Flag(help: "Print a JSON object per picture, one on each line.")
  var json = false

  @Option(help: ArgumentHelp("Write the picture with its faces drawn.", valueName: "png"))
  var annotate: String?

  func validate() throws {
    guard annotate != "" else {
      throw ValidationError("--annotate: give the path of a PNG file.")
    }
  }

  func run() throws {
    try reportingErrors {
      let paths = try picturePaths(images)
      guard annotate == nil || paths.count == 1 else {
        throw ValidationError("--annotate writes one picture: give one image.")
      }
      try cuts.prepare(for: paths)
      let workers = min(search.threads, paths.count)
      let detector = try model.detector(threads: search.threads / workers)
      let failures = Atomic(0)
      try detector.forEach(paths, workers: workers) { path, detector in
        let report = try detect(path, with: detector)
        return json ? try report.json() : report.text
      } deliver: { _, result in
        switch result {
        case .success(let lines):
          try printLine(lines)
          try flushOutput()
        case .failure(let error):
          failures.add(1, ordering: .relaxed)
          printError("\(error)")
        }
      }
      if failures.load(ordering: .relaxed) > 0 { throw ExitCode.failure }
    }
  }

  private func detect(_ path: String, with detector: FaceDetector) throws -> DetectionReport {
    var image = try Picture.read(path: path)
    let space = try view.space(of: image)
    let found = try detector.detect(in: image, options: search.detection(in: space))
    var faces = selection.select(from: found, of: image, in: space)
    var report = DetectionReport(path: path, image: image, faces: faces, in: space)
    report.add(
      try cuts.write(faces, of: image, orientation: view.orientation ?? .up, path: path))
    if let annotate {
      if let space {
        image = try image.rendered(in: space)
        faces = faces.map { space.written(in: .pixels).map($0) }
      }
      image.draw(faces)
      try PNG.write(image, to: annotate)
    }
    return report
  }
}
