import ArgumentParser
import YOLOFace

/// The options that say where a film's frames come from, when they were taken, and where they are
/// written with what is drawn on them.
struct FrameOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      PNG pictures; directories, whose pictures are taken in the order of their paths, including \
      those in directories below them.
      """, valueName: "frame"))
  var frames: [String] = []

  @OptionGroup var picture: PictureOptions

  @OptionGroup(title: "Raw frames") var rawFrames: RawFrameOptions

  @Option(
    help: ArgumentHelp(
      "How many frames there are in a second, such as 25, 29.97 or 30000/1001.",
      valueName: "number"))
  var frameRate = 30 as PositiveFraction

  @Option(
    help: ArgumentHelp(
      """
      Write each frame, as it is seen and drawn on, as DIR/000000.png and so on, by its number, into \
      a directory that is created if it is missing; existing files are not replaced.
      """, valueName: "dir"))
  var annotate: String?

  @OptionGroup(title: "What is drawn") var drawing: DrawingOptions

  func validate() throws {
    guard frames.isEmpty != (rawFrames.raw == nil) else {
      throw ValidationError("Give either pictures or --raw.")
    }
    guard annotate != "" else {
      throw ValidationError("--annotate: give the path of a directory.")
    }
    try drawing.require(annotate)
    try requireDirectoryName(annotate, option: "--annotate")
  }
}
