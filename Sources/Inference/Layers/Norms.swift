import LibC
import NCNN

extension Tensor {
  /// Each run of `size` elements less its mean, times a factor that depends on its variance; where no mean is
  /// subtracted, the squares' mean is the variance.
  func normalised(
    runsOf size: Int, subtractsMean: Bool = true, by factor: (_ variance: Float) -> Float
  ) -> Tensor {
    var result = self
    for start in stride(from: 0, to: values.count, by: size) {
      let run = values[start..<start + size]
      let mean = subtractsMean ? run.reduce(0, +) / Float(size) : 0
      let factor = factor(run.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(size))
      for index in run.indices { result.values[index] = (run[index] - mean) * factor }
    }
    return result
  }
}

extension LayerNorm: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let run = run(inputs[0])
    guard !isAffine || run == size else {
      throw InferenceError(
        .shape, found: "shape \(inputs[0])", expected: "rows or channels of \(size)")
    }
    return inputs[0]
  }

  /// The number of elements that share a mean: a row or, of three axes and more, the innermost axes that
  /// have `size` elements, or else a channel.
  private func run(_ shape: [Int]) -> Int {
    var run = shape[shape.count - 1]
    guard shape.count > 2 else { return run }
    for size in shape.dropFirst().dropLast().reversed() where run != self.size { run *= size }
    return run
  }

  /// (x − mean) / √(variance + epsilon) · gamma + beta; without a mean, the squares' mean is the variance.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let run = run(shape)
    var result = inputs[0].normalised(runsOf: run, subtractsMean: subtractsMean) {
      1 / ($0 + epsilon).squareRoot()
    }
    guard isAffine else { return result }
    for index in result.values.indices {
      result.values[index] *= weights[0][index % run]
      if subtractsMean { result.values[index] += weights[1][index % run] }
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}

extension LocalNorm: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) -> [Int] { inputs[0] }

  /// x · (bias + alpha · mean of the squares)⁻ᵇᵉᵗᵃ; beyond the blob, squares are 0.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let (rows, columns) = (input.rows, input.columns)
    let factor = alpha / Float(isWithinChannel ? window * window : window)
    let before = window / 2
    let after = window - before - 1
    func around(_ position: Int, of size: Int) -> Range<Int> {
      max(0, position - before)..<min(size, position + after + 1)
    }
    func value(_ channel: Int, _ y: Int, _ x: Int) -> Float {
      input.values[(channel * rows + y) * columns + x]
    }
    return Tensor(shape) { channel, y, x in
      var sum: Float = 0
      func add(_ value: Float) { sum += value * value }
      if isWithinChannel {
        for row in around(y, of: rows) {
          for column in around(x, of: columns) { add(value(channel, row, column)) }
        }
      } else {
        for other in around(channel, of: input.channels) { add(value(other, y, x)) }
      }
      return value(channel, y, x) * pow(bias + factor * sum, -beta)
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let squares = isWithinChannel ? window * window : window
    return .perElement(of: output, steps: Int64(squares) + Cost.exponential)
  }
}

extension Normalize: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let channels = inputs[0].count < 3 ? 1 : inputs[0][0]
    guard sharesScale || scaleCount == channels else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "\(scaleCount) channels")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard acrossPixels || acrossChannels else { return inputs[0] }
    let channels = inputs[0].channels
    let pixels = inputs[0].values.count / channels
    /// The group of each element: all, its channel or its pixel.
    func group(_ index: Int) -> Int {
      acrossPixels ? (acrossChannels ? 0 : index / pixels) : index % pixels
    }
    let groups = acrossPixels ? (acrossChannels ? 1 : channels) : pixels
    var sums = [Float](repeating: 0, count: groups)
    for (index, value) in inputs[0].values.enumerated() { sums[group(index)] += value * value }
    let factors = sums.map { sum in
      switch guarding {
      case .added: 1 / (sum + epsilon).squareRoot()
      case .largerRoot: 1 / max(sum.squareRoot(), epsilon)
      case .largerSum: 1 / max(sum, epsilon).squareRoot()
      }
    }
    var result = inputs[0]
    for index in result.values.indices {
      result.values[index] *= factors[group(index)] * weights[0][sharesScale ? 0 : index / pixels]
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    Cost(steps: 2 * product(output), scratchElements: 2 * product(output))
  }
}

extension MeanVarianceNorm: SingleOutputKind {
  /// C × H × W, also of fewer axes.
  func outputShape(_ inputs: [[Int]]) -> [Int] { [1, 1, 1].dropLast(inputs[0].count) + inputs[0] }

  /// x − mean, divided by √variance + epsilon.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = Tensor(shape, inputs[0].values)
    return input.normalised(runsOf: input.values.count / (acrossChannels ? 1 : shape[0])) {
      dividesByDeviation ? 1 / ($0.squareRoot() + epsilon) : 1
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}
