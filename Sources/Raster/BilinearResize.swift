extension RGBImage {
  /// Both axes one after the other: the source rows that matter are stretched to the new width,
  /// each once, and mixed two by two. Weights and roundings are OpenCV's
  /// (modules/imgproc/src/resize.cpp, the 8-bit linear case).
  func resizedBilinearly(width newWidth: Int, height newHeight: Int) -> RGBImage {
    let columns = BilinearColumns(target: newWidth, source: width)
    var neighbours = Neighbours(width: newWidth)
    var upper = StretchedRow(width: newWidth)
    var lower = upper
    var mixed = [UInt8](repeating: 0, count: 3 * newWidth)
    var result: [UInt8] = []
    result.reserveCapacity(3 * newWidth * newHeight)
    for y in 0..<newHeight {
      let tap = BilinearTap(target: y, of: newHeight, source: height)
      let first = min(max(tap.first, 0), height - 1)
      let second = min(max(tap.first + 1, 0), height - 1)
      if lower.row == first { swap(&upper, &lower) }
      upper.stretch(first, of: self, columns, &neighbours)
      lower.stretch(second, of: self, columns, &neighbours)
      mix(upper, lower, tap, into: &mixed)
      result += mixed
    }
    return RGBImage(width: newWidth, height: newHeight, rows: result)
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

/// The taps of all columns, spread out for loops over samples.
private struct BilinearColumns {
  /// Per column, the offset of its first pixel in a row.
  var offsets: [Int] = []

  /// Per sample, three times the same in each column.
  var firstWeights: [Int16] = []
  var secondWeights: [Int16] = []

  init(target targetCount: Int, source sourceCount: Int) {
    for column in 0..<targetCount {
      var tap = BilinearTap(target: column, of: targetCount, source: sourceCount)
      if tap.first < 0 || tap.first >= sourceCount - 1 {  // the edge pixel alone
        tap.first = min(max(tap.first, 0), sourceCount - 1)
        tap.firstWeight = 2048
        tap.secondWeight = 0
      }
      offsets.append(3 * tap.first)
      firstWeights += [tap.firstWeight, tap.firstWeight, tap.firstWeight]
      secondWeights += [tap.secondWeight, tap.secondWeight, tap.secondWeight]
    }
  }
}

/// The two source pixels of each column of one row, side by side in memory, so that the
/// arithmetic on them is a plain loop over samples.
private struct Neighbours {
  /// 3 × width samples, and one of padding.
  var first: [UInt8]
  var second: [UInt8]

  init(width: Int) {
    first = [UInt8](repeating: 0, count: 3 * width + 1)
    second = first
  }
}

/// Pixels are moved as four bytes, of which the last is overwritten by the next pixel, and read
/// two at a time as eight bytes, of which the last two are not used.
private func gather(
  row: Int, of image: RGBImage, _ columns: BilinearColumns, into first: inout [UInt8],
  _ second: inout [UInt8]
) {
  let start = 3 * row * image.width
  let padded = image.pixels[start..<start + 3 * image.width] + [0, 0, 0, 0, 0]
  let source = padded.span.bytes
  let offsets = columns.offsets.span
  var firstSpan = first.mutableSpan
  var firstBytes = firstSpan.mutableBytes
  var secondSpan = second.mutableSpan
  var secondBytes = secondSpan.mutableBytes
  for x in 0..<offsets.count {
    let pair = UInt64(
      littleEndian: source.unsafeLoadUnaligned(fromByteOffset: offsets[x], as: UInt64.self))
    let firstPixel = UInt32(truncatingIfNeeded: pair).littleEndian
    let secondPixel = UInt32(truncatingIfNeeded: pair &>> 24).littleEndian
    firstBytes.storeBytes(of: firstPixel, toByteOffset: 3 &* x, as: UInt32.self)
    secondBytes.storeBytes(of: secondPixel, toByteOffset: 3 &* x, as: UInt32.self)
  }
}

/// One row of the source at the new width.
private struct StretchedRow {
  /// The source row held, −1 before the first.
  var row = -1

  /// 3 × width, in 128ths.
  var samples: [Int16]

  init(width: Int) { samples = [Int16](repeating: 0, count: 3 * width) }

  mutating func stretch(
    _ newRow: Int, of image: RGBImage, _ columns: BilinearColumns, _ neighbours: inout Neighbours
  ) {
    if row == newRow { return }
    row = newRow
    gather(row: row, of: image, columns, into: &neighbours.first, &neighbours.second)
    let first = neighbours.first.span
    let second = neighbours.second.span
    let firstWeights = columns.firstWeights.span
    let secondWeights = columns.secondWeights.span
    var samples = samples.mutableSpan
    let count = samples.count
    precondition(first.count > count && second.count > count)
    precondition(firstWeights.count == count && secondWeights.count == count)
    for index in 0..<count {
      let sum =
        Int32(first[index]) * Int32(firstWeights[index])
        + Int32(second[index]) * Int32(secondWeights[index])
      samples[index] = Int16(truncatingIfNeeded: sum >> 4)
    }
  }
}

/// One row of the result from the two it lies between.
private func mix(
  _ upper: StretchedRow, _ lower: StretchedRow, _ tap: BilinearTap, into row: inout [UInt8]
) {
  let upper = upper.samples.span
  let lower = lower.samples.span
  var row = row.mutableSpan
  let count = row.count
  precondition(upper.count == count && lower.count == count)
  for index in 0..<count {
    let first = (Int32(upper[index]) * Int32(tap.firstWeight)) >> 16
    let second = (Int32(lower[index]) * Int32(tap.secondWeight)) >> 16
    row[index] = UInt8(truncatingIfNeeded: (first + second + 2) >> 2)
  }
}
