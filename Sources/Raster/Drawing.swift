// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// Shapes are blended by the share of each pixel that they cover, and clipped to the image.
/// Coordinates beyond ±10⁶ are clamped. A shape is not drawn if one of its numbers is NaN, or if
/// its extent or line width is not above 0.
extension RGBImage {
  /// Copies `image` to column `x` and row `y`, the position of its top left pixel, clipped to this
  /// one.
  public mutating func draw(_ image: RGBImage, atX x: Int, y: Int) {
    let x = min(max(x, -image.width), width)
    let y = min(max(y, -image.height), height)
    let columns = max(x, 0)..<max(min(x + image.width, width), max(x, 0))
    for row in max(y, 0)..<max(min(y + image.height, height), max(y, 0)) {
      let target = 3 * row * width
      let source = 3 * ((row - y) * image.width - x)
      pixels.replaceSubrange(
        target + 3 * columns.lowerBound..<target + 3 * columns.upperBound,
        with: image.pixels[
          source + 3 * columns.lowerBound..<source + 3 * columns.upperBound])
    }
  }

  /// Fills a rectangle, with an opacity from 0, invisible, to 1.
  public mutating func fillRectangle(_ rectangle: Box, color: RGBColor, opacity: Double = 1) {
    guard let area = Area(rectangle, outset: 0) else { return }
    for row in clipped(area.y0, area.y1, height) {
      for column in clipped(area.x0, area.x1, width) {
        blend(column, row, color, area.coverage(column, row) * opacity)
      }
    }
  }

  /// Draws the outline of a rectangle: a line of `lineWidth`, half of it inside the edges. A width
  /// or height of 0 is allowed.
  public mutating func strokeRectangle(_ rectangle: Box, lineWidth: Double, color: RGBColor) {
    let half = lineWidth / 2
    guard lineWidth > 0, rectangle.width >= 0, rectangle.height >= 0,
      let outer = Area(rectangle, outset: half)
    else { return }
    let hole = Area(rectangle, outset: -half)
    for row in clipped(outer.y0, outer.y1, height) {
      let columns = clipped(outer.x0, outer.x1, width)
      // Pixels wholly inside the hole need no visit.
      var skipped = columns.upperBound..<columns.upperBound
      if let hole, hole.coverageOfRow(row) == 1 {
        let inner = clipped(hole.x0.rounded(.up), hole.x1.rounded(.down), width)
        if !inner.isEmpty { skipped = inner }
      }
      for column in columns where !skipped.contains(column) {
        let covered = outer.coverage(column, row) - (hole?.coverage(column, row) ?? 0)
        blend(column, row, color, covered)
      }
    }
  }

  /// Fills the disc around `center`.
  public mutating func fillDisc(center: Point2D, radius: Double, color: RGBColor) {
    drawLine(from: center, to: center, lineWidth: 2 * radius, color: color)
  }

  /// Draws the line between two points, with round ends.
  public mutating func drawLine(
    from start: Point2D, to end: Point2D, lineWidth: Double, color: RGBColor
  ) {
    let radius = min(lineWidth / 2, farthest)
    guard radius > 0, ![start.x, start.y, end.x, end.y].contains(where: { $0.isNaN }) else {
      return
    }
    let line = Segment(
      x0: clampedToFarthest(start.x), y0: clampedToFarthest(start.y),
      x1: clampedToFarthest(end.x), y1: clampedToFarthest(end.y))
    let reach = radius + 1
    for row in clipped(min(line.y0, line.y1) - reach, max(line.y0, line.y1) + reach, height) {
      let (left, right) = line.extent(fromY: Double(row) - reach, toY: Double(row) + 1 + reach)
      for column in clipped(left - reach, right + reach, width) {
        let distance = line.distance(x: Double(column) + 0.5, y: Double(row) + 0.5)
        // Exact where the edge runs along pixels, approximate elsewhere.
        let covered = min(radius, distance + 0.5) - max(-radius, distance - 0.5)
        blend(column, row, color, covered)
      }
    }
  }

  /// Mixes a colour into the pixel at column `x` and row `y`, which is inside the image.
  mutating func blend(_ x: Int, _ y: Int, _ color: RGBColor, _ coverage: Double) {
    guard coverage > 0 else { return }
    let alpha = UInt8((min(coverage, 1) * 255).rounded())
    let offset = 3 * (y * width + x)
    pixels[offset] = pixels[offset].blended(with: color.red, alpha: alpha)
    pixels[offset + 1] = pixels[offset + 1].blended(with: color.green, alpha: alpha)
    pixels[offset + 2] = pixels[offset + 2].blended(with: color.blue, alpha: alpha)
  }
}

private let farthest = 1e6

