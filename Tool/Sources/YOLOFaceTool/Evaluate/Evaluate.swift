// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFormatting

struct Evaluate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures detection accuracy on pictures with known faces.",
    discussion: """
      Detects faces in a directory of \(Picture.formats) pictures and prints average precision at IoU 0.5 as PASCAL \
      VOC, COCO and WIDER FACE define it, also by size of face, and the error of the landmarks, if \
      they are known. The ground truth is in the format of WIDER FACE or RetinaFace (a text file), \
      COCO (a .json file), an object such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}} (a .json file), PASCAL VOC (a \
      directory of .xml files) or YOLO (a directory of .txt files, also with five points and a score \
      behind a box, or its list of pictures), or what detect writes. Of several categories of objects, those whose \
      name holds the word face count, or else every one. Entries that make no sense are corrected or left out, and \
      counted in a message. --detections takes results in place of a detector's. \
      A picture that the ground truth names NAME.jpg is read from \
      NAME.png, or from NAME.jpg if this build reads JPEG. Pictures that are missing or cannot be \
      read are left out with a message, and the status is 1. Scores count from 0.02.

      yoloface evaluate --help-hidden lists all options.

      Examples:
        yoloface evaluate photos --truth labels.json
        yoloface evaluate WIDER_val --truth wider_face_val_bbx_gt.txt --long-side 1280 \
      --subset easy.txt --subset medium.txt --subset hard.txt --write-wider results
        yoloface evaluate photos --truth annotations --curve curve.svg --json
        yoloface evaluate photos --truth labels.json --detections found.json
      """)

  @Argument(
    help: ArgumentHelp(
      "The directory of the \(Picture.formats) pictures, which may be in subdirectories.",
      valueName: "directory"), completion: .directory)
  var pictures: String

  @Option(
    help: ArgumentHelp("The ground truth of the pictures.", valueName: "file or directory"),
    completion: .file())
  var truth: String

  @Option(
    help: ArgumentHelp(
      "Results in any format that detect writes but text, or COCO's or WIDER FACE's, in place of a detector's.",
      valueName: "file or directory"), completion: .file())
  var detections: String?

  @Flag(
    help: ArgumentHelp(
      """
      Correct nothing in the ground truth, refuse one of which an entry cannot be read, and take pictures without \
      labels for pictures without faces; always so with --subset.
      """, visibility: .hidden))
  var strict = false

  @Option(
    help: ArgumentHelp(
      "A list of the faces that count in WIDER FACE's protocol; may be repeated.",
      valueName: "file"), completion: .file())
  var subset: [String] = []

  @Option(
    help: ArgumentHelp(
      "A category of objects that counts, by name or number, in place of those called face; may be repeated.",
      valueName: "name"))
  var category: [String] = []

  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var turning: OrientationOptions
  @OptionGroup var search: FaceSearchOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp("Draw the precision-recall curve.", valueName: "svg"),
    completion: .file(extensions: ["svg"]))
  var curve: String?

  @Option(
    help: ArgumentHelp(
      "Write the detections in WIDER FACE's results format, replacing older ones.",
      valueName: "directory"), completion: .directory)
  var writeWider: String?

  @Option(
    help: ArgumentHelp("Write the detections in COCO's results format.", valueName: "json"),
    completion: .file(extensions: ["json"]))
  var writeCoco: String?

  func validate() throws {
    guard isDirectory(pictures) else {
      throw ValidationError("\(pictures): give the path of a directory.")
    }
    guard detections == nil || turning.orientation == nil else {
      throw ValidationError(
        "--orientation turns pictures for a detector: give it without --detections.")
    }
    try requirePictureName(curve, option: "--curve", isChart: true)
  }

  func run() throws {
    // A list counts the faces of a picture.
    let faults = GroundTruthFaults(isStrict: strict || !subset.isEmpty)
    let (truth, counted, others) = try TruthReader(pictures: pictures, faults: faults)
      .read(self.truth).faces(called: category, source: self.truth)
    try requireFaces(truth.contains { !$0.faces.isEmpty }, faults)
    let numbers = try writeCoco.map { _ in try imageNumbers(truth, source: self.truth) }
    let subsets = try subset.map { path in
      try WIDERSubset(
        try readFile(path, limit: GroundTruthLimits.fileBytes), name: stem(of: path), source: path)
    }
    for subset in subsets { try subset.check(against: truth) }
    let located = locate(truth, in: pictures)
    let outputs = try outputs(besides: located)
    let named = category.isEmpty ? counted : [:]
    if let message = categoriesMessage(faces: named, leftOut: others, in: self.truth) {
      printError(message)
    }
    if let message = missingMessage(located, in: pictures) { printError(message) }
    let present = located.filter { $0.path != nil }
    guard !present.isEmpty else { throw ExitCode.failure }
    let (findings, conditions) =
      try detections.map { try storedFindings(at: $0, of: located) } ?? findings(in: present)
    let leftOut = truth.count - findings.count
    guard !findings.isEmpty else { throw ExitCode.failure }
    let faces = try sensibleFaces(of: findings.map { ($0.truth, $0.size) }, noting: faults)
    try requireFaces(faces.contains { !$0.isEmpty }, faults)
    printFaults(faults, of: self.truth)
    let examined = zip(findings, faces).map {
      ExaminedPicture(name: $0.truth.name, faces: $1, detections: $0.detections)
    }
    let accuracy = DetectorAccuracy(examined, subsets: subsets)
    let report = EvaluationReport(
      accuracy, conditions: conditions, pictures: examined.count, leftOut: leftOut)
    var isComplete = leftOut == 0
    // After an error, such as a full disk, the other outputs are still written.
    func attempt(_ write: () throws -> Void) {
      do { try write() } catch {
        printError("\(error)")
        isComplete = false
      }
    }
    if let curve {
      attempt { try outputs.write(precisionRecallPicture(accuracy).bytes, to: curve) }
    }
    if let writeWider {
      attempt { try writeWIDERDetections(examined, to: writeWider, by: outputs) }
    }
    if let writeCoco, let numbers {
      let category = truth.first?.category?.number ?? 1
      attempt {
        try writeCOCODetections(
          examined, numbers: numbers, category: category, to: writeCoco, by: outputs)
      }
    }
    try printLine(json ? try report.json() : report.text)
    if !isComplete { throw ExitCode.failure }
  }

  private func outputs(besides pictures: [LocatedPicture]) throws -> Outputs {
    let detections = writeWider.map { directory in
      pictures.filter { $0.path != nil }.map { path(of: $0.truth.name + ".txt", in: directory) }
    }
    return try Outputs(
      files: [curve], documents: [writeCoco] + (detections ?? []), directories: [writeWider],
      makingDirectories: true,
      inputs: search.model.files + subset + (try truthFiles(truth))
        + (try self.detections.map(truthFiles) ?? []) + pictures.map(\.path))
  }

  /// Refuses a ground truth all of whose faces are left out.
  private func requireFaces(_ hasFaces: Bool, _ faults: GroundTruthFaults) throws {
    guard !hasFaces, let error = faults.leftOut.first else { return }
    guard faults.leftOutCount > 1 else { throw error }
    printFaults(faults, of: truth)
    throw Failure("\(truth): found no face that makes sense, expected some")
  }

  private func printFaults(_ faults: GroundTruthFaults, of source: String) {
    let instead = faults.leftOutCount > 0 ? "refuses it instead" : "corrects nothing"
    for (index, line) in faults.lines.enumerated() {
      printError(index == 0 ? "\(source): \(line); --strict \(instead)" : line)
    }
  }

  private func storedFindings(
    at detections: String, of located: [LocatedPicture]
  ) throws -> ([Finding], EvaluationConditions) {
    let faults = GroundTruthFaults(isStrict: strict)
    let stored = try StoredDetections(detections, of: located, in: pictures, noting: faults)
    printFaults(faults, of: detections)
    let present = located.filter { $0.path != nil }
    if let message = stored.missingMessage(present) { printError(message) }
    let threshold = search.looks.scoreThreshold
    let findings = present.compactMap { located in
      reported {
        try stored.finding(of: located, from: threshold ?? 0, reading: picture.readSaying)
      }
    }
    let conditions = EvaluationConditions(
      detections: detections, scoreThreshold: threshold.map { rounded(Double($0), places: 6) })
    return (findings, conditions)
  }

  /// What a picture's work gives, or nil after its error was printed.
  private func reported<Value>(_ work: () throws -> Value) -> Value? {
    do { return try work() } catch {
      printError("\(error)")
      return nil
    }
  }

  /// With a low threshold, since the precision-recall curve needs its right end too.
  private var detection: DetectionOptions {
    var usual = DetectionOptions()
    usual.scoreThreshold = 0.02
    return search.looks.detection(usual: usual, effort: search.closely.search())
  }

  private func conditions(of detector: FaceDetector) -> EvaluationConditions {
    EvaluationConditions(
      weights: search.model.name,
      longSide: search.looks.longSide ?? detector.recipe.letterbox.standardMode.longSide,
      scoreThreshold: rounded(Double(detection.scoreThreshold), places: 6),
      iouThreshold: search.closely.search().isOnePass
        ? search.looks.iouThreshold : min(search.looks.iouThreshold, SearchEffort.largestOverlap),
      effort: search.closely.text)
  }

  private func findings(
    in pictures: [LocatedPicture]
  ) throws -> ([Finding], EvaluationConditions) {
    let workers = min(search.looks.threads, pictures.count)
    let detector = try search.detector(threads: search.looks.threads / workers)
    let progress = Progress()
    defer { progress.clear() }
    let results = detector.results(of: pictures, workers: workers) { try examine($0, with: $1) }
    let findings = results.enumerated().compactMap { number, result in
      defer { progress.show("\(number + 1) of \(pictures.count) pictures") }
      if case .failure = result.1 { progress.clear() }
      return reported { try result.1.get() }
    }
    return (findings, conditions(of: detector))
  }

  private func examine(_ located: LocatedPicture, with detector: FaceDetector) throws -> Finding {
    let path = located.path ?? path(of: located.truth.name, in: pictures)
    let stored = try picture.readSaying(path)
    let image = turning.upright(stored.upright)
    let truth = try located.truth.turnedUpright(
      from: stored.orientation, to: stored.upright.size, at: path)
    _ = try truth.faces(inPictureOf: image.size, at: path)
    return Finding(
      truth: truth, size: image.size, detections: try detector.detect(in: image, options: detection)
    )
  }
}

extension ModelOptions {
  fileprivate var name: String {
    guard let param, let bin else { return "\((precision ?? .fp32).defaultModelName), embedded" }
    return "\(param), \(bin)"
  }
}

private func stem(of path: String) -> String {
  let name = fileName(of: path)
  guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
  return String(name[..<dot])
}
