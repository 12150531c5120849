// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// Which part of a picture to cut out for a face: its box with a margin, on whole pixels.
public struct FaceCrop: Hashable, Sendable {
  /// What is added on each side, as a fraction of the box's width or height; negative to cut into
  /// the box.
  public var margin: Double
  /// Whether the box is first widened about its centre to a square of its longer side.
  public var isSquare: Bool
  /// Whether the part ends at the picture's edges, where a square may lose its shape, or extends
  /// beyond them, to be padded.
  public var isClipped: Bool

  /// Makes a crop; by default the part of the box that is inside the picture.
  public init(margin: Double = 0, isSquare: Bool = false, isClipped: Bool = true) {
    (self.margin, self.isSquare, self.isClipped) = (margin, isSquare, isClipped)
  }

  /// The part to cut out around a box, its edges on whole pixels.
  ///
  /// Sides are rounded to the nearest whole number, at least 1, before the position is, so that
  /// boxes of one size give parts of one size wherever they are.
  ///
  /// - Returns: nil where the box is degenerate, the margin leaves nothing of it, or nothing of it
  ///   is inside the picture that it would be clipped to.
  public func rectangle(around box: Box, in size: Size2D) -> Box? {
    guard !box.isDegenerate else { return nil }
    let longer = box.longerSide
    let width = (isSquare ? longer : box.width) * (1 + 2 * margin)
    let height = (isSquare ? longer : box.height) * (1 + 2 * margin)
    guard width > 0, height > 0, (width * height).isFinite else { return nil }
    let (columns, rows) = (max(1, width.rounded()), max(1, height.rounded()))
    let center = box.center
    let rectangle = Box(
      x: (center.x - columns / 2).rounded(), y: (center.y - rows / 2).rounded(), width: columns,
      height: rows)
    if !isClipped { return rectangle }
    let clipped = rectangle.clipped(to: size)
    return clipped.isDegenerate ? nil : clipped
  }
}
