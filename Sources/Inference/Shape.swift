/// The number of elements of a shape; nil unless it has one to three positive sizes whose product
/// does not overflow.
func elementCount(_ shape: [Int]) -> Int? {
  guard (1...3).contains(shape.count) else { return nil }
  var count = 1
  for size in shape {
    guard size > 0 else { return nil }
    let (product, overflow) = count.multipliedReportingOverflow(by: size)
    if overflow { return nil }
    count = product
  }
  return count
}

/// The product of sizes that have been checked, in 64 bits even where `Int` has 32.
func product(_ sizes: [Int]) -> Int64 { sizes.reduce(1) { $0 * Int64($1) } }

/// Resolves an axis that may count from the end; as in ncnn, any axis of a blob with a single axis
/// is that one.
func resolvedAxis(_ axis: Int, of shape: [Int]) throws(InferenceError) -> Int {
  if shape.count == 1 { return 0 }
  let resolved = axis < 0 ? axis + shape.count : axis
  guard shape.indices.contains(resolved) else {
    throw InferenceError(
      .shape, found: "axis \(axis) of shape \(shape)", expected: "one of its \(shape.count) axes")
  }
  return resolved
}

/// Whether an axis is that of the channels of C × H × W.
func isChannelAxis(_ axis: Int, of shape: [Int]) -> Bool {
  shape.count == 3 && (axis == 0 || axis == -3)
}