private func clampedToFarthest(_ value: Double) -> Double { min(max(value, -farthest), farthest) }

/// The pixels from 0 up to `count` that the interval touches, at most 10⁶ from the origin.
private func clipped(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
  let first = max(0, Int(clampedToFarthest(low).rounded(.down)))
  let end = min(count, Int(clampedToFarthest(high).rounded(.up)))
  return first..<max(first, end)
}

/// The edges of a rectangle that is not empty.
private struct Area {
  var x0, y0, x1, y1: Double

  /// Nil where nothing is left after moving each edge outwards by `outset`, or an edge is NaN.
  init?(_ rectangle: Box, outset: Double) {
    let (x0, y0) = (rectangle.minX - outset, rectangle.minY - outset)
    let (x1, y1) = (rectangle.maxX + outset, rectangle.maxY + outset)
    guard x0 < x1, y0 < y1 else { return nil }
    (self.x0, self.y0) = (clampedToFarthest(x0), clampedToFarthest(y0))
    (self.x1, self.y1) = (clampedToFarthest(x1), clampedToFarthest(y1))
  }

  func coverage(_ column: Int, _ row: Int) -> Double {
    Self.overlap(x0, x1, column) * coverageOfRow(row)
  }

  func coverageOfRow(_ row: Int) -> Double { Self.overlap(y0, y1, row) }

  private static func overlap(_ low: Double, _ high: Double, _ pixel: Int) -> Double {
    max(0, min(high, Double(pixel) + 1) - max(low, Double(pixel)))
  }
}

/// The straight line between two points, which may be the same.
private struct Segment {
  var x0, y0, x1, y1: Double

  /// The distance of a point from the nearest point of the segment.
  func distance(x: Double, y: Double) -> Double {
    let (alongX, alongY) = (x1 - x0, y1 - y0)
    let lengthSquared = alongX * alongX + alongY * alongY
    let projection = (x - x0) * alongX + (y - y0) * alongY
    let position = lengthSquared > 0 ? min(max(projection / lengthSquared, 0), 1) : 0
    let (offX, offY) = (x - x0 - position * alongX, y - y0 - position * alongY)
    return (offX * offX + offY * offY).squareRoot()
  }

  /// The leftmost and rightmost x of the part between two heights, at least one of which it
  /// reaches.
  func extent(fromY top: Double, toY bottom: Double) -> (left: Double, right: Double) {
    guard y0 != y1 else { return (min(x0, x1), max(x0, x1)) }
    func x(atY y: Double) -> Double { x0 + (x1 - x0) * min(max((y - y0) / (y1 - y0), 0), 1) }
    let (atTop, atBottom) = (x(atY: top), x(atY: bottom))
    return (min(atTop, atBottom), max(atTop, atBottom))
  }
}

extension UInt8 {
  /// `other` over this value: (other × alpha + self × (255 − alpha) + 127) / 255.
  @inline(__always)
  func blended(with other: UInt8, alpha: UInt8) -> UInt8 {
    let sum = UInt32(other) * UInt32(alpha) + UInt32(self) * UInt32(255 - alpha) + 127
    return UInt8(truncatingIfNeeded: sum / 255)
  }
}

/// Each pixel is blended by the share of it that is covered, a good approximation for a radius
/// above one pixel. Nothing is drawn if a number is NaN, or if the radius or line width is not
/// above 0.
extension RGBImage {
  /// Draws the circle around `center`: a line of `lineWidth`, half of it inside.
  public mutating func strokeCircle(
    center: Point2D, radius: Double, lineWidth: Double, color: RGBColor
  ) {
    guard radius > 0, lineWidth > 0 else { return }
    let half = lineWidth / 2
    blendByDistance(from: center, color) { distance in
      let fromLine = abs(distance - radius)
      return min(half, fromLine + 0.5) - max(-half, fromLine - 0.5)
    }
  }

  /// Fills the picture outside a disc around `center`, with an opacity from 0, invisible, to 1.
  public mutating func fillOutsideOfDisc(
    center: Point2D, radius: Double, color: RGBColor, opacity: Double = 1
  ) {
    guard radius > 0 else { return }
    blendByDistance(from: center, color) { min($0 - radius + 0.5, 1) * opacity }
  }

  /// Mixes a colour into every pixel by the distance of its centre from a point.
  private mutating func blendByDistance(
    from point: Point2D, _ color: RGBColor, coverage: (_ distance: Double) -> Double
  ) {
    if point.x.isNaN || point.y.isNaN { return }
    for row in 0..<height {
      let down = Double(row) + 0.5 - point.y
      for column in 0..<width {
        let right = Double(column) + 0.5 - point.x
        blend(column, row, color, coverage((right * right + down * down).squareRoot()))
      }
    }
  }
}
