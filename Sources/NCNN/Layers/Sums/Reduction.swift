import LibC

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
    var index = 0
    forEachRow(of: input.shape) { channel, slice, row in
      let first = channel * steps[0] + slice * steps[1] + row * steps[2]
      for column in 0..<input.columns {
        let place = first + column * steps[3]
        result.values[place] = combined(result.values[place], input.values[index])
        index += 1
      }
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

  private func combined(_ result: Float, _ value: Float) -> Float {
    switch summary {
    case .sum, .mean, .logSum: result + value
    case .absoluteSum, .norm1: result + abs(value)
    case .squareSum, .norm2: result + value * value
    case .maximum: max(result, value)
    case .minimum: min(result, value)
    case .product: result * value
    case .logSumOfExponentials: result + exp(value)
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
