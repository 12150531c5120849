// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

/// When a picture seems to be made of dots: dithered, of one bit, or printed. Of 2,000 photos, 2 do, both textures.
private enum Screen {
  /// The side of the blocks that are compared, in pixels.
  static let block = 8
  /// How much neighbouring pixels differ at least, on average.
  static let leastStep = 12.0
  /// How many times as much pixels differ within blocks as the means of neighbouring blocks do. Photos have less.
  static let leastRatio = 2.0
  /// The most blocks that are looked at, evenly spaced rows of them.
  static let mostBlocks = 1 << 16
}

extension SearchEffort {
  /// Whether a picture made of dots is also looked at smoothed.
  var smooths: Bool { !isOnePass || closeLooks != .none }
}

extension RGBImage {
  /// Whether the picture seems to be made of dots, as by dithering or a printer's screen, in which the network finds no
  /// faces. `SearchEffort.checked` and closer ones also look at it smoothed.
  @_spi(Tool) public var isScreened: Bool {
    let side = Screen.block
    let (columns, rows) = (width / side, height / side)
    guard columns > 1, rows > 0 else { return false }
    var (steps, deviations, differences): (Double, Double, Double) = (0, 0, 0)
    var count = 0.0
    for row in stride(from: 0, to: rows, by: max(1, columns * rows / Screen.mostBlocks)) {
      var before: Double?
      for column in 0..<columns {
        let (mean, deviation, step) = block(column, row)
        steps += step
        deviations += deviation
        if let before { differences += abs(mean - before) }
        before = mean
        count += 1
      }
    }
    return steps > Screen.leastStep * count && deviations > Screen.leastRatio * differences
  }

  /// The mean of the greens of a block, their standard deviation, and the mean difference of neighbours.
  private func block(
    _ column: Int, _ row: Int
  ) -> (mean: Double, deviation: Double, step: Double) {
    let side = Screen.block
    var (sum, squares, steps) = (0, 0, 0)
    for y in row * side..<(row + 1) * side {
      let first = 3 * (y * width + column * side) + 1
      for offset in 0..<side {
        let value = Int(pixels[first + 3 * offset])
        sum += value
        squares += value * value
        if offset > 0 { steps += abs(value - Int(pixels[first + 3 * offset - 3])) }
        if y > row * side { steps += abs(value - Int(pixels[first + 3 * (offset - width)])) }
      }
    }
    let count = Double(side * side)
    let mean = Double(sum) / count
    let variance = max(0, Double(squares) / count - mean * mean)
    return (mean, variance.squareRoot(), Double(steps) / Double(2 * side * (side - 1)))
  }

  /// The picture without its dots: blurred by a Gaussian with a standard deviation of 2 pixels.
  func smoothed() -> RGBImage {
    let weights: [Float] = [
      0.1994711, 0.1760327, 0.1209854, 0.0647588, 0.0269955, 0.0087642, 0.0022182,
    ]
    let all = weights[0] + 2 * weights.dropFirst().reduce(0, +)
    let kernel = (-6...6).map { weights[abs($0)] / all }
    let count = 3 * width
    var result = pixels
    var padded = [Float](repeating: 0, count: count + 36)
    var blurred = [Float](repeating: 0, count: count)
    for y in 0..<height {
      // Down, into a row with its edge repeated at both ends; then across.
      for offset in 0..<count { padded[18 + offset] = 0 }
      for (index, weight) in kernel.enumerated() {
        let first = min(max(y + index - 6, 0), height - 1) * count
        for offset in 0..<count { padded[18 + offset] += weight * Float(pixels[first + offset]) }
      }
      for offset in 0..<18 {
        padded[offset] = padded[18 + offset % 3]
        padded[18 + count + offset] = padded[15 + count + offset % 3]
      }
      for offset in 0..<count { blurred[offset] = 0.5 }
      for (index, weight) in kernel.enumerated() {
        for offset in 0..<count { blurred[offset] += weight * padded[3 * index + offset] }
      }
      for offset in 0..<count { result[y * count + offset] = UInt8(blurred[offset]) }
    }
    return (try? RGBImage(width: width, height: height, pixels: result)) ?? self
  }
}
