// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// The options that decide a run's results, kept beside them, so that `--resume` continues no run with others.
///
/// A report has its record only while it is partial, since its format has no place for one; a directory keeps it.
struct RunRecord {
  /// What is said of earlier results without a record.
  static func unknownRun(_ place: String) -> String {
    "\(place): found results that do not say with which options they were made: those may differ"
  }

  /// By the name of the option. Only those that are given, or not off by default.
  private var settings: [String: String]

  private static let longest = 1 << 16
  /// The properties of options that say which pictures are searched, where results go, and how fast.
  private static let others: Set = [
    "images", "filesFrom", "isNullSeparated", "exclude", "output", "report", "json", "format",
    "resume", "restart", "jobs", "failFast", "quiet", "threads", "maxPixels", "ignoreOthers",
    // The model's files count by their bytes.
    "param", "bin", "recipe",
  ]

  init(
    of options: some ParsableArguments, _ model: ModelOptions, besides: [String: String] = [:]
  ) throws {
    settings = besides
    settings["version"] = FaceDetector.libraryVersion
    settings["model"] = try model.identity()
    add(options)
  }

  private mutating func add(_ options: any ParsableArguments) {
    for (label, child) in Mirror(reflecting: options).children {
      guard let name = label?.dropFirst(), !Self.others.contains(String(name)),
        let value = (child as? any Given)?.given
      else { continue }
      if let group = value as? any ParsableArguments {
        add(group)
      } else if let text = text(of: value) {
        settings["--" + hyphenated(name)] = text
      }
    }
  }

  static func recordPath(of partial: String) -> String { partial + ".run" }

  static func recordPath(in directory: String) -> String {
    path(of: ".yoloface.run", in: directory)
  }

  /// Whether the run whose results are at a place has left a record, at a path, which must then be the same.
  func requireSame(at path: String, of place: String) throws -> Bool {
    guard fileExists(path) else { return false }
    let bytes = try readFile(path, limit: Self.longest)
    let bounds = JSONBounds(depth: 2, values: 1000, members: 1000)
    guard let earlier = try? decodedJSON([String: String].self, from: bytes[...], within: bounds)
    else {
      throw FileError(path: path, found: "a damaged file", expected: "what an earlier run left")
    }
    let names = Set(settings.keys).union(earlier.keys).filter { settings[$0] != earlier[$0] }
    guard names.isEmpty else {
      throw Failure(
        "\(place): found results of a run with another \(names.sorted().joined(separator: ", ")), expected the "
          + "same for --resume; give the same options, another --output, or --restart to begin anew"
      )
    }
    return true
  }

  func write(to path: String, by outputs: Outputs) throws {
    try outputs.leave(Array("\(settings.json())\n".utf8), at: path)
  }

  /// Keeps the record in a directory without results; that of another run goes, since the directory holds
  /// results of both. False where a directory is resumed that has no record of what it holds.
  func keep(in directory: String, _ earlier: EarlierOutput, by outputs: Outputs) throws -> Bool {
    let path = Self.recordPath(in: directory)
    if earlier == .resumed, try requireSame(at: path, of: directory) { return true }
    // Directories for what follows may have been made.
    var results = Walk(directory)
    if results.next() == nil {
      try write(to: path, by: outputs)
      return true
    }
    if (try? requireSame(at: path, of: directory)) != true { removeFile(path) }
    return earlier != .resumed
  }
}

/// The wrapper of an option's property.
private protocol Given {
  var given: Any { get }
}

extension Option: Given { fileprivate var given: Any { wrappedValue } }
extension Flag: Given { fileprivate var given: Any { wrappedValue } }
extension OptionGroup: Given { fileprivate var given: Any { wrappedValue } }

/// A value in words; nil for what is not given.
private func text(of value: Any) -> String? {
  let mirror = Mirror(reflecting: value)
  if mirror.displayStyle == .optional {
    return mirror.children.first.flatMap { text(of: $0.value) }
  }
  let isOff =
    value as? Bool == false || mirror.displayStyle == .collection && mirror.children.isEmpty
  if isOff { return nil }
  let words = "\(value)"
  return words.utf8.count > 256 ? String(checksum(Array(words.utf8)), radix: 16) : words
}
