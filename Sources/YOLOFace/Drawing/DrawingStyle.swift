import Geometry

/// How faces are drawn.
///
/// Lines, dots and letters scale with the picture, and become finer on small faces, so that the
/// drawing does not hide the face. Dots too small to see and labels without room are left out; at
/// most 1,000 labels are tried.
public struct DrawingStyle: Sendable, Hashable {
  /// The finest and the boldest line, in pixels.
  public static let lineWidths = 0.5...100.0

  /// Whether scores or IDs are written beside the boxes.
  public var drawsLabels: Bool

  /// Whether there is a dot for each landmark.
  public var drawsLandmarks: Bool

  /// The width of the boxes' lines, in pixels; nil to scale it with picture and face. A width
  /// outside `lineWidths` is clamped to it, and NaN counts as the finest.
  public var lineWidth: Double?

  /// A style from its parts; by default everything is drawn.
  public init(drawsLabels: Bool = true, drawsLandmarks: Bool = true, lineWidth: Double? = nil) {
    self.drawsLabels = drawsLabels
    self.drawsLandmarks = drawsLandmarks
    self.lineWidth = lineWidth
  }
}

extension DrawingStyle {
  /// The width of the lines of a face's box, in pixels.
  ///
  /// - Parameter usual: the width on a face that is large enough for it.
  func lineWidth(of box: Rectangle, usual: Double) -> Double {
    if let lineWidth {
      // The order of the arguments makes NaN count as the lower bound.
      return min(max(Self.lineWidths.lowerBound, lineWidth), Self.lineWidths.upperBound)
    }
    return min(usual, max(1, box.shorterSide / 16))
  }
}

extension Rectangle {
  /// The radius of the dots on landmarks; nil where they would be too small to see.
  ///
  /// - Parameter unit: the picture's `drawingUnit`.
  func dotRadius(unit: Double) -> Double? {
    let radius = max(shorterSide / 40, min(unit, shorterSide / 24))
    return radius >= 0.75 ? radius : nil
  }
}
