// SPDX-License-Identifier: Apache-2.0

/// Exponentials divided by their sum along an axis.
package struct Softmax: AxisKind, RowKind, Hashable {
  let axis: Int

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) -> Tensor {
    let axis = axis.resolved(in: shape)
    var result = inputs[0]
    result.values.softmax(size: shape[axis], step: strides(of: shape)[axis], by: arithmetic)
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Cost.exponential)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    isChannelAxis(axis, of: output) ? .sameCell : .wholeInput
  }
}

extension [Float] {
  /// Exponentials divided by the sum of `size` numbers that are `step` elements apart, in place; the largest of
  /// them is subtracted first, so that none overflows.
  mutating func softmax(size: Int, step: Int, by arithmetic: RowArithmetic) {
    forEachLine(size * step) { line in
      let largest = line.combined(step, from: -.greatestFiniteMagnitude) { $1 >= $0 ? $1 : $0 }
      line.combine(with: largest) { $0 - $1 }
    }
    arithmetic.map(.exponential, &self)
    forEachLine(size * step) { line in
      line.combine(with: line.combined(step, from: 0) { $0 + $1 }) { $0 / $1 }
    }
  }

  private mutating func forEachLine(
    _ length: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void
  ) {
    withUnsafeMutableBufferPointer { all in
      for start in stride(from: 0, to: all.count, by: length) {
        body(UnsafeMutableBufferPointer(rebasing: all[start..<start + length]))
      }
    }
  }
}

extension UnsafeMutableBufferPointer<Float> {
  /// For each of the first `step` numbers, what a function makes of it and all that follow it at that distance.
  @inline(__always)
  fileprivate func combined(
    _ step: Int, from initial: Float, _ function: (Float, Float) -> Float
  ) -> [Float] {
    guard step > 1 else { return [reduce(initial, function)] }
    var results = [Float](repeating: initial, count: step)
    for start in stride(from: 0, to: count, by: step) {
      for index in 0..<step { results[index] = function(results[index], self[start &+ index]) }
    }
    return results
  }

  /// Combines each number with the one of a shorter array that stands for it, again and again.
  @inline(__always)
  fileprivate func combine(with numbers: [Float], _ function: (Float, Float) -> Float) {
    for start in stride(from: 0, to: count, by: numbers.count) {
      for index in numbers.indices {
        self[start &+ index] = function(self[start &+ index], numbers[index])
      }
    }
  }
}
