// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The first half of an axis times the logistic function of the second (Dauphin et al., 2017).
struct GLU: AxisKind, Hashable {
  let axis: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    var shape = inputs[0]
    let axis = try resolvedAxis(axis, of: shape)
    guard shape[axis] % 2 == 0 else {
      throw .shape("\(shape[axis]) elements along axis \(axis)", expected: "an even number")
    }
    shape[axis] /= 2
    return shape
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let half = shape[axis.resolved(in: shape)...].reduce(1, *)
    let values = inputs[0].values
    let gated = (0..<values.count / 2).map { index in
      let place = index / half * half + index
      return values[place] / (1 + exp(-values[place + half]))
    }
    return Tensor(shape, gated)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Cost.exponential)
  }
}
