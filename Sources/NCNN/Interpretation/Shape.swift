// SPDX-License-Identifier: Apache-2.0

/// The number of elements of a shape; nil unless it has one to four positive sizes whose product
/// does not overflow.
package func elementCount(_ shape: [Int]) -> Int? {
  guard (1...4).contains(shape.count), shape.allSatisfy({ $0 > 0 }) else { return nil }
  return shape.reduce(1) { count, size in count.flatMap { checkedProduct($0, size) } }
}

/// A shape, or what else there is for each axis, with four axes: more come before the outermost.
func fourAxes<Element>(_ shape: [Element], missing: Element) -> [Element] {
  Array(repeating: missing, count: 4 - shape.count) + shape
}

/// The distance between neighbours along each axis of elements in row-major order.
func strides(of shape: [Int]) -> [Int] {
  var strides = [Int](repeating: 1, count: shape.count)
  for axis in shape.indices.dropLast().reversed() {
    strides[axis] = strides[axis + 1] * shape[axis + 1]
  }
  return strides
}

/// The distance between neighbours along each of four axes; 0 along an axis of one element, which
/// repeats beside longer ones.
func repeatingSteps(of shape: [Int]) -> [Int] {
  fourAxes(zip(shape, strides(of: shape)).map { $0 == 1 ? 0 : $1 }, missing: 0)
}

/// The product of sizes in 64 bits, even where `Int` has 32; at most 2⁶⁰, more than a run may take.
package func product(_ sizes: [Int]) -> Int64 {
  sizes.reduce(1) { product, size in
    let (value, overflow) = product.multipliedReportingOverflow(by: Int64(size))
    return overflow ? 1 << 60 : min(value, 1 << 60)
  }
}

/// Resolves an axis that may count from the end; as in ncnn, any axis of a blob with a single axis
/// is that one.
package func resolvedAxis(_ axis: Int, of shape: [Int]) throws(InferenceError) -> Int {
  let resolved = axis.resolved(in: shape)
  guard shape.indices.contains(resolved) else {
    throw .shape("axis \(axis) of shape \(shape)", expected: "one of its \(shape.count) axes")
  }
  return resolved
}

/// Whether an axis is that of the channels of C × H × W.
func isChannelAxis(_ axis: Int, of shape: [Int]) -> Bool { shape.count == 3 && axis.isChannels }

/// Calls a function for each row of a shape, with its position along the three axes around the rows: the
/// channel, the slice of a blob of four axes, and the row.
func forEachRow(of shape: [Int], _ visit: (_ channel: Int, _ slice: Int, _ row: Int) -> Void) {
  let sizes = fourAxes(shape, missing: 1)
  for channel in 0..<sizes[0] {
    for slice in 0..<sizes[1] {
      for row in 0..<sizes[2] { visit(channel, slice, row) }
    }
  }
}
