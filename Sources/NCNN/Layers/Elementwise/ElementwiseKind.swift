// SPDX-License-Identifier: Apache-2.0

/// A kind that computes each element from the one at its place.
protocol ElementwiseKind: SingleOutputKind {
  func value(_ x: Float) -> Float
  /// The steps for one element; those of an exponential by default.
  var steps: Int64 { get }
}

extension ElementwiseKind {
  var steps: Int64 { Cost.exponential }
  func outputShape(_ inputs: [[Int]]) -> [Int] { inputs[0] }
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    inputs[0].mapped(value)
  }
  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: steps) }
  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

extension Tensor {
  func mapped(_ transform: (Float) -> Float) -> Tensor { Tensor(shape, values.map(transform)) }
}
