import LibC

/// Exponentials divided by their sum along an axis.
package struct Softmax: AxisKind, Hashable {
  let axis: Int

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let axis = axis.resolved(in: shape)
    let step = strides(of: shape)[axis]
    let size = shape[axis] * step
    var result = inputs[0]
    for outer in stride(from: 0, to: result.values.count, by: size) {
      for start in outer..<outer + step {
        result.values.softmax(stride(from: start, to: start + size, by: step))
      }
    }
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
  /// Exponentials divided by their sum, in place; the largest element is subtracted first, so that
  /// none overflows.
  mutating func softmax(_ places: StrideTo<Int>) {
    let largest = places.reduce(-Float.greatestFiniteMagnitude) { Swift.max($0, self[$1]) }
    var sum: Float = 0
    for place in places {
      self[place] = exp(self[place] - largest)
      sum += self[place]
    }
    for place in places { self[place] /= sum }
  }
}
