// SPDX-License-Identifier: Apache-2.0

/// The sums of all elements up to each, along an axis.
struct CumulativeSum: AxisKind, Hashable {
  let axis: Int

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let axis = axis.resolved(in: shape)
    let step = strides(of: shape)[axis]
    var result = inputs[0]
    for index in result.values.indices where index / step % shape[axis] > 0 {
      result.values[index] += result.values[index - step]
    }
    return result
  }
}
