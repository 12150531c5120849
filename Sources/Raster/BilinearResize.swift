extension RGBImage {
  /// Resizes one axis after the other: each source row that is needed is stretched to the new width
  /// once, and each new row is a mix of two of them. Weights and rounding are OpenCV's
  /// (modules/imgproc/src/resize.cpp, the 8-bit linear case).
  func resizedBilinearly(width newWidth: Int, height newHeight: Int) -> RGBImage {
    let columns = (0..<newWidth).map { BilinearColumn(target: $0, of: newWidth, source: width) }
    let rowSamples = 3 * newWidth
    var upper = StretchedRow(width: newWidth)
    var lower = upper
    let mixed = [UInt8](unsafeUninitializedCapacity: rowSamples * newHeight) { mixed, count in
      for y in 0..<newHeight {
        let tap = BilinearTap(target: y, of: newHeight, source: height)
        let first = min(max(tap.first, 0), height - 1)
        let second = min(max(tap.first + 1, 0), height - 1)
        if lower.row == first { swap(&upper, &lower) }
        upper.stretch(first, of: self, columns)
        lower.stretch(second, of: self, columns)
        mix(upper, lower, tap, into: mixed.extracting(count..<count + rowSamples))
        count += rowSamples
      }
    }
    return RGBImage(width: newWidth, height: newHeight, rows: mixed)
  }
}

/// The source pixels `first` and `first + 1` of a new pixel on one axis, and their weights in
/// 2048ths. `first` may be −1 or the last.
private struct BilinearTap {
  var first: Int
  var firstWeight: Int16
  var secondWeight: Int16

  init(target: Int, of targetCount: Int, source sourceCount: Int) {
    let scale = 1 / (Double(targetCount) / Double(sourceCount))
    let position = Float((Double(target) + 0.5) * scale - 0.5)
    let floor = position.rounded(.down)
    first = Int(floor)
    firstWeight = Int16(((1 - (position - floor)) * 2048).rounded(.toNearestOrEven))
    secondWeight = Int16(((position - floor) * 2048).rounded(.toNearestOrEven))
  }
}

/// A column's tap, in the form that the loop over columns needs.
private struct BilinearColumn {
  /// The offsets of its two pixels in a row. At an edge both are the edge pixel.
  var firstOffset: Int
  var secondOffset: Int

  /// A weight for each sample of a pixel and one of padding.
  var firstWeights: SIMD4<Int16>
  var secondWeights: SIMD4<Int16>

  init(target: Int, of targetCount: Int, source sourceCount: Int) {
    let tap = BilinearTap(target: target, of: targetCount, source: sourceCount)
    let isInside = tap.first >= 0 && tap.first < sourceCount - 1
    firstOffset = 3 * min(max(tap.first, 0), sourceCount - 1)
    secondOffset = isInside ? firstOffset + 3 : firstOffset
    firstWeights = SIMD4(repeating: isInside ? tap.firstWeight : 2048)
    secondWeights = SIMD4(repeating: isInside ? tap.secondWeight : 0)
  }
}

/// One row of the source at the new width.
private struct StretchedRow {
  /// The source row held, −1 before the first.
  var row = -1

  /// 3 × width samples, in 128ths, and one of padding.
  var samples: [Int16]

  init(width: Int) { samples = [Int16](repeating: 0, count: 3 * width + 1) }

  mutating func stretch(_ newRow: Int, of image: RGBImage, _ columns: [BilinearColumn]) {
    if row == newRow { return }
    row = newRow
    let start = 3 * newRow * image.width
    let end = start + 3 * image.width
    if end < image.pixels.count {
      image.pixels[start...end].withUnsafeBytes { stretch($0, columns) }
    } else {
      (image.pixels[start...] + [0]).withUnsafeBytes { stretch($0, columns) }
    }
  }

  /// Pixels are read and written as four samples: the last one read is ignored, and the last one
  /// written is overwritten by the next pixel. So `row` has one byte more than its pixels.
  private mutating func stretch(_ row: UnsafeRawBufferPointer, _ columns: [BilinearColumn]) {
    samples.withUnsafeMutableBytes { samples in
      guard let row = row.baseAddress, var target = samples.baseAddress else { return }
      for column in columns {
        let first = row.loadUnaligned(fromByteOffset: column.firstOffset, as: SIMD4<UInt8>.self)
        let second = row.loadUnaligned(fromByteOffset: column.secondOffset, as: SIMD4<UInt8>.self)
        let sum =
          SIMD4<Int32>(truncatingIfNeeded: first)
          &* SIMD4(truncatingIfNeeded: column.firstWeights)
          &+ SIMD4(truncatingIfNeeded: second) &* SIMD4(truncatingIfNeeded: column.secondWeights)
        target.storeBytes(of: SIMD4(truncatingIfNeeded: sum &>> 4), as: SIMD4<Int16>.self)
        target += 3 * MemoryLayout<Int16>.stride
      }
    }
  }
}

/// Mixes one row of the result from the source rows above and below it.
private func mix(
  _ upper: StretchedRow, _ lower: StretchedRow, _ tap: BilinearTap,
  into row: UnsafeMutableBufferPointer<UInt8>
) {
  let upper = upper.samples.span
  let lower = lower.samples.span
  let count = row.count
  precondition(upper.count > count && lower.count > count)
  for index in 0..<count {
    let first = (Int32(upper[index]) * Int32(tap.firstWeight)) >> 16
    let second = (Int32(lower[index]) * Int32(tap.secondWeight)) >> 16
    row[index] = UInt8(truncatingIfNeeded: (first + second + 2) >> 2)
  }
}
