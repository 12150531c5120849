// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceFormatting

/// The options of a subcommand as its help lists them, hidden ones too.
struct OptionHelp {
  private struct Entry {
    /// Such as `-o, --output <path>`.
    var head: String
    var text: String

    var names: [Substring] {
      head.split { $0 == "," || $0 == "/" }.compactMap { $0.split(separator: " ").first }
    }
    var takesValue: Bool { head.contains("<") }
  }

  private var entries: [Entry] = []

  init(of subcommand: any ParsableCommand.Type) {
    let help = YOLOFaceCommand.helpMessage(for: subcommand, includeHidden: true, columns: 1 << 14)
    for line in help.split(separator: "\n") {
      let words = line.drop { $0 == " " }
      let indent = line.count - words.count
      if indent == 2, words.first == "-" {
        let end =
          words.ranges(of: ">").first?.upperBound ?? words.ranges(of: "  ").first?.lowerBound
        let text = words[(end ?? words.endIndex)...].drop { $0 == " " }
        entries.append(
          Entry(head: String(words[..<(end ?? words.endIndex)]), text: String(text)))
      } else if indent > 2, let last = entries.last, last.text.isEmpty {
        entries[entries.count - 1].text = String(words)
      }
    }
    entries.append(Entry(head: "--help-hidden, --generate-completion-script", text: ""))
  }

  /// What is said of the first option among arguments that the subcommand does not have.
  func unknownOption(in arguments: ArraySlice<String>) -> String? {
    var isValue = false
    for argument in arguments {
      if argument == "--" { break }
      let name = argument.prefix { $0 != "=" }
      let isOption = argument.count > 1 && argument.first == "-" && Double(argument) == nil
      guard isOption, !isValue else {
        isValue = false
        continue
      }
      guard let entry = entry(of: name) else {
        return "Unknown option '\(shortened(String(name), to: 80))'\(meaning(of: name))"
      }
      isValue = entry.takesValue && name.count == argument.count
    }
    return nil
  }

  private func entry(of name: Substring) -> Entry? {
    entries.first { $0.names.contains(name) }
  }

  private func meaning(of name: Substring) -> String {
    let word = String(name.drop { $0 == "-" }).replacing("_", with: "-")
    let here = habits.first { $0.names.contains(word) }?.here.first { phrase in
      let option = phrase.prefix { $0 != " " && $0 != ";" && $0 != ":" }
      return !option.hasPrefix("-") || entry(of: option) != nil
    }
    if let here { return ": here it is \(here)." }
    let names = entries.flatMap(\.names).map(String.init).filter { $0.hasPrefix("--") }
    return name.hasPrefix("--")
      ? nearName(String(name), names).map { ": did you mean \($0)?" } ?? "." : "."
  }

  /// What an option takes whose value is missing or is none that it takes; nil where that is said already.
  func help(after message: String) -> String? {
    guard !message.contains("\nHelp:") else { return nil }
    let starts = ["Missing value for '", "is invalid for '"].compactMap {
      message.ranges(of: $0).first?.upperBound
    }
    let name = starts.first.map { message[$0...].prefix { $0 != "'" && $0 != " " } }
    return name.flatMap(entry).map { "\($0.head)  \($0.text)" }
  }
}
