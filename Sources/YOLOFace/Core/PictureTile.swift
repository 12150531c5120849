// SPDX-License-Identifier: Apache-2.0

/// A part of a picture, in whole pixels.
public struct PictureTile: Hashable, Sendable {
  /// The column and the row of its first pixel.
  public var x, y: Int
  /// Its size.
  public var width, height: Int

  /// A tile from its parts.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}
