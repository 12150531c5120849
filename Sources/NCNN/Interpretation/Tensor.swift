// SPDX-License-Identifier: Apache-2.0

/// A dense array of fp32 numbers with one to four axes, the outermost first: C × D × H × W,
/// C × H × W, H × W or W.
public struct Tensor: Hashable, Sendable {
  /// The sizes of the axes, the outermost first; all positive.
  public let shape: [Int]
  /// The elements in row-major order: the last axis runs fastest.
  public package(set) var values: [Float]

  /// Makes a tensor from its elements.
  ///
  /// - Throws: `InferenceError` unless there are one to four positive sizes and as many values as
  ///   their product.
  public init(shape: [Int], values: [Float]) throws(InferenceError) {
    guard let count = elementCount(shape), count == values.count else {
      throw InferenceError(
        .input, found: "shape \(shape) with \(values.count) values",
        expected: "one to four positive sizes whose product is the number of values")
    }
    self.shape = shape
    self.values = values
  }

  /// The element at these indices, one for each axis, the outermost first.
  ///
  /// - Precondition: there are as many indices as axes, each within its size.
  public subscript(_ indices: Int...) -> Float {
    get { values[offset(of: indices)] }
    set { values[offset(of: indices)] = newValue }
  }

  private func offset(of indices: [Int]) -> Int {
    precondition(indices.count == shape.count, "a tensor has one index for each axis")
    var offset = 0
    for (index, size) in zip(indices, shape) {
      precondition(index >= 0 && index < size, "index outside the tensor")
      offset = offset * size + index
    }
    return offset
  }

  /// A tensor of one repeated value; its shape is known to be valid.
  init(_ shape: [Int], repeating value: Float = 0) {
    self.shape = shape
    values = [Float](repeating: value, count: shape.reduce(1, *))
  }

  /// A tensor of up to three axes, each of whose elements is computed from its place.
  @inline(__always)
  init(_ shape: [Int], _ element: (_ channel: Int, _ row: Int, _ column: Int) -> Float) {
    self.init(shape)
    var index = 0
    for channel in 0..<channels {
      for row in 0..<rows {
        for column in 0..<columns {
          values[index] = element(channel, row, column)
          index += 1
        }
      }
    }
  }

  /// A tensor without its elements, which are put in later.
  package init(unfilled shape: [Int]) {
    self.shape = shape
    values = []
  }

  /// A tensor whose shape is known to fit its values.
  package init(_ shape: [Int], _ values: [Float]) {
    precondition(shape.reduce(1, *) == values.count)
    self.shape = shape
    self.values = values
  }

  /// The size along the innermost axis.
  package var columns: Int { shape[shape.count - 1] }
  /// The size along the second innermost axis, or 1.
  package var rows: Int { shape.count > 1 ? shape[shape.count - 2] : 1 }
  /// The size along the outermost of three or four axes, or 1.
  package var channels: Int { shape.count > 2 ? shape[0] : 1 }
}
