/// Refuses a JSON file with more in it than the truth of a data set has, before it is decoded: a decoder
/// takes up the whole of a file before any of it can be looked at.
///
/// What is no JSON is left to the decoder, which reads no further than to the first byte that is wrong.
///
/// - Throws: `TruthError` at too many values, objects of too many members, and too deep a nesting.
func requireJSONBounds(_ bytes: [UInt8], source: String) throws(TruthError) {
  func failure(_ found: String, _ expected: String) -> TruthError {
    TruthError(file: source, position: .file, found: found, expected: expected)
  }
  // UTF-16, which decoders take too, has other bytes between the quotes.
  guard !bytes.contains(0) else { throw failure("a zero byte", "JSON in UTF-8") }
  // Members of each object that is open, 0 for an array.
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
      guard members.count <= TruthLimits.depth else {
        throw failure("values nested deeper", "at most \(TruthLimits.depth) deep")
      }
    case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = members.popLast()
    case UInt8(ascii: ":"):
      guard let last = members.indices.last else { continue }
      members[last] += 1
      guard members[last] <= TruthLimits.pictures else {
        throw failure("more members of an object", "at most \(TruthLimits.pictures)")
      }
    default: continue
    }
    guard values <= TruthLimits.values else {
      throw failure("more values", "at most \(TruthLimits.values)")
    }
  }
}
