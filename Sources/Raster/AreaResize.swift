extension RGBImage {
  /// The mean of the source area under each new pixel, first along the rows, then down the
  /// columns. Neither side may grow.
  func resizedByArea(width newWidth: Int, height newHeight: Int) -> RGBImage {
    let columns = (0..<newWidth).map { AreaTap(target: $0, of: newWidth, source: width) }
    var narrowed = [Float](repeating: 0, count: 3 * newWidth)
    var narrowedRow = -1
    var sums = narrowed
    var result: [UInt8] = []
    result.reserveCapacity(3 * newWidth * newHeight)
    for y in 0..<newHeight {
      let tap = AreaTap(target: y, of: newHeight, source: height)
      for row in tap.range {
        if row != narrowedRow { narrow(row, columns, into: &narrowed) }
        narrowedRow = row
        add(narrowed, times: tap.weight(of: row), to: &sums, isFirst: row == tap.range.lowerBound)
      }
      // Never above 255.5, but for the rounding of the weights.
      result += sums.lazy.map { UInt8(min($0 + 0.5, 255)) }
    }
    return RGBImage(width: newWidth, height: newHeight, rows: result)
  }

  private func narrow(_ row: Int, _ columns: [AreaTap], into narrowed: inout [Float]) {
    for (x, tap) in columns.enumerated() {
      var sum = SIMD3<Float>()
      for column in tap.range {
        let offset = 3 * (row * width + column)
        let pixel = SIMD3(pixels[offset], pixels[offset + 1], pixels[offset + 2])
        sum += tap.weight(of: column) * SIMD3<Float>(pixel)
      }
      narrowed[3 * x] = sum.x
      narrowed[3 * x + 1] = sum.y
      narrowed[3 * x + 2] = sum.z
    }
  }
}

/// sums = weight × row, or sums += weight × row.
private func add(_ row: [Float], times weight: Float, to sums: inout [Float], isFirst: Bool) {
  let row = row.span
  var sums = sums.mutableSpan
  let count = sums.count
  precondition(row.count == count)
  for index in 0..<count {
    sums[index] = weight * row[index] + (isFirst ? 0 : sums[index])
  }
}

/// The source pixels under a new pixel on one axis, and their weights, of sum 1: only the two at
/// the ends may be covered in part.
private struct AreaTap {
  var range: Range<Int>
  var firstWeight: Float
  var innerWeight: Float
  var lastWeight: Float

  init(target: Int, of targetCount: Int, source sourceCount: Int) {
    // In units of 1 / targetCount of a source pixel all edges are whole numbers.
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
}
