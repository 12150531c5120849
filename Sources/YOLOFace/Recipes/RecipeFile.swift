import FaceDecoding
import Files

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FamilyRecipe {
  /// The most bytes of a recipe's file.
  static let largestFile = 1 << 16

  /// Reads a recipe from a JSON file.
  ///
  /// - Throws: `FileError` where the file cannot be read, `RecipeError` where it is not a recipe.
  public init(path: String) throws {
    try self.init(json: try readFile(path, limit: FamilyRecipe.largestFile), source: path)
  }

  /// Reads a recipe from JSON.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - source: the file's name, for errors.
  /// - Throws: `RecipeError` where it is not a recipe.
  public init(json: [UInt8], source: String) throws(RecipeError) {
    do {
      let data = Data(json)
      self = try JSONDecoder().decode(FamilyRecipe.self, from: data)
      _ = try recipe()
      let read = try JSONDecoder().decode(Keys.self, from: JSONEncoder().encode(self))
      if let key = try JSONDecoder().decode(Keys.self, from: data).key(thatIsNotIn: read) {
        throw RecipeError.unknown(key: key)
      }
    } catch {
      throw .file(path: source, reason: RecipeError.reason(error))
    }
  }

  /// The recipe as JSON, as `init(path:)` reads it.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Refuses numbers that no detector has, before anything is computed from them.
  func requireBounds() throws(RecipeError) {
    func require(_ isFine: Bool, _ key: String, _ expected: String) throws(RecipeError) {
      if !isFine { throw .value(key: key, expected: expected) }
    }
    try require(
      mean.count == 3 && mean.allSatisfy { (-1e4...1e4).contains($0) }, "mean",
      "three numbers from -10000 to 10000")
    try require(
      (1e-4...1e6).contains(divisor.magnitude), "divisor",
      "a number from 0.0001 to 1000000, or its negative")
    switch size {
    case .multiples(let number):
      try require((1...1024).contains(number), "size.multipleOf", "1 to 1024")
    case .fixed(let size, _):
      let sides = 1...Letterbox.maximumInputSide
      try require(
        sides.contains(size.width) && sides.contains(size.height), "size",
        "sides from 1 to \(Letterbox.maximumInputSide)")
    }
    try require(
      variances.map { $0.count == 2 && $0.allSatisfy { (1e-4...1e4).contains($0) } } ?? true,
      "variances", "two numbers from 0.0001 to 10000")
    try require(
      anchorCentre.map { (-1e4...1e4).contains($0) } ?? true, "anchorCentre",
      "a number from -10000 to 10000")
    try require((1...16).contains(levels.count), "levels", "1 to 16 levels")
    let blobs = levels.flatMap(\.blobs)
    try require(Set(blobs).count == blobs.count, "blobs", "another blob for each key of all levels")
    for level in levels {
      try require((1...1024).contains(level.stride), "stride", "1 to 1024")
      try require((1...64).contains(level.proposals ?? 1), "proposals", "1 to 64")
      try require(
        level.anchors.map { anchors in
          (1...64).contains(anchors.count)
            && anchors.allSatisfy { $0.count == 2 && $0.allSatisfy { (1e-3...1e5).contains($0) } }
        } ?? true, "anchors", "1 to 64 pairs of numbers from 0.001 to 100000")
    }
  }
}

/// Why a recipe cannot be used.
public enum RecipeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file is not a recipe.
  case file(path: String, reason: String)
  /// A value is out of bounds.
  case value(key: String, expected: String)
  /// A key that no recipe has, or none of this form.
  case unknown(key: String)
  /// A level lacks a value that its family needs.
  case missing(key: String, family: FaceFamily, stride: Int)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .file(let path, let reason): "\(path): \(reason)"
    case .value(let key, let expected): "found another value of \(key), expected \(expected)"
    case .unknown(let key):
      "found the key \(key), expected keys as `yoloface inspect --recipe` prints them"
    case .missing(let key, let family, let stride):
      "found no \(key) at stride \(stride), expected it for \(family.name)"
    }
  }

  fileprivate static func reason(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
      let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return keys.isEmpty ? "the file" : keys.joined(separator: ".")
    }
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "found no \(key.stringValue) in \(path(context)), expected one"
    case .valueNotFound(_, let context):
      return "found null as \(path(context)), expected a value"
    case .typeMismatch(let type, let context):
      return "found another kind of value as \(path(context)), expected \(type)"
    case .dataCorrupted(let context):
      return
        "found \(path(context)) in another form (\(context.debugDescription)), expected JSON as "
        + "`yoloface inspect --recipe` prints it"
    @unknown default: return "found another form, expected a recipe"
    }
  }
}

/// The keys of a JSON text, and of what they hold.
private indirect enum Keys: Decodable {
  case object([String: Keys])
  case array([Keys])
  case value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let object = try? container.decode([String: Keys?].self) {
      self = .object(object.compactMapValues(\.self))
    } else if let array = try? container.decode([Keys].self) {
      self = .array(array)
    } else {
      self = .value
    }
  }

  /// The first key, in alphabetical order, that other keys lack.
  func key(thatIsNotIn other: Keys) -> String? {
    switch (self, other) {
    case (.object(let keys), .object(let known)):
      for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
        guard let found = known[key] else { return key }
        if let inner = value.key(thatIsNotIn: found) { return "\(key).\(inner)" }
      }
      return nil
    case (.array(let values), .array(let known)):
      return zip(values, known).lazy.compactMap { $0.key(thatIsNotIn: $1) }.first
    default: return nil
    }
  }
}
