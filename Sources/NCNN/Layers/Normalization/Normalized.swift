// SPDX-License-Identifier: Apache-2.0
extension Tensor {
  /// Each run of `size` elements less its mean, times a factor that depends on its variance; where
  /// no mean is subtracted, the squares' mean is the variance.
  func normalized(
    runsOf size: Int, subtractsMean: Bool = true, by factor: (_ variance: Float) -> Float
  ) -> Tensor {
    var result = self
    result.values.withUnsafeMutableBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: size) {
        let run = UnsafeMutableBufferPointer(rebasing: values[start..<start + size])
        let mean = subtractsMean ? run.sum(filledWith: 0) { $0 } / Float(size) : 0
        let squares = run.sum(filledWith: mean) { ($0 - mean) * ($0 - mean) }
        let factor = factor(squares / Float(size))
        for index in run.indices { run[index] = (run[index] - mean) * factor }
      }
    }
    return result
  }
}

extension UnsafeMutableBufferPointer<Float> {
  /// The sum of a function of the numbers, as sixteen sums side by side, as vectors hold them; the last vector is
  /// filled up with a number.
  @inline(__always)
  fileprivate func sum(
    filledWith filling: Float, _ function: (SIMD16<Float>) -> SIMD16<Float>
  ) -> Float {
    var sums = SIMD16<Float>.zero
    let bytes = UnsafeRawBufferPointer(self)
    let whole = count / 16 * 16
    for index in stride(from: 0, to: whole, by: 16) {
      sums += function(bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD16<Float>.self))
    }
    var rest = SIMD16(repeating: filling)
    for index in whole..<count { rest[index - whole] = self[index] }
    return (sums + function(rest)).sum()
  }
}
