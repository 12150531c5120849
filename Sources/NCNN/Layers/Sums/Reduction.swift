// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// The elements along some axes summed up to one, which is multiplied by a coefficient.
struct Reduction: SingleOutputKind, Hashable {
  /// In ncnn's order: the norms are Σ |x| and √Σ x², the last two ln Σ x and ln Σ eˣ.
  enum Summary: CaseIterable {
    case sum, absoluteSum, squareSum, mean, maximum, minimum, product, norm1, norm2
    case logSum, logSumOfExponentials
  }

  let summary: Summary
  let coefficient: Float
  /// nil for all; of a single axis, there is none to keep.
  let axes: [Int]?
  /// Whether the axes stay, of size 1.
  let keepsAxes: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    summary = Summary.allCases[try reader.integer(0, "operation", default: 0, in: 0...10)]
    coefficient = try reader.real(2, "coeff", default: 1)
    keepsAxes = try reader.flag(4, "keepdims")
    guard try !reader.flag(1, "reduce_all", default: true) else {
      axes = nil
      return
    }
    let axes = try reader.integers(3, "axes", in: axisRange)
    let countsAsNow = try reader.flag(5, "fixbug0")
    guard axes.isEmpty || countsAsNow else {
      throw reader.refusal(
        "axes that old versions of ncnn count differently",
        expected: "fixbug0 5=1, or reduce_all 1=1")
    }
    self.axes = axes
  }

  /// The remaining axes; one of size 1 where none remains.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    for axis in axes ?? [] { _ = try resolvedAxis(axis, of: inputs[0]) }
    let shape = reducing(inputs[0], to: keepsAxes ? 1 : 0).filter { $0 > 0 }
    return shape.isEmpty ? [1] : shape
  }

  private func reducing(_ shape: [Int], to size: Int) -> [Int] {
    guard let axes, shape.count > 1 else { return shape.map { _ in size } }
    var result = shape
    for axis in axes { result[axis.resolved(in: shape)] = size }
    return result
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let steps = repeatingSteps(of: reducing(input.shape, to: 1))
    var result = Tensor(shape, repeating: start)
    switch summary {
    case .sum, .mean, .logSum: result.take(input, steps, from: start, { $0 + $1 }) { $0 }
    case .absoluteSum, .norm1: result.take(input, steps, from: start, { $0 + $1 }) { abs($0) }
    case .squareSum, .norm2: result.take(input, steps, from: start, { $0 + $1 }) { $0 * $0 }
    case .logSumOfExponentials: result.take(input, steps, from: start, { $0 + $1 }) { exp($0) }
    case .maximum: result.take(input, steps, from: start, { max($0, $1) }) { $0 }
    case .minimum: result.take(input, steps, from: start, { min($0, $1) }) { $0 }
    case .product: result.take(input, steps, from: start, { $0 * $1 }) { $0 }
    }
    let count = Float(input.values.count / result.values.count)
    return result.mapped { finished($0, count: count) * coefficient }
  }

  private var start: Float {
    switch summary {
    case .maximum: -.greatestFiniteMagnitude
    case .minimum: .greatestFiniteMagnitude
    case .product: 1
    default: 0
    }
  }

  private func finished(_ result: Float, count: Float) -> Float {
    switch summary {
    case .mean: result / count
    case .norm2: result.squareRoot()
    case .logSum, .logSumOfExponentials: log(result)
    default: result
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: inputs[0], steps: Cost.exponential)
  }
}

extension Tensor {
  /// Merges, from an initial number on, a value of each element of another tensor into the element whose place the steps along its axes give.
  /// Rows of which one element remains are merged sixteen elements side by side, as vectors hold them.
  @inline(__always)
  fileprivate mutating func take(
    _ input: Tensor, _ steps: [Int], from initial: Float, _ merge: (Float, Float) -> Float,
    _ value: (Float) -> Float
  ) {
    let columns = input.columns
    let whole = steps[3] == 0 && columns >= 32 ? columns / 16 * 16 : 0
    var index = 0
    values.withUnsafeMutableBufferPointer { results in
      input.values.withUnsafeBufferPointer { numbers in
        forEachRow(of: input.shape) { channel, slice, row in
          let first = channel * steps[0] + slice * steps[1] + row * steps[2]
          if whole > 0 {
            var sums = SIMD16(repeating: initial)
            for start in stride(from: 0, to: whole, by: 16) {
              for lane in 0..<16 {
                sums[lane] = merge(sums[lane], value(numbers[index &+ start &+ lane]))
              }
            }
            for lane in 0..<16 { results[first] = merge(results[first], sums[lane]) }
          }
          for column in whole..<columns {
            let place = first &+ column &* steps[3]
            results[place] = merge(results[place], value(numbers[index &+ column]))
          }
          index &+= columns
        }
      }
    }
  }
}
