/// Parameters of LayerNorm (Ba et al., 2016) and of RMSNorm (Zhang and Sennrich, 2019): rows, or channels,
/// normalised each by itself. Weights, where affine: gamma, and of LayerNorm beta.
struct LayerNorm: Hashable, Sendable {
  /// The elements that share a mean, and the learned factors: those of a row, or of a channel.
  var size: Int
  /// Added to the variance.
  var epsilon: Float
  /// Whether learned factors follow.
  var isAffine: Bool
  /// Whether the mean is subtracted; RMSNorm only divides.
  var subtractsMean: Bool

  init(_ reader: ParameterReader, subtractsMean: Bool) throws(ModelError) {
    self.subtractsMean = subtractsMean
    epsilon = try reader.real(1, "eps", default: 0.001)
    isAffine = try reader.flag(2, "affine", default: true)
    size = try reader.integer(
      0, "affine_size", default: 0, in: (isAffine ? 1 : 0)...Limits.integerParameter)
  }

  var weightRequests: [WeightRequest] {
    guard isAffine else { return [] }
    let names = subtractsMean ? ["gamma", "beta"] : ["gamma"]
    return names.map { WeightRequest($0, count: size) }
  }
}

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
  var traits: LayerTraits { LayerTraits(weights: weightRequests) }

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
