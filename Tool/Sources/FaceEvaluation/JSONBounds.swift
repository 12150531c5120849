/// Refuses a JSON file that holds more than a data set needs. It runs before decoding, since a
/// decoder reads the whole file before any of it can be checked.
///
/// Malformed JSON is left to the decoder, which stops at the first wrong byte.
///
/// - Throws: `GroundTruthError` for too many values, too many members of an object, and too deep
///   nesting.
func requireJSONBounds(_ bytes: [UInt8], source: String) throws(GroundTruthError) {
  func failure(_ found: String, _ expected: String) -> GroundTruthError {
    GroundTruthError(file: source, position: .file, found: found, expected: expected)
  }
  // Decoders also accept UTF-16, whose bytes this scan would misread.
  guard !bytes.contains(0) else { throw failure("a zero byte", "JSON in UTF-8") }
  // The number of members of each open object; 0 for an array.
  var members: [Int] = []
  var values = 1
  var isInString = false
  var isEscaped = false
  for byte in bytes {
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
      guard members[last] <= GroundTruthLimits.pictures else {
        throw failure("more members of an object", "at most \(GroundTruthLimits.pictures)")
      }
    default: continue
    }
    guard values <= GroundTruthLimits.values else {
      throw failure("more values", "at most \(GroundTruthLimits.values)")
    }
  }
}
