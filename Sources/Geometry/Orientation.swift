// SPDX-License-Identifier: Apache-2.0

/// How a stored picture must be turned to be upright: the Exif tag Orientation, with its numbers
/// and the names that Apple's frameworks give them.
///
/// Exif (CIPA DC-008, tag 274) says for each value which side of the upright picture the first
/// stored row and the first stored column are.
public enum Orientation: Int, CaseIterable, Codable, Sendable {
  /// First row on top, first column on the left: already upright.
  case up = 1
  /// First row on top, first column on the right: mirror left to right.
  case upMirrored = 2
  /// First row at the bottom, first column on the right: turn by 180°.
  case down = 3
  /// First row at the bottom, first column on the left: mirror top to bottom.
  case downMirrored = 4
  /// First row on the left, first column on top: exchange rows and columns.
  case leftMirrored = 5
  /// First row on the right, first column on top: turn by 90° clockwise. A phone held upright
  /// stores this.
  case right = 6
  /// First row on the right, first column at the bottom: mirror about the other diagonal.
  case rightMirrored = 7
  /// First row on the left, first column at the bottom: turn by 90° counterclockwise.
  case left = 8

  /// Whether the stored picture is a mirror image of the upright one.
  public var isMirrored: Bool {
    switch self {
    case .up, .down, .right, .left: false
    case .upMirrored, .downMirrored, .leftMirrored, .rightMirrored: true
    }
  }

  /// Whether stored rows are columns of the upright picture, so that width and height change
  /// places.
  public var swapsWidthAndHeight: Bool {
    switch self {
    case .up, .upMirrored, .down, .downMirrored: false
    case .leftMirrored, .right, .rightMirrored, .left: true
    }
  }

  /// The upright picture's size, from the stored one's.
  public func uprightSize(of stored: Size2D) -> Size2D {
    swapsWidthAndHeight ? Size2D(width: stored.height, height: stored.width) : stored
  }

  /// From the stored picture's pixels to the upright picture's.
  public func transform(of stored: Size2D) -> AffineMap {
    let (width, height) = (stored.width, stored.height)
    return switch self {
    case .up: AffineMap(xx: 1, xy: 0, x0: 0, yx: 0, yy: 1, y0: 0)
    case .upMirrored: AffineMap(xx: -1, xy: 0, x0: width, yx: 0, yy: 1, y0: 0)
    case .down: AffineMap(xx: -1, xy: 0, x0: width, yx: 0, yy: -1, y0: height)
    case .downMirrored: AffineMap(xx: 1, xy: 0, x0: 0, yx: 0, yy: -1, y0: height)
    case .leftMirrored: AffineMap(xx: 0, xy: 1, x0: 0, yx: 1, yy: 0, y0: 0)
    case .right: AffineMap(xx: 0, xy: -1, x0: height, yx: 1, yy: 0, y0: 0)
    case .rightMirrored: AffineMap(xx: 0, xy: -1, x0: height, yx: -1, yy: 0, y0: width)
    case .left: AffineMap(xx: 0, xy: 1, x0: 0, yx: -1, yy: 0, y0: width)
    }
  }
}
