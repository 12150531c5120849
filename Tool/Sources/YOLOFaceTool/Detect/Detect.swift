// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceReport

struct Detect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds faces in \(Picture.formats) pictures.",
    discussion: """
      Prints each face's score, box and landmarks in pixels of the picture, best score first. Landmarks are \
      named by the person's own sides: in a frontal photo, the right eye is on the left of the picture. The \
      head's roll, yaw and pitch follow in degrees; positive is clockwise, to the picture's left, and up. \
      --align, --quality, --min-quality and --select sharpest go by landmarks, so that their usual --effort is \
      checked.

      Results come in the order of the pictures. A picture that cannot be read is left out with a message. The \
      status is 0 if all could be read, 1 if not, 64 on wrong usage, and 130 after Ctrl-C, which keeps the \
      results of the pictures in progress.

      yoloface detect --help-hidden lists all options.

      Examples:
        yoloface detect photo.png
        yoloface detect photos --json
        yoloface detect crowd.png --long-side 1280 --score-threshold 0.3 --annotate faces.png
        yoloface detect photos --format xmp
        yoloface detect photos --crop faces --margin 0.3 --align aligned
        yoloface detect photos --format csv --output faces.csv --resume
        yoloface detect 'photos/**/*.png' --format coco --output faces.json --annotate drawn
        yoloface detect - < photo.png
      """)

  @OptionGroup var inputs: InputOptions
  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup var search: FaceSearchOptions

  @Flag(
    help: ArgumentHelp(
      """
      Print the looks at each picture: the part, which way it is turned, and its size in the network's input. \
      Only as text and JSON.
      """, visibility: .hidden))
  var explainSearch = false

  @OptionGroup(title: "Which faces") var selection: SelectionOptions
  @OptionGroup(title: "How good their pictures are", visibility: .hidden) var quality:
    QualityOptions
  @OptionGroup(title: "How results are written") var resultOptions: ResultOptions
  @OptionGroup(title: "Many pictures", visibility: .hidden) var batchOptions: BatchOptions
  @OptionGroup(title: "A picture of each face") var cuts: CutOptions
  @OptionGroup(title: "How positions are printed and drawn", visibility: .hidden) var view:
    ViewOptions

  @Option(
    help: ArgumentHelp(
      """
      Write the picture with its faces drawn: to a PNG file, which may replace any file but the \
      picture itself, or to a directory, as DIR/NAME.png; \(PictureDestination.naming). The directory is \
      created if it is missing; existing files in it are not replaced.
      """, valueName: "png or dir"), completion: .file())
  var annotate: String?

  @OptionGroup(title: "What is drawn", visibility: .hidden) var drawing: DrawingOptions

  func validate() throws {
    try drawing.require(annotate)
    try requirePictureName(annotate, option: "--annotate", mayBeDirectory: true)
    guard !resultOptions.isBesidePictures || !inputs.images.contains("-") else {
      throw ValidationError(
        "--format xmp writes beside each picture: give a directory with --output for standard input."
      )
    }
    let isTextOrJSON = [.text, .json, .jsonl].contains(resultOptions.chosen)
    guard !quality.quality || isTextOrJSON else {
      throw ValidationError("--quality is printed as text and JSON: give no other --format.")
    }
    guard !explainSearch || isTextOrJSON else {
      throw ValidationError("--explain-search prints text and JSON: give no other --format.")
    }
    guard !resultOptions.chosen.isForDataSets || view.isOfStoredPicture else {
      let pixels =
        resultOptions.chosen == .xmp ? "stored picture" : "picture turned upright as its file says"
      throw ValidationError(
        "--format \(resultOptions.chosen) uses the pixels of the \(pixels): give no view.")
    }
  }

  func run() throws {
    Interruption.beginNoting()
    let batch = Batch(
      try inputs.pictures(distinct: distinct, leavingOut: pictureDirectories), batchOptions,
      threads: search.looks.threads)
    guard !batch.mayHaveSeveral || annotation?.file == nil else {
      throw ValidationError(
        "--annotate FILE draws a single picture: give one picture, or a directory.")
    }
    // Outputs that cannot be written are reported before a model that cannot be used, but created after it.
    let loaded = Result { try search.detector(threads: batch.threads) }
    if let use = useOfLandmarks, case .success(let detector) = loaded {
      try requireLandmarks(of: detector, for: use)
    }
    let outputs = try Outputs(
      files: [annotation?.file], growing: resultOptions.file, directories: pictureDirectories,
      labelDirectory: resultOptions.directory, isBesidePictures: resultOptions.isBesidePictures,
      inputs: search.model.files + [inputs.filesFrom, resultOptions.imageIds],
      pictures: batch.pictures, readsStandardInput: inputs.filesFrom == "-",
      isRestarting: resultOptions.restart)
    let detector = try loaded.get()
    let numbers = try resultOptions.imageIds.map(ImageNumbers.init)
    try outputs.makeDirectories()
    let writer = try ResultWriter(
      resultOptions.chosen, to: resultOptions.output, earlier: resultOptions.earlier,
      record: RunRecord(
        of: self, search.model, besides: ["--format": "\(resultOptions.chosen)"]),
      writesFailures: resultOptions.failureRows,
      hasFullSidecarNames: resultOptions.fullSidecarNames, regionName: resultOptions.regionName,
      in: view.reportSpace, by: outputs)
    try batch.run(with: detector, to: writer) { input, detector in
      if input.isHeld { return nil }
      return try detect(
        input, numbers: numbers, with: detector, writingBy: outputs,
        showing: batch.progressOfPicture)
    }
  }

  private var useOfLandmarks: String? {
    if cuts.align != nil { return "--align" }
    if quality.minQuality != nil { return "--min-quality" }
    if quality.quality { return "--quality" }
    return selection.select == .sharpest ? "--select sharpest" : nil
  }

  /// What the files that are written are named after.
  private var distinct: [PictureQueue.Distinction] {
    let labels = resultOptions.namesStems
    return (resultOptions.isBesidePictures && labels ? [.path] : [])
      + (resultOptions.directory != nil && labels ? [.label] : [])
      + (pictureDirectories.isEmpty ? [] : [.output])
  }

  private var pictureDirectories: [String] {
    [cuts.crop, cuts.align, annotation?.directory].compactMap(\.self)
  }

  private var annotation: PictureDestination? { annotate.map(PictureDestination.init) }
}

