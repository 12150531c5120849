import ArgumentParser
import YOLOFace

/// The options that say where a film's frames come from, when they were taken, and where the
/// annotated frames are written.
struct FrameOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      PNG pictures; directories, whose pictures, including those in subdirectories, are taken in the \
      order of their paths.
      """, valueName: "frame"))
  var frames: [String] = []

  @OptionGroup var picture: PictureOptions

  @OptionGroup(title: "Raw frames") var rawFrames: RawFrameOptions

  @Option(
    help: ArgumentHelp(
      "The number of frames per second, such as 25, 29.97 or 30000/1001.",
      valueName: "number"))
  var frameRate = 30 as PositiveFraction

  @Option(
    help: ArgumentHelp(
      """
      Write each frame, annotated and as the view shows it, as DIR/000000.png and so on, by its \
      number. The directory is created if it is missing; existing files are not replaced.
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
