// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

/// Tells with which pictures of a film a new scene begins.
///
/// That is where the pattern of light and shade differs from that of the picture before, by much more than it lately
/// did from picture to picture, and where the colours of what has changed are other ones. A flash keeps the pattern, and
/// a pan or a face that moves the colours. Pictures of nearly one colour, as between two scenes, are passed over.
///
/// It is cautious: a cut that is overlooked hides too much, and one that is imagined too little.
public struct CutDetector: Sendable {
  private var last: Impression?
  /// The mean of the last differences of the pattern.
  private var usualDifference = 0.0

  /// The least correlation of the patterns of one scene, and the least share of the pixels that have changed whose
  /// colours recur elsewhere.
  private static let (leastCorrelation, leastShare) = (0.4, 0.8)

  /// A detector that has seen no picture.
  public init() {}

  /// Whether a scene begins with this picture, the next of the film.
  public mutating func isCut(before picture: RGBImage) -> Bool {
    let new = Impression(picture)
    guard !new.isFlat else { return false }
    defer { last = new }
    guard let last else { return false }
    let difference = 1 - new.correlation(with: last)
    if difference > max(1 - Self.leastCorrelation, 2 * usualDifference),
      new.recurringShare(of: last) < Self.leastShare
    {
      usualDifference = 0
      return true
    }
    usualDifference = (3 * usualDifference + difference) / 4
    return false
  }
}

/// What is seen of a picture from afar.
private struct Impression: Sendable {
  private static let (side, samples) = (16, 64)
  private static let leastDeviation = 3.0

  /// The brightness of 16 × 16 cells, less the mean.
  private var pattern = [Double](repeating: 0, count: side * side)
  /// The colour of each sample, one of 4 × 4 × 4.
  private var colors: [UInt8] = []

  init(_ picture: RGBImage) {
    let (side, samples) = (Self.side, Self.samples)
    colors.reserveCapacity(samples * samples)
    var sums = [Int](repeating: 0, count: side * side)
    picture.pixels.withUnsafeBufferPointer { pixels in
      for row in 0..<samples {
        let y = (2 * row + 1) * picture.height / (2 * samples)
        for column in 0..<samples {
          let x = (2 * column + 1) * picture.width / (2 * samples)
          let start = 3 * (y * picture.width + x)
          let (red, green, blue) = (
            Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2])
          )
          sums[row * side / samples * side + column * side / samples] += 2 * red + 5 * green + blue
          colors.append(UInt8(red / 64 * 16 + green / 64 * 4 + blue / 64))
        }
      }
    }
    // Sums of 4 × 4 samples of 8 times the brightness.
    let mean = Double(sums.reduce(0, +)) / Double(sums.count)
    pattern = sums.map { (Double($0) - mean) / 128 }
  }

  private func product(with other: Impression) -> Double {
    zip(pattern, other.pattern).reduce(0) { $0 + $1.0 * $1.1 }
  }

  var isFlat: Bool {
    product(with: self) < Self.leastDeviation * Self.leastDeviation * Double(pattern.count)
  }

  /// The correlation of two patterns that are not flat, from −1 to 1.
  func correlation(with other: Impression) -> Double {
    product(with: other) / (product(with: self) * other.product(with: other)).squareRoot()
  }

  /// Of the samples whose colours have changed, the share whose colours are found where others have changed; 1
  /// where none has.
  func recurringShare(of other: Impression) -> Double {
    var excess = [Int](repeating: 0, count: 64)
    var changed = 0
    for (new, old) in zip(colors, other.colors) where new != old {
      changed += 1
      excess[Int(new)] += 1
      excess[Int(old)] -= 1
    }
    let gone = excess.reduce(0) { $0 + max(0, $1) }
    return changed == 0 ? 1 : 1 - Double(gone) / Double(changed)
  }
}
