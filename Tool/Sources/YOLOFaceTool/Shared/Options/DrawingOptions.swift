import ArgumentParser
import YOLOFace

/// The options that say what `--annotate` draws for each face.
struct DrawingOptions: ParsableArguments {
  @Flag(help: "With --annotate: write no scores or IDs beside the boxes.")
  var noLabels = false

  @Flag(help: "With --annotate: draw no landmarks.")
  var noLandmarks = false

  @Option(
    help: ArgumentHelp(
      """
      With --annotate: the width of the boxes' lines, \(DrawingStyle.lineWidths.words); by default \
      it depends on the sizes of picture and face.
      """, valueName: "pixels"))
  var lineWidth: Double?

  /// What is drawn for each face.
  var style: DrawingStyle {
    DrawingStyle(
      drawsLabels: !noLabels, drawsLandmarks: !noLandmarks, lineWidth: lineWidth)
  }

  func validate() throws {
    try requireNumber("--line-width", lineWidth, in: DrawingStyle.lineWidths)
  }

  /// Refuses these options without `--annotate`.
  func require(_ annotate: String?) throws {
    guard annotate != nil || style == DrawingStyle() else {
      throw ValidationError(
        "--no-labels, --no-landmarks and --line-width say how to draw: give --annotate too.")
    }
  }
}
