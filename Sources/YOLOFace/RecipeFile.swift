import Geometry
import FaceDecoding
import Files
import Untrusted

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
  /// - Throws: `FileError` where the file cannot be read, `ValueError` where it is not a recipe.
  public init(path: String) throws {
    try self.init(json: try readFile(path, limit: FamilyRecipe.largestFile), source: path)
  }

  /// Reads a recipe from JSON.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - source: the file's name, for errors.
  /// - Throws: `ValueError` where it is not a recipe.
  public init(json: [UInt8], source: String) throws(ValueError) {
    func failure(_ reason: String) -> ValueError {
      ValueError("\(source): \(reason.cutForMessage)")
    }
    do {
      self = try decodedJSON(
        FamilyRecipe.self, from: json[...], within: JSONBounds(boundsStrings: true))
      _ = try recipe()
      let known = try decodedJSON(Keys.self, from: Array(try self.json().utf8)[...])
      if let key = try decodedJSON(Keys.self, from: json[...]).key(thatIsNotIn: known) {
        throw ValueError(
          "found the key \(key.cutForMessage), expected keys as `yoloface inspect --recipe` prints them"
        )
      }
    } catch let error as JSONError {
      throw failure("\(error), as `yoloface inspect --recipe` prints it")
    } catch {
      throw failure("\(error)")
    }
  }

  /// The recipe as JSON, as `init(path:)` reads it.
  ///
  /// - Throws: `EncodingError` where a number is not finite.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

extension FamilyRecipe.Size: Codable {
  private enum Keys: CodingKey { case multipleOf, stretch }

  /// Reads `{"multipleOf": n}`, `{"width": w, "height": h}` or the latter with `"stretch": true`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    if container.contains(.multipleOf) {
      self = .multiples(of: try container.decode(Int.self, forKey: .multipleOf))
    } else {
      self = .fixed(
        try Letterbox.InputSize(from: decoder),
        isStretched: try container.decodeIfPresent(Bool.self, forKey: .stretch) ?? false)
    }
  }

  /// Writes the form that is read.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    switch self {
    case .multiples(let number): try container.encode(number, forKey: .multipleOf)
    case .fixed(let size, let isStretched):
      try size.encode(to: encoder)
      if isStretched { try container.encode(true, forKey: .stretch) }
    }
  }
}

/// The keys of a JSON text, and of what they hold.
private indirect enum Keys: Decodable {
  case object([String: Keys])
  case array([Keys])
  case value

  /// As deep as a recipe is, with a level to spare: a decoder's path to a value is as long as that is deep.
  private static let depth = 6

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count < Self.depth else {
      self = .value
      return
    }
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
