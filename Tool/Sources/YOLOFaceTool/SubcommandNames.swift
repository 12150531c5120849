import ArgumentParser
import Files

/// Refuses a first word that is neither a subcommand nor a possible argument of `detect`, the
/// default, and `help` on an unknown subcommand.
///
/// - Throws: `ValidationError`, which suggests a subcommand.
func requireSubcommand(of arguments: some Collection<String>) throws {
  guard let word = arguments.first else { return }
  let names = subcommandNames + ["help"]
  if word == "help" {
    guard let topic = arguments.dropFirst().first, !topic.hasPrefix("-"), !names.contains(topic)
    else { return }
    throw ValidationError("help \(topic): found no subcommand of this name\(hint(topic, names))")
  }
  guard !names.contains(word), !word.isEmpty, word.allSatisfy(\.isLetter), !fileExists(word)
  else { return }
  throw ValidationError(
    "\(word): found neither a subcommand nor a picture of this name\(hint(word, names))")
}

/// The subcommands' names, as ArgumentParser derives them from types of one word, and their aliases.
private var subcommandNames: [String] {
  YOLOFaceCommand.configuration.subcommands.flatMap { subcommand in
    let configuration = subcommand.configuration
    return [configuration.commandName ?? "\(subcommand)".lowercased()] + configuration.aliases
  }
}

/// The end of a message: a suggestion, or where the names are listed.
private func hint(_ word: String, _ names: [String]) -> String {
  let near = names.map { (name: $0, distance: editDistance($0, word)) }
    .min { $0.distance < $1.distance }
  guard let near, near.distance <= 2 else { return "; yoloface --help lists the subcommands." }
  return "; did you mean \(near.name)?"
}

/// The number of letters to insert, delete or replace to turn one word into another. Words of more
/// than 32 bytes are infinitely far apart.
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
