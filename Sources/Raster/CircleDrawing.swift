import Geometry

/// Each pixel is blended by the share of it that is covered, a good approximation for a radius
/// above one pixel. Nothing is drawn if a number is NaN, or if the radius or line width is not
/// above 0.
extension RGBImage {
  /// Draws the circle around `center`: a line of `lineWidth`, half of it inside.
  public mutating func strokeCircle(
    center: Point, radius: Double, lineWidth: Double, color: Color
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
    center: Point, radius: Double, color: Color, opacity: Double = 1
  ) {
    guard radius > 0 else { return }
    blendByDistance(from: center, color) { distance in
      min(distance - radius + 0.5, 1) * opacity
    }
  }

  /// Mixes a colour into every pixel by the distance of its centre from a point.
  private mutating func blendByDistance(
    from point: Point, _ color: Color, coverage: (_ distance: Double) -> Double
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
