/// How a picture fills a view whose proportions differ from its own.
public enum Gravity: Sendable, Hashable, CaseIterable {
  /// Stretched to the view's size; proportions change.
  case resize
  /// As large as fits, centred; the view shows bars on two sides.
  case aspectFit
  /// As small as covers the view, centred; the view cuts off two sides of the picture.
  case aspectFill

  /// From a picture's pixels to a view's.
  ///
  ///     picture 400 × 300 in a view of 300 × 600
  ///     resize      scale 0.75 and 2   offset (0, 0)
  ///     aspectFit   scale 0.75         offset (0, (600 − 300 · 0.75) / 2) = (0, 187.5)
  ///     aspectFill  scale 2            offset ((300 − 400 · 2) / 2, 0) = (−250, 0)
  func transform(of picture: Size, in view: Size) -> AffineTransform {
    let horizontal = view.width / picture.width
    let vertical = view.height / picture.height
    let scale =
      switch self {
      case .resize: Size(width: horizontal, height: vertical)
      case .aspectFit:
        Size(width: min(horizontal, vertical), height: min(horizontal, vertical))
      case .aspectFill:
        Size(width: max(horizontal, vertical), height: max(horizontal, vertical))
      }
    return AffineTransform(
      xx: scale.width, xy: 0, x0: (view.width - picture.width * scale.width) / 2,
      yx: 0, yy: scale.height, y0: (view.height - picture.height * scale.height) / 2)
  }
}
