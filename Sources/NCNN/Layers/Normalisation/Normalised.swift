extension Tensor {
  /// Each run of `size` elements less its mean, times a factor that depends on its variance; where
  /// no mean is subtracted, the squares' mean is the variance.
  func normalised(
    runsOf size: Int, subtractsMean: Bool = true, by factor: (_ variance: Float) -> Float
  ) -> Tensor {
    var result = self
    result.values.withUnsafeMutableBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: size) {
        let run = UnsafeMutableBufferPointer(rebasing: values[start..<start + size])
        let mean = subtractsMean ? run.sums(around: 0).distances / Float(size) : 0
        let factor = factor(run.sums(around: mean).squares / Float(size))
        for index in run.indices { run[index] = (run[index] - mean) * factor }
      }
    }
    return result
  }
}

extension UnsafeMutableBufferPointer<Float> {
  /// The sums of the distances from a number and of their squares, each sixteen sums side by side, as vectors hold
  /// them.
  fileprivate func sums(around centre: Float) -> (distances: Float, squares: Float) {
    var (distances, squares) = (SIMD16<Float>.zero, SIMD16<Float>.zero)
    func add(_ numbers: SIMD16<Float>) {
      distances += numbers - centre
      squares += (numbers - centre) * (numbers - centre)
    }
    let bytes = UnsafeRawBufferPointer(self)
    let whole = count / 16 * 16
    for index in stride(from: 0, to: whole, by: 16) {
      add(bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self))
    }
    var rest = SIMD16(repeating: centre)
    for index in whole..<count { rest[index - whole] = self[index] }
    add(rest)
    return (distances.sum(), squares.sum())
  }
}
