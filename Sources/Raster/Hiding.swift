// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// How a part of a picture is made unrecognisable.
public struct Hiding: Sendable, Hashable {
  /// What becomes of the pixels.
  public enum Style: String, CaseIterable, Sendable {
    /// Smooth colours, interpolated between six means across the longer side, or fewer, so that each is of at
    /// least two pixels.
    case blur
    /// Squares of the mean colour, six across the longer side, or fewer, so that each is of at least two
    /// pixels.
    case pixelate
    /// Black.
    case solid
  }

  /// Which pixels of a rectangle are hidden.
  public enum Shape: String, CaseIterable, Sendable {
    /// All.
    case box
    /// Those inside the ellipse that touches its sides.
    case ellipse
  }

  /// What becomes of the pixels.
  public var style: Style
  /// Which pixels of a rectangle are hidden.
  public var shape: Shape

  /// Makes a way of hiding; by default a blurred ellipse.
  public init(style: Style = .blur, shape: Shape = .ellipse) {
    (self.style, self.shape) = (style, shape)
  }

  /// How many colours are left across the longer side of a face. Six show that there is a face, and no more.
  static let cells = 6.0
}

extension RGBImage {
  /// Hides the part of the picture inside a rectangle. No pixel outside it changes, and what is left of
  /// the part comes from the means of its pixels alone, so that no sharpening brings it back.
  ///
  /// - Parameters:
  ///   - region: in pixels; pixels partly inside a box count as inside. Nothing is hidden where it is
  ///     degenerate or outside the picture.
  ///   - hiding: what becomes of the pixels, and which of them.
  public mutating func hide(_ region: Box, by hiding: Hiding = Hiding()) {
    let seen = region.clipped(to: size)
    guard !region.isDegenerate, !seen.isDegenerate else { return }
    let (left, top) = (Int(seen.minX.rounded(.down)), Int(seen.minY.rounded(.down)))
    let columns = min(Int(seen.maxX.rounded(.up)), width) - left
    let rows = min(Int(seen.maxY.rounded(.up)), height) - top
    guard columns > 0, rows > 0,
      let cover = try? cover(
        x: left, y: top, width: columns, height: rows, of: region, by: hiding.style)
    else { return }
    for row in 0..<rows {
      for column in 0..<columns where hiding.hides(column + left, row + top, of: region) {
        self[left + column, top + row] = cover[column, row]
      }
    }
  }

  private func cover(
    x: Int, y: Int, width: Int, height: Int, of region: Box, by style: Hiding.Style
  ) throws(ValueError) -> RGBImage {
    guard style != .solid else { return RGBImage(width: width, height: height, fill: .black) }
    // Cells are as large as for the whole region, even where a part of it is outside the picture.
    let side = max(Double(max(width, height)), region.longerSide)
    func cells(_ length: Int) -> Int {
      max(1, min(Int(Hiding.cells * Double(length) / side), length / 2))
    }
    let (columns, rows) = (cells(width), cells(height))
    let means = try cropped(x: x, y: y, width: width, height: height)
      .resized(width: columns, height: rows, filter: .area)
    if style == .blur { return try means.resized(width: width, height: height, filter: .bilinear) }
    var result = RGBImage(width: width, height: height)
    for row in 0..<height {
      for column in 0..<width {
        result[column, row] = means[column * columns / width, row * rows / height]
      }
    }
    return result
  }
}

extension Hiding {
  /// Whether a pixel of a region's bounds is hidden.
  fileprivate func hides(_ x: Int, _ y: Int, of region: Box) -> Bool {
    guard shape == .ellipse else { return true }
    let across = (Double(x) + 0.5 - region.center.x) / (region.width / 2)
    let down = (Double(y) + 0.5 - region.center.y) / (region.height / 2)
    return across * across + down * down <= 1
  }
}
