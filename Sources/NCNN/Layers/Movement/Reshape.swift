// SPDX-License-Identifier: Apache-2.0

/// The same elements under another shape.
package struct Reshape: ReshapingKind, Hashable {
  /// The new sizes from the outermost axis in; 0 keeps the input's size along that axis, −1 takes what the
  /// other sizes leave. A single 0 means one row of all elements.
  package let sizes: [Int]
  /// What gives the sizes instead, with the same meaning of 0 and −1; `sizes` is empty then.
  let expression: ShapeExpression?
  /// Where the batch, which is 1, counts among the axes of the input; negative ones count from the innermost.
  /// nil where it does not.
  let inputBatchAxis: Int?
  /// Where the batch counts among the new sizes, likewise. It is no axis of the result.
  let outputBatchAxis: Int?

  init(_ reader: ParameterReader) throws(ModelError) {
    let absent = ParamFormat.placeholder
    func batchAxis(_ key: Int, _ name: String) throws(ModelError) -> Int? {
      let none = 233
      let axis = try reader.integer(key, name, default: none, in: -5...none)
      guard axis < 5 || axis == none else {
        throw reader.refusal("\(name) \(axis)", expected: "-5…4 or \(none)")
      }
      return axis == none ? nil : axis
    }
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int? {
      try reader.optional(
        key, name, default: absent, in: -1...Limits.integerParameter, "a size, 0, -1")
    }
    try reader.requireUnused(3, "permute")
    inputBatchAxis = try batchAxis(12, "input_batch_axis")
    outputBatchAxis = try batchAxis(13, "output_batch_axis")
    expression = try reader.expression(6, "shape_expr", atMost: outputBatchAxis == nil ? 4 : 5)
    if expression != nil {
      sizes = []
      return
    }
    var sizes = [try size(2, "c"), try size(11, "d"), try size(1, "h"), try size(0, "w")]
    if sizes[0] == nil || sizes[1] == nil { sizes.remove(at: 1) }
    let given = Array(sizes.drop { $0 == nil })
    self.sizes = given.map { $0 ?? absent }
    guard !given.isEmpty, !given.contains(nil), given.count(where: { $0 == -1 }) <= 1 else {
      throw reader.refusal(
        "shape \(self.sizes)",
        expected: "w, or h and w, or c, h and w, or all four; at most one may be -1")
    }
  }

  package var traits: LayerTraits {
    LayerTraits(
      inputs: ShapeExpression.layerInputs(expression?.inputCount ?? 1), movesInt8: true,
      movement: .rearranges)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .reshape }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let total = input.reduce(1, *)
    let wanted = expression.map { ($0.values(for: inputs) ?? []).reversed() } ?? sizes
    if wanted == [0] && inputBatchAxis == nil && outputBatchAxis == nil { return [total] }
    let failure = InferenceError(
      .shape, found: "shape \(input) to be reshaped to \(wanted)", expected: "as many elements")
    guard wanted.allSatisfy({ $0 >= -1 }), wanted.count(where: { $0 == -1 }) <= 1 else {
      throw failure
    }
    let kept = try keptSizes(input, count: wanted.count)
    var shape = wanted.indices.map { wanted[$0] == 0 && $0 < kept.count ? kept[$0] : wanted[$0] }
    if let outputBatchAxis {
      guard let axis = AxisReference.number(outputBatchAxis).index(among: shape.count) else {
        throw failure
      }
      let batch = shape.remove(at: axis)
      guard batch == 1 || batch == -1 else {
        throw InferenceError(
          .unsupported, found: "a batch of \(batch) in \(wanted)", expected: "a batch of 1")
      }
    }
    if let open = shape.firstIndex(of: -1) {
      shape[open] = 1
      guard let known = elementCount(shape), total % known == 0 else { throw failure }
      shape[open] = total / known
    }
    guard elementCount(shape) == total else { throw failure }
    return shape
  }

  /// What a new size of 0 keeps. Axes match by name, w being the innermost of both shapes; or by number, where a
  /// batch is among them.
  private func keptSizes(_ input: [Int], count: Int) throws(InferenceError) -> [Int] {
    guard let inputBatchAxis else {
      return outputBatchAxis == nil ? BlobAxis.axes(count).map { $0.size(in: input) } : input
    }
    guard let axis = AxisReference.number(inputBatchAxis).index(among: input.count + 1) else {
      throw .shape(
        "a batch at axis \(inputBatchAxis) of shape \(input)",
        expected: "one of \(input.count + 1) axes")
    }
    return input[..<axis] + [1] + input[axis...]
  }
}