extension Detect {
  private func detect(
    _ input: PictureInput, numbers: ImageNumbers?, with detector: FaceDetector,
    writingBy outputs: Outputs, showing progress: Progress?
  ) throws -> PictureResult {
    let number = try numbers?.number(of: input) ?? input.number
    let stored = try input.readStored(picture)
    let image = stored.upright
    let space = try view.space(of: image)
    let effort = search.closely.search(usual: useOfLandmarks == nil ? .once : .checked)
    let options = search.looks.detection(in: space, effort: effort)
    let found = try detector.detect(
      in: image, options: options, progress: progress?.ofPicture() ?? { _ in })
    let faces = selection.select(from: found, of: image, in: space, quality: quality)
    var report = DetectionReport(
      image: input.path, width: image.width, height: image.height, faces: faces, in: space)
    try cuts.write(
      faces, of: image, color: stored.color, orientation: view.orientation ?? .up,
      name: input.outputName, earlier: resultOptions.earlier, by: outputs, in: &report)
    for (index, quality) in quality.report(of: faces, in: image).enumerated() {
      report.faces[index].quality = quality
    }
    if explainSearch {
      report.search = try detector.looks(at: image, options: options).map { .init($0) }
    }
    try draw(faces, on: image, color: stored.color, in: space, of: input, by: outputs)
    var result = PictureResult(
      report: report, faces: faces, name: fileName(of: input.stem), identifier: number,
      category: numbers?.category ?? 1)
    result.orientation = stored.orientation
    result.regionName = resultOptions.regionName
    result.note(stored, image, isSmoothed: effort != .once)
    if stored.isAnimated { result.remarks[.unsearchedFrames] = "" }
    result.hint = try detector.hint(after: found, in: image, options: options)
    result.enlargement = search.looks.enlargement(of: image)
    return result
  }

  private func draw(
    _ faces: [Face], on image: RGBImage, color: ColorDescription, in space: ViewSpace?,
    of input: PictureInput, by outputs: Outputs
  ) throws {
    guard let annotation else { return }
    var drawn = try space.map { try image.rendered(in: $0) } ?? image
    drawn.draw(faces.map { space?.written(in: .pixels).map($0) ?? $0 }, style: drawing.style)
    try annotation.write(
      drawn, color: color, of: input, earlier: resultOptions.earlier, by: outputs)
  }
}
