// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
@preconcurrency import YOLOFaceLibC

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
        yoloface profile photo.png --flame profile.svg
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
      Bench.self, Profile.self, Evaluate.self, Explain.self, Quantize.self,
    ],
    defaultSubcommand: Detect.self)

  package init() {}

  package static func main() {
    // For patterns of paths, where ? then matches a character, not a byte.
    setlocale(LC_CTYPE, "C.UTF-8")
    // Help is wrapped to any width, of which nothing is left where a terminal says 0.
    if let columns = getenv("COLUMNS"), atoi(columns) < 20 { unsetenv("COLUMNS") }
    useLargePagesInHeap()
    // Swift's own repairs what is not UTF-8.
    let arguments = (1..<max(1, Int(CommandLine.argc)))
      .compactMap { CommandLine.unsafeArgv[$0].map { pathText(cString: $0) } }
    var subcommand = subcommand(named: arguments.first)
    do {
      var command = try parsed(arguments)
      subcommand = type(of: command)
      try reportingErrors { try command.run() }
    } catch {
      if exitCode(for: error) == .success {
        // Such as help.
        do { try reportingErrors { try printLine(fullMessage(for: error)) } } catch {
          exit(withError: error)
        }
        exit()
      }
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      let lines = wrongUsage(error, of: subcommand)
        .split(separator: "\n", omittingEmptySubsequences: false)
      fputs(lines.map { messageLine($0) + "\n" }.joined(), stderr)
      exit(withError: ExitCode.validationFailure)
    }
  }

  private static func useLargePagesInHeap() {
    // Once the first block has been freed, smaller ones come from the heap and stay in it: mallopt(3),
    // M_MMAP_THRESHOLD.
    for bytes in [25 << 20, 24 << 20] {
      let block = malloc(bytes)
      useLargePages(block, bytes: bytes)
      free(block)
    }
  }

  static func subcommand(named name: String?) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { name.map(names(of: $0).contains) == true }
  }

  /// What is said of wrong usage, and the usage of a subcommand, also where it is known to be wrong before or after
  /// the arguments are parsed.
  static func wrongUsage(_ error: any Error, of subcommand: (any ParsableCommand.Type)?) -> String {
    guard let error = error as? ValidationError, let subcommand else {
      return fullMessage(for: error)
    }
    let name = "yoloface \(names(of: subcommand)[0])"
    return """
      Error: \(error.message)
      Usage: \(usageString(for: subcommand))
        See '\(name) --help' for more information.
      """
  }

  /// The subcommand that arguments name; wrong usage and a request for help are errors.
  static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
    // Such as a variable of the shell's that is not set.
    guard !arguments.contains(where: { $0.isEmpty || $0.hasPrefix("-") && $0.hasSuffix("=") })
    else {
      throw ValidationError("An empty argument: give what it stands for, such as a path.")
    }
    let optionsAndNames = arguments.prefix { $0 != "--" }
    if let name = optionsAndNames.first(where: {
      $0.hasPrefix("-") && !$0.contains("=") && isMediaName($0)
    }) {
      throw ValidationError(
        "\(name): found the name of a file that begins as options do; give ./\(name), or -- before the names."
      )
    }
    try requireSubcommand(of: arguments)
    // Parsed alone, a subcommand takes half the time; help, and what is wrong, is shown as part of the whole.
    if let subcommand = subcommand(named: arguments.first),
      let command = try? subcommand.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == subcommand
    {
      return command
    }
    do { return try parseAsRoot(arguments) } catch  where exitCode(for: error) == .validationFailure
    {
      throw explained(error, arguments)
    }
  }

  /// Names an option that the subcommand does not have, or says what one takes, also if it is hidden.
  private static func explained(_ error: any Error, _ arguments: [String]) -> any Error {
    let named = subcommand(named: arguments.first)
    guard arguments.first != "help" else { return error }
    let options = OptionHelp(of: named ?? Detect.self)
    if let unknown = options.unknownOption(in: arguments[(named == nil ? 0 : 1)...]) {
      return ValidationError(unknown)
    }
    let message = message(for: error)
    return options.help(after: message).map { ValidationError("\(message)\nHelp:  \($0)") } ?? error
  }

  private static var formats: String {
    let missing = [("JPEG", ".jpg"), ("WebP", ".webp")]
      .filter { !Picture.fileSuffixes.contains($0.1) }.map(\.0)
    return missing.isEmpty
      ? "This build reads JPEG and WebP too."
      : "This build does not read \(missing.joined(separator: " or ")); "
        + "\(buildCommand(for: missing)) makes one that does."
  }
}

/// Refuses a first word that is neither a subcommand nor a possible argument of `detect`, the default, and `help` on an
/// unknown subcommand, and suggests one.
private func requireSubcommand(of arguments: [String]) throws {
  guard let word = arguments.first else { return }
  let subcommands = YOLOFaceCommand.configuration.subcommands
  let known = subcommands.flatMap { names(of: $0) } + ["help"]
  if word == "help" {
    guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-"), !known.contains(topic)
    else { return }
    throw ValidationError("help \(topic): found no subcommand of this name\(hint(topic, known))")
  }
  guard !known.contains(word), !word.isEmpty, word.allSatisfy(\.isLetter), !fileExists(word)
  else { return }
  throw ValidationError(
    "\(word): found neither a subcommand nor a picture of this name\(hint(word, known))")
}

/// A subcommand's name, as ArgumentParser derives it from a type of one word, and its aliases.
private func names(of subcommand: any ParsableCommand.Type) -> [String] {
  let configuration = subcommand.configuration
  return [configuration.commandName ?? "\(subcommand)".lowercased()] + configuration.aliases
}

private func hint(_ word: String, _ names: [String]) -> String {
  nearName(word, names).map { "; did you mean \($0)?" }
    ?? "; yoloface --help lists the subcommands."
}

/// The name nearest to a word, if at most two letters differ.
func nearName(_ word: String, _ names: [String]) -> String? {
  let near = names.map { (name: $0, distance: editDistance($0, word)) }
    .min { $0.distance < $1.distance }
  return near.flatMap { $0.distance <= 2 ? $0.name : nil }
}

/// The number of letters to insert, delete or replace to turn one word into another; above 32 bytes, infinite.
private func editDistance(_ one: String, _ other: String) -> Int {
  let (one, other) = (Array(one.utf8), Array(other.utf8))
  guard max(one.count, other.count) <= 32 else { return .max }
  var row = Array(0...other.count)
  for (i, letter) in one.enumerated() {
    var diagonal = i
    row[0] = i + 1
    for (j, otherLetter) in other.enumerated() {
      let changed = diagonal + (letter == otherLetter ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
    }
  }
  return row[other.count]
}
