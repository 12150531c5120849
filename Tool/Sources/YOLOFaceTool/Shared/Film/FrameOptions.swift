import ArgumentParser
import YOLOFace

/// The options that say where a film's frames come from, when they were taken, and where the
/// annotated frames are written.
struct FrameOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures, including those in subdirectories, are taken in the \
      order of their paths; or one film, such as film.mp4, if ffmpeg is on the path.
      """, valueName: "frame"))
  var frames: [String] = []

  @OptionGroup var picture: PictureOptions

  @OptionGroup(title: "Raw frames") var rawFrames: RawFrameOptions

  @Option(
    help: ArgumentHelp(
      """
      The number of frames per second, such as 25, 29.97 or 30000/1001; by default a film's own, and 30 \
      for other frames.
      """, valueName: "number"))
  var frameRate: PositiveFraction?

  @Option(
    help: ArgumentHelp(
      """
      Write each frame, annotated and as the view shows it, as DIR/000000.png and so on, by its \
      number. The directory is created if it is missing; existing files are not replaced. Or write them \
      as a film, such as out.mp4, without sound, which may replace an older one.
      """, valueName: "dir or film"))
  var annotate: String?

  @OptionGroup(title: "What is drawn") var drawing: DrawingOptions

  func validate() throws {
    guard frames.isEmpty != (rawFrames.raw == nil) else {
      throw ValidationError("Give either pictures, a film, or --raw.")
    }
    try rawFrames.require(atMost: picture.maxPixels)
    try drawing.require(annotate)
    try requireDirectoryName(annotatedDirectory, option: "--annotate", mayBeFilm: true)
  }

  var annotatedFilm: String? { annotate.flatMap { isWritableFilmName($0) ? $0 : nil } }

  var annotatedDirectory: String? { annotatedFilm == nil ? annotate : nil }
}
