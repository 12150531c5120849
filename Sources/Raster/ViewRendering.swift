import Geometry

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
  /// - Throws: `RasterError.impossibleSize` where the view is too large for an image.
  public func rendered(
    in space: ViewSpace, background: Color = .black
  ) throws(RasterError) -> RGBImage {
    let stored = space.imageSize
    let view = space.written(in: .pixels)
    let seen = view.map(Rectangle(x: 0, y: 0, width: stored.width, height: stored.height))
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
      return Point(x: place.x * scaleX, y: place.y * scaleY)
    }
  }
}

/// The side to which a picture is shrunk before a view samples it: its own side, or the one in the
/// view if that is less than half, so that no pixel is skipped.
private func shrunk(_ side: Int, to seen: Double) -> Int {
  2 * seen < Double(side) ? max(1, Int(seen.rounded())) : side
}
