extension RGBImage {
  /// The mean of the source area under each new pixel, first down the columns, then along the rows.
  /// Neither side may grow.
  func resizedByArea(width newWidth: Int, height newHeight: Int) -> RGBImage {
    let columns = (0..<newWidth).map { AreaTap(target: $0, of: newWidth, source: width) }
    // A sample of padding lets a pixel be read as four samples.
    var sums = [Float](repeating: 0, count: 3 * width + 1)
    var result: [UInt8] = []
    result.reserveCapacity(3 * newWidth * newHeight)
    for y in 0..<newHeight {
      let tap = AreaTap(target: y, of: newHeight, source: height)
      for row in tap.range {
        add(row, times: tap.weight(of: row), to: &sums, isFirst: row == tap.range.lowerBound)
      }
      for column in columns { column.appendMean(of: sums, to: &result) }
    }
    return RGBImage(width: newWidth, height: newHeight, rows: result)
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
  var firstWeight: Float
  var innerWeight: Float
  var lastWeight: Float

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

  /// Appends the mean of the pixels of a row.
  func appendMean(of row: [Float], to result: inout [UInt8]) {
    var sum = SIMD4<Float>(repeating: 0.5)
    row.withUnsafeBytes { row in
      for index in range {
        let offset = 3 * index * MemoryLayout<Float>.stride
        sum += weight(of: index) * row.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
      }
    }
    // Never above 255.5, except by the rounding of the weights.
    let mean = SIMD4<UInt8>(sum.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255.5)))
    result.append(mean.x)
    result.append(mean.y)
    result.append(mean.z)
  }
}
