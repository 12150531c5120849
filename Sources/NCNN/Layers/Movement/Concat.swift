// SPDX-License-Identifier: Apache-2.0

/// Blobs joined along an axis; in all others, their sizes agree.
struct Concat: AxisKind, Hashable {
  let axis: Int

  var traits: LayerTraits {
    LayerTraits(
      inputs: 1...Int.max, movesInt8: axis.isChannels, movement: .rearranges,
      channels: axis.isChannels ? .joined : .new)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .join(axis: axis) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    var shape = inputs[0]
    let axis = try resolvedAxis(axis, of: shape)
    for var input in inputs.dropFirst() {
      guard input.count == shape.count else {
        throw InferenceError(.shape, found: "shapes \(inputs)", expected: "the same number of axes")
      }
      let (sum, overflow) = shape[axis].addingReportingOverflow(input[axis])
      input[axis] = shape[axis]
      guard input == shape else {
        throw .shape("shapes \(inputs)", expected: "equal sizes except along axis \(axis)")
      }
      guard !overflow else {
        throw InferenceError(.limit, found: "shapes \(inputs)", expected: "a sum that fits an Int")
      }
      shape[axis] = sum
    }
    return shape
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let runs = shape[..<axis.resolved(in: shape)].reduce(1, *)
    return Tensor(appending: shape) { result in
      for index in 0..<runs {
        for input in inputs {
          let run = input.values.count / runs
          result += input.values[index * run..<(index + 1) * run]
        }
      }
    }
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    isChannelAxis(axis, of: output) ? .joined : .inSequence
  }
}
