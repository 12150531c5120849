// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceExplanation
import YOLOFaceFileSystem
import YOLOFaceFormatting
import YOLOFaceNCNN

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a page that shows how the faces in pictures are found.",
    discussion: """
      One self-contained HTML file shows a picture with its faces, the letterbox, the network as a \
      graph with times and feature maps, the engine's plan for it, the detection heads as heat maps, \
      all candidates with sliders for both thresholds, why a face was missed, and the coordinate \
      spaces. A tour of ten steps explains them to those who know no machine learning: open the page at #tour-1. \
      Of several pictures, the reader chooses; without any, the page has a portrait, a crowd and a cat. --score-threshold and --iou-threshold set where the sliders start. Times are measured \
      with one thread, whatever --threads says. Where an int8 network is explained, the page can \
      show its differences from the network that it was made from, blob by blob and face by face: \
      with --precision int8 from the default model in fp32, otherwise from --against.

      The page holds the engine itself, compiled to WebAssembly, which applies the sliders' thresholds, and the \
      model: it runs the model again on the reader's own picture, with a part of it covered, or with other weights, \
      and shows how each number of a feature map comes about. With --no-live, or where the page would be larger \
      than \(binarySize(largestLivePage)) or would not run the model by --recipe, it has pictures of the feature maps instead of the model.

      Of a network of no known family that takes one picture, the page shows the graph, the maps, the sums and the weights.

      With --playground, the page holds the engine itself, compiled to WebAssembly, and finds faces in \
      the pictures that its reader chooses or drops on it, or in the camera's; nothing leaves the page.

      yoloface explain --help-hidden lists all options.

      Examples:
        yoloface explain -o report.html
        yoloface explain photo.png -o report.html
        yoloface explain portrait.png crowd.png -o lesson.html
        yoloface explain crowd.png -o report.html --long-side 1280 --score-threshold 0.3
        yoloface explain sideways.png -o report.html --orientation right
        yoloface explain photo.png -o report.html --precision int8
        yoloface explain crowd.png -o report.html --truth labels.json
        yoloface explain --playground -o playground.html
        yoloface explain photo.png -o report.html --param small.param --bin small.bin \
      --against model.param --against-bin model.bin
      """)

  @Argument(
    help: ArgumentHelp(
      "\(Picture.formats) pictures. The report is of the first; on the others, its reader runs the network.",
      valueName: "image"), completion: .file())
  var images: [String] = []

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "html"),
    completion: .file(extensions: ["html"]))
  var output: String

  @Flag(help: "Write a page in which the engine finds faces in its reader's pictures.")
  var playground = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Keep the model in the page. (default: if the page stays under \(binarySize(Self.largestLivePage)) and the engine in it would follow --recipe)
      """)
  var live: Bool?

  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var turning: OrientationOptions
  @OptionGroup var model: ModelOptions

  @Option(
    help: ArgumentHelp("Also show how the network differs from another.", valueName: "param"),
    completion: .file(extensions: ["param"]))
  var against: String?

  @Option(
    help: ArgumentHelp("The .bin file of that network.", valueName: "bin"),
    completion: .file(extensions: ["bin"]))
  var againstBin: String?

  @Option(
    help: ArgumentHelp(
      "The ground truth of the first picture, as for evaluate: the page lists the faces that are missed.",
      valueName: "file or directory"), completion: .file())
  var truth: String?

  @OptionGroup(title: "How faces are searched for") var search: SearchOptions

  func validate() throws {
    guard (against == nil) == (againstBin == nil) else {
      throw ValidationError("--against and --against-bin go together: give both or neither.")
    }
    guard against == nil || !playground else {
      throw ValidationError("--playground shows one model: leave out --against.")
    }
    guard truth == nil || !playground else {
      throw ValidationError("--playground shows the reader's pictures: leave out --truth.")
    }
    guard !images.isEmpty || turning.orientation == nil && picture.isUsual else {
      throw ValidationError(
        "--orientation, --max-pixels, --stretch and --accept-damaged are of a picture: give its path."
      )
    }
    guard truth == nil || !images.isEmpty else {
      throw ValidationError("--truth is of a picture: give its path.")
    }
    guard live == nil || !playground else {
      throw ValidationError("--playground always holds the engine: leave out --live and --no-live.")
    }
    guard live != false || images.count == 1 else {
      throw ValidationError("--no-live shows one picture: give the path of one.")
    }
  }

  func run() throws {
    let outputs = try Outputs(
      documents: [output],
      inputs: model.files + [against, againstBin] + images + (try truth.map(truthFiles) ?? []))
    let page = playground ? try playgroundPage() : try explanation()
    try outputs.write(page, to: output)
    let tour = playground ? "" : ", for the tour at \(fileAddress(of: output))#tour-1"
    for message in outputs.messages { printError("\(message); open it in a browser\(tour)") }
  }

  /// Given pictures for a page, upright.
  private func pagePictures(
    _ paths: some Sequence<String>, longSide: Int = .max
  ) throws -> [PagePicture] {
    try paths.map {
      try PagePicture(
        turning.upright(try picture.read($0)), named: fileName(of: $0), longSide: longSide)
    }
  }

  /// The picture that the report is of, upright, with its name and its true faces.
  private func subject() throws -> (name: String, image: RGBImage, truth: [Box]) {
    guard let path = images.first else {
      return (PagePicture.examples[0].name, try PagePicture.examples[0].image(), [])
    }
    let stored = try picture.readSaying(path)
    let truth = try truth.map { try trueFaces(of: stored, at: path, turning, in: $0) }
    return (fileName(of: path), turning.upright(stored.upright), truth ?? [])
  }

  private func explanation() throws -> [UInt8] {
    let (name, image, truth) = try subject()
    let others =
      images.isEmpty
      ? Array(PagePicture.examples.dropFirst())
      : try pagePictures(images.dropFirst(), longSide: PagePicture.usefulLongSide)
    let detector = try detector()
    try detector.sayParts(of: image, named: images.first ?? name, options: search.detection())
    let runsInPages = detector.runsInPages
    if live == true, !runsInPages { throw unrecognizedRecipe }
    let other = try other()
    func page(isLive: Bool) throws -> [UInt8] {
      var explanation = try Explanation(
        of: image, named: name, by: detector, options: search.detection(), beside: other,
        isLive: isLive, pictures: others)
      explanation.truth = truth
      return try explanation.page()
    }
    // The weights alone, in Base64, may be too large.
    let layers = detector.engine.network.layers
    let weightBytes = layers.flatMap(\.weights).reduce(0) { $0 + $1.byteCount }
    let isSmall = weightBytes / 3 * 4 <= Self.largestLivePage
    let leftOut = others.isEmpty ? "the model" : "the model and the other pictures"
    let made = try page(isLive: live ?? (isSmall && runsInPages))
    if live == nil, !runsInPages {
      printError("\(output): left out \(leftOut): in a page, the engine would not follow --recipe")
    } else if live == nil, !isSmall || made.count > Self.largestLivePage {
      printError(
        "\(output): left out \(leftOut), which would make the page larger than "
          + "\(binarySize(Self.largestLivePage)); --live keeps it")
      if isSmall { return try page(isLive: false) }
    }
    return made
  }

  /// The model's detector, or of a network that is none, one without heads.
  private func detector() throws -> FaceDetector {
    do {
      return try model.detector(threads: search.threads, longSide: search.longSide)
    } catch let error as FaceDetectorError {
      guard case .unknownFamily(let name, _, _) = error, let param = model.param,
        let bin = model.bin
      else { throw error }
      let network = try Network(param: param, bin: bin)
      printError("\(name): found no heads of a known family: the page shows the network alone")
      return try FaceDetector(withoutHeads: network, instructionSet: model.isa?.rawValue)
    }
  }

  private static let largestLivePage = 8 << 20

  private var unrecognizedRecipe: Failure {
    Failure(
      "\(model.recipe ?? "--recipe"): found a recipe that is not the one that the network's structure shows, the "
        + "only one that the engine in a page follows; leave out --playground or --live")
  }

  private func playgroundPage() throws -> [UInt8] {
    let detector = try model.detector(threads: 1, longSide: search.longSide)
    guard detector.runsInPages else { throw unrecognizedRecipe }
    return try Playground(
      of: detector, options: search.detection(),
      terms: model.param == nil ? FaceDetector.defaultModelTerms : "",
      pictures: images.isEmpty ? PagePicture.examples : try pagePictures(images)
    ).page()
  }

  private func other() throws -> FaceDetector? {
    if let against, let againstBin {
      return try FaceDetector(
        param: against, bin: againstBin, recipe: try model.familyRecipe(),
        instructionSet: model.isa?.rawValue)
    }
    guard model.precision == .int8 else { return nil }
    return try FaceDetector(instructionSet: model.isa?.rawValue)
  }
}
