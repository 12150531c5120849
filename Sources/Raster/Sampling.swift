// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

extension RGBImage {
  /// A picture that samples this one: a function gives each new pixel's position here, to turn,
  /// warp or place the picture.
  ///
  /// Between the centres of this picture's pixels colours are interpolated bilinearly; the
  /// outermost half pixel repeats the edge. There is no antialiasing: shrink first where
  /// neighbouring pixels of the new picture are more than two pixels apart in this one.
  ///
  /// - Parameters:
  ///   - newWidth: the new picture's width, in pixels.
  ///   - newHeight: the new picture's height, in pixels.
  ///   - background: the colour of pixels whose position is outside this picture, or NaN.
  ///   - place: the position in this picture of a point of the new one; called with pixel centres.
  /// - Throws: `ValueError` if the new size is not that of an image.
  public func sampled(
    width newWidth: Int, height newHeight: Int, background: RGBColor = .black,
    at place: (Point2D) -> Point2D
  ) throws(ValueError) -> RGBImage {
    let byteCount = try Self.byteCount(width: newWidth, height: newHeight)
    var result: [UInt8] = []
    result.reserveCapacity(byteCount)
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        let found = place(Point2D(x: Double(column) + 0.5, y: Double(row) + 0.5))
        let isInside =
          found.x >= 0 && found.x <= Double(width) && found.y >= 0 && found.y <= Double(height)
        let color = isInside ? interpolated(at: found) : background
        result.append(color.red)
        result.append(color.green)
        result.append(color.blue)
      }
    }
    return RGBImage(width: newWidth, height: newHeight, rows: result)
  }

  /// The colour at a position inside the picture, between the four nearest pixel centres.
  private func interpolated(at place: Point2D) -> RGBColor {
    let (column, nextColumn, right) = neighbors(place.x, width)
    let (row, nextRow, below) = neighbors(place.y, height)
    let upper = mix(sample(column, row), sample(nextColumn, row), right)
    let lower = mix(sample(column, nextRow), sample(nextColumn, nextRow), right)
    // Means of bytes stay in their range except for rounding, which is far below half a step.
    let color = SIMD3<UInt8>(mix(upper, lower, below), rounding: .toNearestOrAwayFromZero)
    return RGBColor(red: color.x, green: color.y, blue: color.z)
  }

  private func sample(_ column: Int, _ row: Int) -> SIMD3<Double> {
    let offset = 3 * (row * width + column)
    return SIMD3(Double(pixels[offset]), Double(pixels[offset + 1]), Double(pixels[offset + 2]))
  }
}

/// The two pixels of an axis whose centres enclose a position, and how far it is past the first.
private func neighbors(_ position: Double, _ count: Int) -> (Int, Int, Double) {
  let fromFirstCenter = min(max(position - 0.5, 0), Double(count - 1))
  let first = Int(fromFirstCenter)
  return (first, min(first + 1, count - 1), fromFirstCenter - Double(first))
}

private func mix(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ share: Double) -> SIMD3<Double> {
  a + (b - a) * share
}

extension RGBImage {
  /// The picture as a view shows it: turned upright, mirrored if the space is, placed, and clipped
  /// to the view. `space.written(in: .pixels)` maps to the pixels of the result.
  ///
  /// One pixel is one point of the view, or one pixel of the upright picture where there is no
  /// view; a fractional side is rounded up. The coordinate system does not matter. This picture is
  /// stretched to `space.imageSize`, whatever its own resolution, so a thumbnail can stand in for a
  /// photo.
  ///
  /// - Parameters:
  ///   - space: how the picture is seen.
  ///   - background: the colour of the bars beside the picture.
  /// - Throws: `ValueError` where the view is too large for an image.
  public func rendered(
    in space: ViewSpace, background: RGBColor = .black
  ) throws(ValueError) -> RGBImage {
    let stored = space.imageSize
    let view = space.written(in: .pixels)
    let seen = view.map(Box(x: 0, y: 0, width: stored.width, height: stored.height))
    let swaps = space.orientation.swapsWidthAndHeight
    let source = try resized(
      width: shrunk(width, to: swaps ? seen.height : seen.width),
      height: shrunk(height, to: swaps ? seen.width : seen.height), filter: .area)
    let scaleX = Double(source.width) / stored.width
    let scaleY = Double(source.height) / stored.height
    return try source.sampled(
      width: Int(space.canvasSize.width.rounded(.up)),
      height: Int(space.canvasSize.height.rounded(.up)), background: background
    ) { point in
      let place = view.unmap(point)
      return Point2D(x: place.x * scaleX, y: place.y * scaleY)
    }
  }
}

/// The side to which a picture is shrunk before a view samples it: its own side, or the one in the
/// view if that is less than half, so that no pixel is skipped.
private func shrunk(_ side: Int, to seen: Double) -> Int {
  2 * seen < Double(side) ? max(1, Int(seen.rounded())) : side
}
