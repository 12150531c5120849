// SPDX-License-Identifier: Apache-2.0

/// A blob with further axes of one element.
struct ExpandDims: ReshapingKind, Hashable {
  /// Their numbers in the result, negative ones from the innermost.
  let axes: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    axes = try reader.integers(3, "axes", in: axisRange)
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let count = inputs[0].count + axes.count
    let added = Set(axes.map { $0 < 0 ? count + $0 : $0 })
    guard added.count == axes.count, added.allSatisfy((0..<count).contains) else {
      throw .shape(
        "axes \(axes) added to shape \(inputs[0])", expected: "different ones of the \(count) axes")
    }
    var rest = inputs[0][...]
    return (0..<count).map { added.contains($0) ? 1 : rest.removeFirst() }
  }
}
