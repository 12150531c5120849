// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// How `RGBImage.resized` computes a new pixel.
public enum ResizeFilter: String, CaseIterable, Codable, Sendable {
  /// Interpolates between the 2 × 2 nearest pixel centres, even when shrinking (no antialiasing),
  /// in the fixed-point arithmetic of OpenCV's `INTER_LINEAR`, with bit-identical results.
  case bilinear
  /// Averages the area that the new pixel covers, like OpenCV's `INTER_AREA`; bilinear where a side
  /// grows.
  case area
  /// `bilinear`, but `area` where a side shrinks to less than half, since bilinear would skip
  /// pixels.
  case automatic
}

extension RGBImage {
  /// The picture scaled to a new size, each axis by its own factor. Edges map to edges: column x of
  /// the new picture is taken at (x + 0.5) × old / new − 0.5 of this one, clamped.
  ///
  /// - Throws: `ValueError` if the new size is not that of an image.
  public func resized(
    width newWidth: Int, height newHeight: Int, filter: ResizeFilter = .bilinear
  ) throws(ValueError) -> RGBImage {
    _ = try Self.byteCount(width: newWidth, height: newHeight)
    if newWidth == width, newHeight == height { return self }
    // New centres are midway between four pixels, which both filters average.
    if 2 * newWidth == width, 2 * newHeight == height { return halved() }
    let skipsPixels = 2 * newWidth < width || 2 * newHeight < height
    let averages = filter == .area || filter == .automatic && skipsPixels
    if averages, newWidth <= width, newHeight <= height {
      return resizedByArea(width: newWidth, height: newHeight)
    }
    return resizedBilinearly(width: newWidth, height: newHeight)
  }
}

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
      let right = start.loadUnaligned(fromByteOffset: 2 * pixel * x + pixel, as: SIMD4<UInt16>.self)
      let mean = SIMD4<UInt8>(truncatingIfNeeded: (left &+ right &+ 2) &>> 2)
      target.storeBytes(of: mean, toByteOffset: 3 * x, as: SIMD4<UInt8>.self)
    }
  }
}

extension RGBImage {
  /// The mean of the source area under each new pixel, first down the columns, then along the rows.
  /// Neither side may grow.
  func resizedByArea(width newWidth: Int, height newHeight: Int) -> RGBImage {
    let columns = (0..<newWidth).map { AreaTap(target: $0, of: newWidth, source: width) }
    // A sample of padding lets a pixel be read as four samples.
    var sums = [Float](repeating: 0, count: 3 * width + 1)
    let means = [UInt8](unsafeUninitializedCapacity: 3 * newWidth * newHeight) { means, count in
      for y in 0..<newHeight {
        let tap = AreaTap(target: y, of: newHeight, source: height)
        for row in tap.range {
          add(row, times: tap.weight(of: row), to: &sums, isFirst: row == tap.range.lowerBound)
        }
        for column in columns {
          let mean = column.mean(of: sums)
          // Never above 255.5, except by the rounding of the weights.
          for channel in 0..<3 { means[count + channel] = UInt8(min(mean[channel], 255.5)) }
          count += 3
        }
      }
    }
    return RGBImage(width: newWidth, height: newHeight, rows: means)
  }

  /// sums = weight × row, or sums += weight × row.
  private func add(_ row: Int, times weight: Float, to sums: inout [Float], isFirst: Bool) {
    let count = 3 * width
    let row = pixels.span.extracting(row * count..<(row + 1) * count)
    var sums = sums.mutableSpan
    precondition(row.count == count && sums.count > count)
    if isFirst {
      for index in 0..<count { sums[index] = weight * Float(row[index]) }
    } else {
      for index in 0..<count { sums[index] += weight * Float(row[index]) }
    }
  }
}

/// The source pixels under a new pixel on one axis, and their weights, which sum to 1: only the two
/// at the ends may be partly covered.
private struct AreaTap {
  var range: Range<Int>
  var firstWeight, innerWeight, lastWeight: Float

  init(target: Int, of targetCount: Int, source sourceCount: Int) {
    // In units of 1 / targetCount of a source pixel, all edges are whole numbers.
    let start = target * sourceCount
    let end = start + sourceCount
    range = start / targetCount..<(end + targetCount - 1) / targetCount
    let first = min(end, (range.lowerBound + 1) * targetCount) - start
    let last = end - max(start, (range.upperBound - 1) * targetCount)
    firstWeight = Float(first) / Float(sourceCount)
    innerWeight = Float(targetCount) / Float(sourceCount)
    lastWeight = Float(last) / Float(sourceCount)
  }

  func weight(of index: Int) -> Float {
    if index == range.lowerBound { return firstWeight }
    return index == range.upperBound - 1 ? lastWeight : innerWeight
  }

  /// The mean of the pixels of a row, and a half.
  func mean(of row: [Float]) -> SIMD4<Float> {
    var sum = SIMD4<Float>(repeating: 0.5)
    row.withUnsafeBytes { row in
      for index in range {
        let offset = 3 * index * MemoryLayout<Float>.stride
        sum += weight(of: index) * row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      }
    }
    return sum
  }
}

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
  var firstWeight, secondWeight: Int16

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
  var firstOffset, secondOffset: Int
  /// A weight for each sample of a pixel and one of padding.
  var firstWeights, secondWeights: SIMD4<Int16>

  init(target: Int, of targetCount: Int, source sourceCount: Int) {
    let tap = BilinearTap(target: target, of: targetCount, source: sourceCount)
    let isInside = tap.first >= 0 && tap.first < sourceCount - 1
    firstOffset = 3 * min(max(tap.first, 0), sourceCount - 1)
    secondOffset = isInside ? firstOffset + 3 : firstOffset
    firstWeights = SIMD4(repeating: isInside ? tap.firstWeight : 2048)
    secondWeights = SIMD4(repeating: isInside ? tap.secondWeight : 0)
  }
}

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
