extension Tensor {
  /// Each run of `size` elements less its mean, times a factor that depends on its variance; where
  /// no mean is subtracted, the squares' mean is the variance.
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
