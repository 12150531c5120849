// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares the pose and expression of two faces, not whose they are.",
    discussion: """
      Fits the five landmarks of a face in one picture to those of a face in another by scaling, \
      rotation and translation. Prints the residual as a distance from 0, the same shape, to 1, and \
      as a score from 100 down to 0, halved by each 0.1 of distance. Five points show the head's \
      pose and some of the expression; they do not tell who it is. --orientation turns both \
      pictures, and positions are printed in pixels of the upright pictures.

      yoloface compare --help-hidden lists all options.

      Examples:
        yoloface compare model.png me.png
        yoloface compare model.png me.png --mirrored --overlay both.png
        yoloface compare a.png b.png --select central --json
        yoloface compare a.png b.png --orientation right
      """)

  @Argument(help: "The \(Picture.formats) picture of one face.", completion: .file())
  var first: String

  @Argument(help: "The \(Picture.formats) picture of the other.", completion: .file())
  var second: String

  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var turning: OrientationOptions
  @OptionGroup var model: ModelOptions
  @OptionGroup(title: "How faces are searched for") var search: SearchOptions

  @Option(
    help: "The face to compare in each picture: the best by score, the biggest or the most central."
  )
  var select = FaceSelection.Preference.biggest

  @Flag(help: "Mirror the first face.")
  var mirrored = false

  @Flag(help: "Print a JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write both faces side by side, with the first's landmarks fitted to the second's.",
      valueName: "png"), completion: .file(extensions: ["png"]))
  var overlay: String?

  func validate() throws { try requirePictureName(overlay, option: "--overlay") }

  func run() throws {
    let outputs = try Outputs(files: [overlay], inputs: model.files + [first, second])
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    try requireLandmarks(of: detector, for: "compare")
    let (firstImage, firstFace, landmarks) = try face(in: first, detector)
    let (secondImage, secondFace, others) = try face(in: second, detector)
    let similarity = try LandmarkSimilarity(of: landmarks, and: others, isMirrored: mirrored)
    if let overlay {
      let picture = try similarity.picture(
        of: firstFace, in: firstImage, and: secondFace, in: secondImage)
      try outputs.write(picture, to: overlay)
    }
    let report = FaceComparison(
      similarity, first: .init(image: first, face: .init(firstFace)),
      second: .init(image: second, face: .init(secondFace)), overlay: overlay)
    try printLine(json ? try report.json() : report.text)
  }

  private func face(
    in path: String, _ detector: FaceDetector
  ) throws -> (RGBImage, Face, Landmarks) {
    let image = turning.upright(try picture.read(path))
    let options = search.detection(effort: .checked)
    let selected = FaceSelection(preference: select, maximumCount: 1)
      .select(from: try detector.detect(in: image, options: options), in: image.size)
    guard let face = try detector.refining(selected, in: image, options: options).first,
      let landmarks = face.landmarks
    else {
      throw Failure(
        "\(path): found no face, expected one to compare; a lower --score-threshold finds more")
    }
    if face.isMarkedUpsideDown {
      printError("\(path): the face is upside down, and its landmarks are not to be trusted")
    }
    return (image, face, landmarks)
  }
}

extension FaceSelection.Preference: @retroactive ExpressibleByArgument {}

struct FaceComparison: Encodable {
  struct Side: Encodable {
    var image: String
    var face: DetectionReport.Face
  }

  var score, distance: Double
  var mirrored: Bool
  var residuals: [String: Double]
  var first, second: Side
  var overlay: String?

  init(_ similarity: LandmarkSimilarity, first: Side, second: Side, overlay: String?) {
    score = rounded(similarity.score, places: 3)
    distance = rounded(similarity.distance, places: 6)
    mirrored = similarity.isMirrored
    let values = similarity.residuals.map { rounded($0, places: 6) }
    residuals = Dictionary(uniqueKeysWithValues: zip(Landmarks.names, values))
    (self.first, self.second, self.overlay) = (first, second, overlay)
  }

  var text: String {
    func text(_ number: Double) -> String { fixed(number, decimals: 4) }
    let points = Landmarks.names.map { residuals[$0] ?? 0 }
    return """
      \(printable(first.image)) and \(printable(second.image))\(mirrored ? ", the first mirrored" : ""): \
      score \(fixed(score, decimals: 1)) of 100
        distance \(text(distance))  \(landmarkText(points.map(text)))
      Five points compare pose and expression, not identity.
      """
  }
}
