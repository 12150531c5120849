import FaceDecoding

/// A range of face sizes: square roots of the boxes' areas.
public struct SizeRange: Hashable, Sendable {
  /// The least size, in pixels.
  public var lowerBound: Double
  /// The upper bound, excluded, in pixels.
  public var upperBound: Double

  /// The sizes from `lowerBound` up to but not including `upperBound`.
  public init(from lowerBound: Double, to upperBound: Double) {
    self.lowerBound = lowerBound
    self.upperBound = upperBound
  }

  /// Every size.
  public static let all = SizeRange(from: 0, to: .infinity)

  /// Under 16 pixels, from 16 to 32, from 32 to 96, and from 96.
  public static let classes = [
    SizeRange(from: 0, to: 16), SizeRange(from: 16, to: 32), SizeRange(from: 32, to: 96),
    SizeRange(from: 96, to: .infinity),
  ]

  /// Whether a box's size is in the range.
  public func contains(_ box: Rectangle) -> Bool {
    let size = box.area.squareRoot()
    return size >= lowerBound && size < upperBound
  }
}
