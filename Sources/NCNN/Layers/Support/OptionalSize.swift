// SPDX-License-Identifier: Apache-2.0
extension ParameterReader {
  /// A number, or nil where the file has ncnn's mark of an absent one.
  ///
  /// - Parameter expected: what the number may be, for a message.
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
