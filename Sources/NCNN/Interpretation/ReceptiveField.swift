// SPDX-License-Identifier: Apache-2.0

/// Which pixels of the input a blob's cells see.
///
/// A cell is one position of rows and columns, with all its channels. Where several paths lead to
/// it, its field is the smallest rectangle around everything that it sees along any of them.
/// Without upsampling this is <https://distill.pub/2019/computing-receptive-fields/>.
public enum ReceptiveField: Hashable, Sendable {
  /// A window of rows and columns for each cell. `isInPlace` is false where a layer such as Reshape
  /// has moved the elements: each still sees the window of the cell that it came from.
  case windows(rows: PixelWindows, columns: PixelWindows, isInPlace: Bool)
  /// Up to the whole input, as after global pooling or a fully connected layer.
  case wholeInput
  /// No pixel: the blob is stored in the weights, or made from such blobs.
  case nothing
  /// Unknown, for this reason.
  case unknown(String)
}

/// The pixels that each cell of a blob sees, along one axis.
///
/// With a kernel of k, a stride of s and a border of p, windows of `size` pixels that begin at
/// `start` and are `jump` pixels apart become windows of
///
///     size + (k − 1) · jump,  from  start − p · jump,  jump · s pixels apart.
///
/// After upsampling that is not enough: in a 3 × 3 convolution of doubled pixels, even and odd
/// cells see different pairs. So the windows are a repeating pattern, of one cell where nothing is
/// upsampled, and they are exact.
public struct PixelWindows: Hashable, Sendable {
  /// The windows of the first cells; the pattern repeats `advance` pixels further on.
  let pattern: [ClosedRange<Int64>]
  let advance: Int64

  /// Each cell is a pixel.
  static let pixels = PixelWindows(pattern: [0...0], advance: 1)

  /// The first and the last pixel that a cell sees; beyond the picture where it sees a border.
  public subscript(cell: Int) -> ClosedRange<Int> {
    let window = window(of: cell)
    return Int(clamping: window.lowerBound)...Int(clamping: window.upperBound)
  }

  /// The same in 64 bits, even where `Int` has 32.
  private func window(of cell: Int) -> ClosedRange<Int64> {
    let round = floorQuotient(cell, pattern.count)
    let window = pattern[cell - round * pattern.count]
    let start = Int64(round) * advance
    return window.lowerBound + start...window.upperBound + start
  }

  /// The pixels of the largest window, border included.
  public var size: Int {
    Int(clamping: pattern.reduce(0) { max($0, $1.upperBound - $1.lowerBound + 1) })
  }

  /// Pixels from one cell to the next, also called the stride; the mean where that varies.
  public var jump: Double { Double(advance) / Double(pattern.count) }

  /// The first pixel that cell 0 sees, negative where that is part of the border.
  public var start: Int { Int(clamping: pattern[0].lowerBound) }

  /// How cells of a layer's output read cells of its input along one axis.
  package struct Reading {
    /// Cells of the output after which the pattern of reading repeats.
    var cells = 1
    /// Cells of the input from one repetition to the next.
    var step = 1
    /// The first and the last cell that a cell of the output reads; neither decreases from one
    /// output cell to the next.
    var run: (Int) -> ClosedRange<Int>
  }

  /// The farthest cell from the first; times the largest advance, it is far from an overflow.
  private static let farthestCell: UInt = 1 << 31

  /// The longest pattern.
  static let maximumCount = 1 << 10

  /// Nil unless the windows are small enough that no arithmetic with them can overflow.
  private static func checked(_ pattern: [ClosedRange<Int64>], advance: Int64) -> PixelWindows? {
    let farthest: Int64 = 1 << 40
    return advance <= 1 << 28
      && pattern.allSatisfy { $0.lowerBound >= -farthest && $0.upperBound <= farthest }
      ? PixelWindows(pattern: pattern, advance: advance) : nil
  }

  /// What the cells of a layer's output see; nil where the numbers become too large.
  func reading(_ reading: Reading) -> PixelWindows? {
    let rounds = pattern.count / greatestCommonDivisor(pattern.count, reading.step)
    guard Int64(rounds) * Int64(reading.cells) <= Self.maximumCount else { return nil }
    var windows: [ClosedRange<Int64>] = []
    for cell in 0..<rounds * reading.cells {
      let run = reading.run(cell)
      guard run.lowerBound.magnitude <= Self.farthestCell,
        run.upperBound.magnitude <= Self.farthestCell
      else { return nil }
      windows.append(window(of: run.lowerBound).lowerBound...window(of: run.upperBound).upperBound)
    }
    return .checked(
      windows, advance: Int64(rounds) * Int64(reading.step) / Int64(pattern.count) * advance)
  }

  /// The windows of cells that each read two at the same place, one of these and one of `other`; nil
  /// where the two drift apart or the pattern becomes too long.
  func joined(with other: PixelWindows) -> PixelWindows? {
    if self == other { return self }
    let count =
      pattern.count / greatestCommonDivisor(pattern.count, other.pattern.count)
      * other.pattern.count
    let advance = Int64(count / pattern.count) * self.advance
    guard count <= Self.maximumCount, advance == Int64(count / other.pattern.count) * other.advance
    else { return nil }
    let windows = (0..<count).map { cell in
      let (one, two) = (window(of: cell), other.window(of: cell))
      return min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    }
    return .checked(windows, advance: advance)
  }
}

extension PixelWindows.Reading {
  /// Each cell reads the one `offset` further on.
  static func shifted(by offset: Int) -> Self { Self { $0 + offset...$0 + offset } }

  /// Each cell reads a window, as convolutions do.
  static func window(of size: Int, stride: Int, borderBefore border: Int) -> Self {
    Self(step: stride) { $0 * stride - border...$0 * stride - border + size - 1 }
  }
}

/// a / b, rounded down; b is positive.
func floorQuotient(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((b - 1 - a) / b) }

/// The greatest common divisor of two numbers, neither negative and not both 0.
func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
