// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceGeometry
import YOLOFaceUntrusted

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
      throw failure("\(error.namingPairs), as `yoloface inspect --recipe` prints it")
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

extension JSONError {
  /// The error in words of recipes: an anchor is a pair.
  fileprivate var namingPairs: JSONError {
    guard case .element(let path) = place, let range = path.firstRange(of: ".anchors") else {
      return self
    }
    return JSONError(
      place: .element(String(path[..<range.upperBound])), found: found,
      expected: "pairs of width and height, such as [[4, 5], [8, 10]]")
  }
}

extension FamilyRecipe.Size: Codable {
  private enum Keys: CodingKey { case multipleOf, width, area, stretch }

  /// Reads `{"multipleOf": n}`, `{"area": n}`, `{"width": w, "height": h}` or the latter with `"stretch": true`. With
  /// an area or a width, `"multipleOf"` says which other sizes may be asked for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let number = try container.decodeIfPresent(Int.self, forKey: .multipleOf)
    if container.contains(.area) {
      let area = try container.decode(Int.self, forKey: .area)
      self = .area(area, multiplesOf: number ?? 1)
    } else if let number, !container.contains(.width) {
      self = .multiples(of: number)
    } else {
      let size = try Letterbox.InputSize(from: decoder)
      let isStretched = try container.decodeIfPresent(Bool.self, forKey: .stretch) ?? false
      self =
        number.map { .usual(size, isStretched: isStretched, multiplesOf: $0) }
        ?? .fixed(size, isStretched: isStretched)
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
    case .usual(let size, let isStretched, let number):
      try FamilyRecipe.Size.fixed(size, isStretched: isStretched).encode(to: encoder)
      try container.encode(number, forKey: .multipleOf)
    case .area(let area, let number):
      try container.encode(area, forKey: .area)
      try container.encode(number, forKey: .multipleOf)
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
