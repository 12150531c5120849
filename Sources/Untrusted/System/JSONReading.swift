// SPDX-License-Identifier: Apache-2.0

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Decodes JSON from outside, after its bounds were checked.
///
/// - Throws: `JSONError`.
public func decodedJSON<Value: Decodable>(
  _ type: Value.Type, from bytes: ArraySlice<UInt8>, within bounds: JSONBounds = JSONBounds()
) throws(JSONError) -> Value {
  try decodedJSONAndMembers(type, from: bytes, within: bounds).value
}

/// Decodes JSON as `decodedJSON`, and says how many members the outermost object has: of keys that are equal as strings,
/// a decoder keeps one.
///
/// - Throws: `JSONError`.
public func decodedJSONAndMembers<Value: Decodable>(
  _ type: Value.Type, from bytes: ArraySlice<UInt8>, within bounds: JSONBounds = JSONBounds()
) throws(JSONError) -> (value: Value, members: Int) {
  let members = try bounds.check(bytes)
  do {
    return (try JSONDecoder().decode(type, from: Data(bytes)), members)
  } catch {
    guard let rest = JSONSyntax(bytes).faulty else { throw JSONError(error) }
    let line = 1 + bytes[..<rest.startIndex].count { $0 == UInt8(ascii: "\n") }
    let text = UntrustedText(rest).prefix { $0 >= 0x20 }.excerpt(16)
    throw JSONError(
      place: .line(line), found: rest.isEmpty ? "the end of the text" : "\"\(text)\"",
      expected: "JSON")
  }
}

/// Why JSON was refused: where, what was found and what was expected.
public struct JSONError: Error, Sendable, CustomStringConvertible {
  /// A place in the text.
  public enum Place: Hashable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A value, such as `annotations[3].bbox`.
    case element(String)
    /// The text as a whole.
    case file
  }

  /// Where in the text.
  public let place: Place
  /// What was found there.
  public let found: String
  /// What was expected instead.
  public let expected: String
  /// Whether another kind of value stands where an object was expected, at the top or in it.
  public let hasOtherForm: Bool

  /// An error from its parts.
  public init(place: Place, found: String, expected: String, hasOtherForm: Bool = false) {
    (self.place, self.found, self.expected) = (place, found, expected)
    self.hasOtherForm = hasOtherForm
  }

  /// What a decoder says, in words of this project.
  fileprivate init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      self.init(place: .file, found: "\(error)", expected: "another value")
      return
    }
    switch error {
    case .typeMismatch(let type, let context):
      let isObject = type is any ExpressibleByDictionaryLiteral.Type
      self.init(
        place: Place(context.codingPath), found: "a value of another kind",
        expected: Self.name(of: type),
        hasOtherForm: isObject && context.codingPath.count <= 1)
    case .valueNotFound(_, let context):
      self.init(place: Place(context.codingPath), found: "null", expected: "a value")
    case .keyNotFound(let key, let context):
      self.init(
        place: Place(context.codingPath), found: "no \(key.stringValue)", expected: "one")
    case .dataCorrupted(let context):
      self.init(
        place: Place(context.codingPath),
        found: "a value that is out of range or has another form",
        expected: "JSON, with numbers in range")
    @unknown default:
      self.init(place: .file, found: "another form", expected: "JSON")
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is any Numeric.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is any ExpressibleByDictionaryLiteral.Type: "an object"
    default: "an array"
    }
  }

  /// One sentence, without the name of a file.
  public var description: String {
    let place =
      switch place {
      case .line(let line): " in line \(line)"
      case .element(let path): " in \(path)"
      case .file: ""
      }
    return "found \(found)\(place), expected \(expected)"
  }
}

extension JSONError.Place {
  /// A path into a JSON text, as JavaScript writes it.
  fileprivate init(_ path: [any CodingKey]) {
    let text = path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    self = text.isEmpty ? .file : .element(text)
  }
}
