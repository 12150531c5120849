extension ParameterReader {
  /// A number, or nil for ncnn's mark of an absent one; a message says that one of `expected` would be right.
  func optional(
    _ key: Int, _ name: String, default fallback: Int, in range: ClosedRange<Int>,
    _ expected: String
  ) throws(ModelError) -> Int? {
    let mark = ParamFormat.placeholder
    let size = try integer(key, name, default: fallback, in: mark...range.upperBound)
    if size == mark { return nil }
    guard range.contains(size) else {
      throw refusal("\(name) \(size)", expected: "\(expected) or \(mark)")
    }
    return size
  }
}
