extension RGBImage {
  /// The picture at half its size; both sides must be even. Each sample is the mean of four, with
  /// halves rounded up.
  func halved() -> RGBImage {
    let rowSamples = 3 * width
    var sums = [UInt16](repeating: 0, count: rowSamples + 1)
    let means = [UInt8](unsafeUninitializedCapacity: pixels.count / 4 + 1) { means, count in
      guard var target = UnsafeMutableRawPointer(means.baseAddress) else { return }
      for start in stride(from: 0, to: pixels.count, by: 2 * rowSamples) {
        addRows(at: start, into: &sums)
        writeMeans(of: sums, to: target)
        target += rowSamples / 2
      }
      count = pixels.count / 4
    }
    return RGBImage(width: width / 2, height: height / 2, rows: means)
  }

  /// The sums of the samples of two rows one above the other.
  private func addRows(at start: Int, into sums: inout [UInt16]) {
    let count = 3 * width
    let upper = pixels.span.extracting(start..<start + count)
    let lower = pixels.span.extracting(start + count..<start + 2 * count)
    var sums = sums.mutableSpan
    precondition(sums.count > count)
    for index in 0..<count { sums[index] = UInt16(upper[index]) + UInt16(lower[index]) }
  }
}

/// A quarter of the sum of each pair of pixels of `sums`, which ends in a sample of padding. Pixels
/// are read and written as four samples, the last of which is overwritten by the next pixel, so
/// `target` needs one byte more than its pixels.
private func writeMeans(of sums: [UInt16], to target: UnsafeMutableRawPointer) {
  let pixel = 3 * MemoryLayout<UInt16>.stride
  sums.withUnsafeBytes { sums in
    guard let start = sums.baseAddress else { return }
    for x in 0..<sums.count / (2 * pixel) {
      let left = start.loadUnaligned(fromByteOffset: 2 * pixel * x, as: SIMD4<UInt16>.self)
      let right = start.loadUnaligned(
        fromByteOffset: 2 * pixel * x + pixel, as: SIMD4<UInt16>.self)
      let mean = SIMD4<UInt8>(truncatingIfNeeded: (left &+ right &+ 2) &>> 2)
      target.storeBytes(of: mean, toByteOffset: 3 * x, as: SIMD4<UInt8>.self)
    }
  }
}
