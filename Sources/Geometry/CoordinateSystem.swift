/// How a position in a picture or a view is written as two numbers. The choice does not change what
/// is seen.
public enum CoordinateSystem: Sendable, Hashable, CaseIterable {
  /// Pixels, or a view's points, from the top left, y down: the canonical space, and UIKit's.
  case pixels
  /// Pixels, or a view's points, from the bottom left, y up: AppKit's and Core Image's.
  case pixelsFromBottomLeft
  /// Fractions of the width and the height from the top left, y down.
  case normalized
  /// Fractions of the width and the height from the bottom left, y up: what Apple's Vision returns.
  case normalizedFromBottomLeft

  /// From pixels of a canvas of this size to this system.
  func transform(of canvas: Size) -> AffineTransform {
    let flip = AffineTransform.flippingY(height: canvas.height)
    let normalize = AffineTransform.scaling(x: 1 / canvas.width, y: 1 / canvas.height)
    return switch self {
    case .pixels: .scaling(x: 1, y: 1)
    case .pixelsFromBottomLeft: flip
    case .normalized: normalize
    case .normalizedFromBottomLeft: flip.then(normalize)
    }
  }
}
