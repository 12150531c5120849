import ArgumentParser
import YOLOFace

/// The command-line tool, with its subcommands.
@main
struct YOLOFaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "yoloface",
    abstract: "Finds faces and their landmarks in \(Picture.formats) pictures.",
    discussion: """
      \(formats)

      Examples:
        yoloface detect photo.png
        yoloface detect photo.png --json
        yoloface detect photo.png --annotate faces.png
        yoloface track frames --annotate followed
        yoloface anonymise photos -o hidden
        yoloface guide frames --circle 320,240,150
        yoloface compare model.png me.png
        yoloface explain photo.png -o report.html
        yoloface inspect model.param model.bin --size 640x480
        yoloface profile photo.png --flame profile.png
        yoloface quantize model.param model.bin photos -o small
      """,
    version: """
      yoloface \(FaceDetector.libraryVersion), model \(FaceDetector.defaultModelName), \
      libpng \(PNG.libraryVersion)
      \(FaceDetector.defaultModelTerms)
      \(formats)
      Instruction sets available: \(FaceDetector.instructionSets.joined(separator: " "))
      """,
    subcommands: [
      Detect.self, Track.self, Guide.self, Compare.self, Anonymise.self, Run.self, Inspect.self,
      Bench.self,
      Profile.self, Evaluate.self, Explain.self, Quantize.self,
    ],
    defaultSubcommand: Detect.self)

  /// Runs the subcommand given on the command line.
  static func main() {
    do { try requireSubcommand(of: CommandLine.arguments.dropFirst()) } catch {
      exit(withError: error)
    }
    main(nil)
  }

  /// What this build reads beside PNG, and how to build one that reads more.
  private static var formats: String {
    let missing = [("JPEG", ".jpg"), ("WebP", ".webp")]
      .filter { !Picture.fileSuffixes.contains($0.1) }.map(\.0)
    return missing.isEmpty
      ? "This build reads JPEG and WebP too."
      : "This build does not read \(missing.joined(separator: " or ")); "
        + "swift build --traits \(missing.joined(separator: ",")) makes one that does."
  }
}
