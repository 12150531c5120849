import Formatting

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The two JSON forms of a data set.
///
/// COCO's is an object with `images` and `annotations`. The other is an object from each picture's path to its `boxes`
/// (x0, y0, x1, y1) or `faces` (confidence, x0, y0, x1, y1 and five points in the order of `Landmarks.points`). An
/// object with either of COCO's two keys is read as COCO's.
public enum JSONGroundTruth {
  /// What is read, for errors.
  static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  /// The pictures of a file of either form.
  ///
  /// - Parameters:
  ///   - bytes: the file's.
  ///   - source: the file's name, for errors.
  ///   - requiresFaces: whether COCO's `annotations` have to be there. The files of a test set only number
  ///     its `images`.
  /// - Throws: `GroundTruthError` where it is not JSON of one of these forms, or has more than 2²²
  ///   values, more than a million members in an object, or values nested deeper than 32.
  public static func read(
    _ bytes: [UInt8], source: String, requiresFaces: Bool = true
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    let bytes = utf8Text(bytes)
    let members = try requireJSONBounds(bytes, source: source)
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(bytes))
    } catch {
      throw GroundTruthError(error, in: source)
    }
    switch document {
    case .coco(let coco): return try coco.pictures(source: source, requiresFaces: requiresFaces)
    case .labels(let labels): return try labels.pictures(source: source, of: members)
    }
  }
}

private enum Document: Decodable {
  case coco(COCOGroundTruth)
  case labels(LabelGroundTruth)

  private enum Keys: CodingKey {
    case images, annotations
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    if container.contains(.images) || container.contains(.annotations) {
      self = .coco(try COCOGroundTruth(from: decoder))
    } else {
      self = .labels(try LabelGroundTruth(from: decoder))
    }
  }
}

extension GroundTruthError {
  /// An error of the JSON decoder.
  fileprivate init(_ error: any Error, in source: String) {
    guard let error = error as? DecodingError else {
      self.init(file: source, position: .file, found: "\(error)", expected: "JSON")
      return
    }
    switch error {
    case .typeMismatch(let type, let context):
      let expected =
        switch type {
        case is any Numeric.Type: "a number"
        case is String.Type: "a string"
        case is Bool.Type: "0, 1, true or false"
        case is any ExpressibleByDictionaryLiteral.Type:
          context.codingPath.count <= 1 ? JSONGroundTruth.forms : "an object"
        default: "an array"
        }
      self.init(
        file: source, position: .init(context.codingPath), found: "a value of another kind",
        expected: expected)
    case .valueNotFound(_, let context):
      self.init(
        file: source, position: .init(context.codingPath), found: "null", expected: "a value")
    case .keyNotFound(let key, let context):
      self.init(
        file: source, position: .init(context.codingPath), found: "no \(key.stringValue)",
        expected: "one")
    case .dataCorrupted(let context):
      self.init(
        file: source, position: .init(context.codingPath),
        found: context.codingPath.isEmpty ? "a text that is not JSON" : context.debugDescription,
        expected: "JSON, with numbers in range")
    @unknown default:
      self.init(file: source, position: .file, found: "\(error)", expected: "valid JSON")
    }
  }
}

extension GroundTruthError.Position {
  /// A path into a JSON file, as JavaScript writes it.
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

/// Refuses a JSON file that holds more than a data set needs. It runs before decoding, since a
/// decoder reads the whole file before any of it can be checked.
///
/// Malformed JSON is left to the decoder, which stops at the first wrong byte but does not say where it is; only
/// words that JSON does not have, such as Python's NaN, are refused here, with their line.
///
/// - Returns: the number of members of the outermost object.
/// - Throws: `GroundTruthError` for too many values, too many members of an object, too deep nesting, and such
///   words.
func requireJSONBounds(_ bytes: [UInt8], source: String) throws(GroundTruthError) -> Int {
  func failure(_ found: String, _ expected: String) -> GroundTruthError {
    GroundTruthError(file: source, position: .file, found: found, expected: expected)
  }
  // Decoders also take that for UTF-16, whose bytes this scan would misread.
  guard !bytes.contains(0) else { throw failure("a zero byte", "JSON in UTF-8") }
  // The number of members of each open object; 0 for an array.
  var members: [Int] = []
  var outermost = 0
  var values = 1
  var line = 1
  var isInString = false
  var isEscaped = false
  for (offset, byte) in bytes.enumerated() {
    if isInString {
      isInString = isEscaped || byte != UInt8(ascii: "\"")
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      continue
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: ","): values += 1
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      values += 1
      members.append(0)
      guard members.count <= GroundTruthLimits.depth else {
        throw failure("values nested deeper", "at most \(GroundTruthLimits.depth) deep")
      }
    case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = members.popLast()
    case UInt8(ascii: ":"):
      guard let last = members.indices.last else { continue }
      members[last] += 1
      if last == 0 { outermost += 1 }
      guard members[last] <= GroundTruthLimits.pictures else {
        throw failure("more members of an object", "at most \(GroundTruthLimits.pictures)")
      }
    case UInt8(ascii: "\n"): line += 1
    default:
      guard isPartOfJSON(byte) else {
        throw GroundTruthError(
          file: source, position: .line(line), found: word(at: offset, of: bytes),
          expected: "JSON, whose numbers are finite and whose words are true, false and null")
      }
    }
    guard values <= GroundTruthLimits.values else {
      throw failure("more values", "at most \(GroundTruthLimits.values)")
    }
  }
  return outermost
}

/// Whether a byte may stand outside strings, except those of JSON's structure.
private func isPartOfJSON(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"),
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
    true
  default: false
  }
}

/// The letters from an offset on, at most 16, or the one character that is none.
private func word(at offset: Int, of bytes: [UInt8]) -> String {
  let text = String(decoding: bytes[offset...].prefix(16), as: UTF8.self)
  let letters = text.prefix { $0.isLetter }
  return letters.isEmpty ? String(text.prefix(1)) : String(letters)
}
