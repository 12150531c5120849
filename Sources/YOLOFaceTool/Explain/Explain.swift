import ArgumentParser
import Explanation

/// `yoloface explain`: a page that shows every stage of a detection.
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a page that shows how the faces in a picture are found.",
    discussion: """
      One self-contained HTML file shows the picture with its faces, the letterbox, the network as a \
      graph with times and feature maps, the engine's plan for it, the detection heads as heat maps, \
      all candidates with sliders for both thresholds, why a face was missed, and the coordinate \
      spaces. --score-threshold and --iou-threshold set where the sliders start. Times are measured \
      with one thread, whatever --threads says.

      Examples:
        yoloface explain photo.png -o report.html
        yoloface explain crowd.png -o report.html --long-side 1280 --score-threshold 0.3
        yoloface explain sideways.png -o report.html --orientation right
      """)

  @Argument(help: "The PNG picture.")
  var image: String

  @Option(name: .shortAndLong, help: ArgumentHelp("The file to write.", valueName: "html"))
  var output: String

  @OptionGroup var picture: PictureOptions

  @OptionGroup var turning: OrientationOptions

  @OptionGroup var model: ModelOptions

  @OptionGroup(title: "How faces are searched for") var search: SearchOptions

  func validate() throws {
    guard image != "" else {
      throw ValidationError("An empty path: give the path of a PNG picture.")
    }
    guard output != "" else {
      throw ValidationError("--output: give the path of an HTML file.")
    }
  }

  func run() throws {
    try reportingErrors {
      let outputs = try Outputs(files: [output], inputs: model.files + [image])
      let upright = turning.upright(try picture.read(image))
      let detector = try model.detector(threads: search.threads)
      let explanation = try Explanation(
        of: upright, named: fileName(of: image), by: detector, options: search.detection())
      try outputs.write(try explanation.page(), to: output)
      for message in outputs.messages { printError("\(message); open it in a browser") }
    }
  }
}
