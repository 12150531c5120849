import ArgumentParser
import YOLOFace

/// The options for searching many pictures.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The number of pictures decoded, searched and written at the same time; they share the threads. \
      By default the same as --threads.
      """, valueName: "number"))
  var jobs: Int?

  @Flag(help: "Stop at the first picture that cannot be read.")
  var failFast = false

  @Flag(help: "Print no progress and no summary to standard error.")
  var quiet = false

  func validate() throws {
    try requireNumber("--jobs", jobs, in: threadCounts)
  }
}
