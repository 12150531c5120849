// SPDX-License-Identifier: Apache-2.0

/// The space in which someone sees a picture: turned upright, perhaps mirrored, perhaps placed in a view, written in
/// some coordinate system. It maps from image pixels, the canonical space.
///
/// The steps always come in this order:
///
/// 1. orientation: the stored picture is turned upright;
/// 2. mirror: left and right of the upright picture change places, as a front camera shows it;
/// 3. placement: the picture keeps its own pixels, or is placed in a view;
/// 4. coordinate system: pixels or fractions, counted from the top left or the bottom left.
///
/// Examples, for a box of 200 × 100 at (100, 50) in an image of 1000 × 500:
///
/// - `.normalizedFromBottomLeft`, as Vision writes it, gives x 0.1, y 0.7, width 0.2, height 0.2.
///   Back to UIKit, y = height − y − boxHeight = 500 − 0.7 · 500 − 0.2 · 500 = 50.
/// - `isMirrored` gives x = width − x − boxWidth = 1000 − 100 − 200 = 700, and y 50 as before.
/// - A view of 250 × 250 with `.aspectFill` has scale 250 / 500 = 0.5, so the picture is 500 wide
///   and starts at x = (250 − 500) / 2 = −125: the box is 100 × 50 at (−75, 25).
///
/// Right and left landmarks are named as a detector would name them in the picture that is seen. A mirror image shows
/// a person's right eye where a left eye would be. So the names are exchanged where what is seen is a mirror image of
/// the stored picture: where `isMirrored` or the orientation mirrors, but not both. The coordinate system exchanges
/// nothing.
public struct ViewSpace: CoordinateMapping, Hashable {
  /// Where the upright, perhaps mirrored, picture is placed.
  public enum Placement: Sendable, Hashable {
    /// In no view: it keeps its own pixels.
    case picture
    /// A view of this size, in the view's points.
    case view(Size2D, Gravity)
  }

  /// The sides that an image or a view may have.
  public static let sides: ClosedRange<Double> = 1e-6...1e9

  /// The stored image's extent in pixels.
  public let imageSize: Size2D
  /// How the stored image is turned upright.
  public let orientation: Orientation
  /// Whether the upright picture is mirrored left to right.
  public let isMirrored: Bool
  /// Where the picture is placed.
  public let placement: Placement
  /// How positions are written.
  public let coordinateSystem: CoordinateSystem
  /// The extent of the canvas: in pixels of the upright picture, or in points of the view.
  public let canvasSize: Size2D

  /// From image pixels to this space: what `map` applies to a point.
  public let transform: AffineMap
  private let backward: AffineMap

  /// A space in which an image of `imageSize` stored pixels is seen.
  ///
  /// - Throws: `ValueError` where a side of the image or of the view is not in `sides`, for
  ///   instance zero, negative, NaN or infinite.
  public init(
    imageSize: Size2D, orientation: Orientation = .up, isMirrored: Bool = false,
    placement: Placement = .picture, coordinateSystem: CoordinateSystem = .pixels
  ) throws(ValueError) {
    try ViewSpace.require(imageSize, "image")
    if case .view(let size, _) = placement { try ViewSpace.require(size, "view") }
    self.init(
      checkedImageSize: imageSize, orientation: orientation, isMirrored: isMirrored,
      placement: placement, coordinateSystem: coordinateSystem)
  }

  private init(
    checkedImageSize imageSize: Size2D, orientation: Orientation, isMirrored: Bool,
    placement: Placement, coordinateSystem: CoordinateSystem
  ) {
    (self.imageSize, self.orientation, self.isMirrored) = (imageSize, orientation, isMirrored)
    (self.placement, self.coordinateSystem) = (placement, coordinateSystem)

    let upright = orientation.uprightSize(of: imageSize)
    var seen = orientation.transform(of: imageSize)
    if isMirrored { seen = seen.then(Orientation.upMirrored.transform(of: upright)) }
    switch placement {
    case .picture:
      canvasSize = upright
    case .view(let view, let gravity):
      canvasSize = view
      seen = seen.then(gravity.transform(of: upright, in: view))
    }
    transform = seen.then(coordinateSystem.transform(of: canvasSize))
    backward = transform.inverse
  }

  /// The same view with its positions written in another coordinate system.
  public func written(in coordinateSystem: CoordinateSystem) -> ViewSpace {
    ViewSpace(
      checkedImageSize: imageSize, orientation: orientation, isMirrored: isMirrored,
      placement: placement, coordinateSystem: coordinateSystem)
  }

  /// Whether what is seen is a mirror image of the stored picture: `isMirrored` or a mirrored
  /// orientation, but not both.
  public var swapsSides: Bool { isMirrored != orientation.isMirrored }

  /// From image pixels to this space. Points outside the image or the view are mapped like any
  /// other.
  public func map(_ point: Point2D) -> Point2D { transform(point) }

  /// From this space to image pixels.
  public func unmap(_ point: Point2D) -> Point2D { backward(point) }

  private static func require(_ size: Size2D, _ name: String) throws(ValueError) {
    guard sides.contains(size.width), sides.contains(size.height) else {
      throw ValueError(
        "\(name) size \(size.width) × \(size.height): each side must be from \(sides.lowerBound) to "
          + "\(sides.upperBound)")
    }
  }
}

/// How a picture is placed in a view whose proportions differ from its own; AVFoundation calls it gravity.
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
  func transform(of picture: Size2D, in view: Size2D) -> AffineMap {
    let (across, down) = (view.width / picture.width, view.height / picture.height)
    let (xx, yy) =
      switch self {
      case .resize: (across, down)
      case .aspectFit: (min(across, down), min(across, down))
      case .aspectFill: (max(across, down), max(across, down))
      }
    return AffineMap(
      xx: xx, xy: 0, x0: (view.width - picture.width * xx) / 2,
      yx: 0, yy: yy, y0: (view.height - picture.height * yy) / 2)
  }
}

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
  func transform(of canvas: Size2D) -> AffineMap {
    let flip = Orientation.downMirrored.transform(of: canvas)
    let normalize = AffineMap.scaling(x: 1 / canvas.width, y: 1 / canvas.height)
    return switch self {
    case .pixels: .scaling(x: 1, y: 1)
    case .pixelsFromBottomLeft: flip
    case .normalized: normalize
    case .normalizedFromBottomLeft: flip.then(normalize)
    }
  }
}
