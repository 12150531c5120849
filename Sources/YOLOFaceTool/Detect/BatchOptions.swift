import ArgumentParser
import YOLOFace

/// The options that say how many pictures are worked on.
struct BatchOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The number of pictures that are decoded, searched and written at the same time; by default that \
      of --threads, which they share.
      """, valueName: "number"))
  var jobs: Int?

  @Flag(help: "Stop at the first picture that cannot be read.")
  var failFast = false

  @Flag(help: "No progress and no summary on standard error.")
  var quiet = false

  func validate() throws {
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs \(jobs): give a number from 1 to 256.")
    }
  }
}
