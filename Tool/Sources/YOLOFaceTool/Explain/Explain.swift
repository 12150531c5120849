import ArgumentParser
import Explanation
import Formatting
import NCNN

struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a page that shows how the faces in a picture are found.",
    discussion: """
      One self-contained HTML file shows the picture with its faces, the letterbox, the network as a \
      graph with times and feature maps, the engine's plan for it, the detection heads as heat maps, \
      all candidates with sliders for both thresholds, why a face was missed, and the coordinate \
      spaces. A tour of ten steps explains them to those who know no machine learning: open the page at #tour-1. --score-threshold and --iou-threshold set where the sliders start. Times are measured \
      with one thread, whatever --threads says. Where an int8 network is explained, the page can \
      show its differences from the network that it was made from, blob by blob and face by face: \
      with --precision int8 from the default model in fp32, otherwise from --against.

      The page holds the engine itself, compiled to WebAssembly, which applies the sliders' thresholds, and the \
      model: it runs the model again on the reader's own picture, with a part of it covered, or with other weights, \
      and shows how each number of a feature map comes about. With --no-live, or where the page would be larger \
      than \(binarySize(largestLivePage)) or would not run the model by --recipe, it has pictures of the feature maps instead of the model.

      Of a network of no known family that takes one picture, the page shows the graph, the maps, the sums and the weights.

      With --playground, the page holds the engine itself, compiled to WebAssembly, and finds faces in \
      the pictures that its reader drops on it, or in the camera's; nothing leaves the page. PICTURE is \
      then what it opens with, and may be left out.

      yoloface explain --help-hidden lists all options.

      Examples:
        yoloface explain photo.png -o report.html
        yoloface explain crowd.png -o report.html --long-side 1280 --score-threshold 0.3
        yoloface explain sideways.png -o report.html --orientation right
        yoloface explain photo.png -o report.html --precision int8
        yoloface explain --playground -o playground.html
        yoloface explain photo.png -o report.html --param small.param --bin small.bin \
      --against model.param --against-bin model.bin
      """)

  @Argument(help: "The \(Picture.formats) picture.")
  var image: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "html"))
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

  @Option(help: ArgumentHelp("Also show how the network differs from another.", valueName: "param"))
  var against: String?

  @Option(help: ArgumentHelp("The .bin file of that network.", valueName: "bin"))
  var againstBin: String?

  @OptionGroup(title: "How faces are searched for") var search: SearchOptions

  func validate() throws {
    guard (against == nil) == (againstBin == nil) else {
      throw ValidationError("--against and --against-bin go together: give both or neither.")
    }
    guard image != nil || playground else { throw ValidationError("Give the path of a picture.") }
    guard against == nil || !playground else {
      throw ValidationError("--playground shows one model: leave out --against.")
    }
    guard live == nil || !playground else {
      throw ValidationError("--playground always holds the engine: leave out --live and --no-live.")
    }
  }

  func run() throws {
    let outputs = try Outputs(
      documents: [output], inputs: model.files + [against, againstBin, image])
    let page =
      if !playground, let image { try explanation(of: image) } else { try playgroundPage() }
    try outputs.write(page, to: output)
    for message in outputs.messages { printError("\(message); open it in a browser") }
  }

  private func explanation(of image: String) throws -> [UInt8] {
    let upright = turning.upright(try picture.read(image))
    let detector = try detector()
    try detector.sayParts(of: upright, named: image, options: search.detection())
    let runsInPages = detector.runsInPages
    if live == true, !runsInPages { throw unrecognisedRecipe }
    let other = try other()
    func page(isLive: Bool) throws -> [UInt8] {
      try Explanation(
        of: upright, named: fileName(of: image), by: detector, options: search.detection(),
        beside: other, isLive: isLive
      ).page()
    }
    // The weights alone, in Base64, may be too large.
    let layers = detector.engine.network.layers
    let weightBytes = layers.flatMap(\.weights).reduce(0) { $0 + $1.byteCount }
    let isSmall = weightBytes / 3 * 4 <= Self.largestLivePage
    let made = try page(isLive: live ?? (isSmall && runsInPages))
    if live == nil, !runsInPages {
      printError("\(output): left out the model: in a page, the engine would not follow --recipe")
    } else if live == nil, !isSmall || made.count > Self.largestLivePage {
      printError(
        "\(output): left out the model, which would make the page larger than "
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

  private var unrecognisedRecipe: Failure {
    Failure(
      "\(model.recipe ?? "--recipe"): found a recipe that is not the one that the network's structure shows, the "
        + "only one that the engine in a page follows; leave out --playground or --live")
  }

  private func playgroundPage() throws -> [UInt8] {
    let detector = try model.detector(threads: 1, longSide: search.longSide)
    guard detector.runsInPages else { throw unrecognisedRecipe }
    let photo = try image.map { try PNG.encode(turning.upright(try picture.read($0))) }
    return try Playground(
      of: detector, options: search.detection(),
      terms: model.param == nil ? FaceDetector.defaultModelTerms : "", photo: photo
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
