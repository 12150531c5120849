import ArgumentParser
import Formatting
@preconcurrency import LibC
import YOLOFace

/// The command-line tool, with its subcommands.
package struct YOLOFaceCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
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

  package init() {}

  /// Runs the subcommand given on the command line.
  package static func main() {
    // For patterns of paths, where ? then matches a character, not a byte.
    setlocale(LC_CTYPE, "C.UTF-8")
    do {
      try requireText(CommandLine.unsafeArgv)
      var command = try parsed(Array(CommandLine.arguments.dropFirst()))
      try reportingErrors { try command.run() }
    } catch {
      if exitCode(for: error) == .success { exit(withError: printed(fullMessage(for: error))) }
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      // It may hold the names of files, which could control a terminal.
      let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
      fputs(lines.map { printable(String($0)) + "\n" }.joined(), stderr)
      exit(withError: ExitCode.validationFailure)
    }
  }

  /// The subcommand that arguments name, once their usage is known to be right.
  ///
  /// - Throws: what `exit(withError:)` describes: wrong usage, or help where that is asked for.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    try requireSubcommand(of: arguments)
    return try parseAsRoot(arguments)
  }

  /// Prints what was asked for instead of work, such as help; the exit status.
  private static func printed(_ text: String) -> ExitCode {
    do { try reportingErrors { try printLine(text) } } catch { return exitCode(for: error) }
    return .success
  }

  /// Refuses arguments that are not UTF-8: as a text, such a name would be that of another file.
  private static func requireText(_ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>) throws {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = arguments[index], String(validatingCString: argument) == nil else {
        continue
      }
      throw ValidationError(
        "\(String(cString: argument)): found bytes that are not UTF-8 in argument \(index), expected UTF-8; "
          + "rename the file."
      )
    }
  }

  /// What this build reads beside PNG, and how to build one that reads more.
  private static var formats: String {
    let missing = [("JPEG", ".jpg"), ("WebP", ".webp")]
      .filter { !Picture.fileSuffixes.contains($0.1) }.map(\.0)
    return missing.isEmpty
      ? "This build reads JPEG and WebP too."
      : "This build does not read \(missing.joined(separator: " or ")); "
        + "swift build --package-path Tool --traits \(missing.joined(separator: ",")) makes one that does."
  }
}
