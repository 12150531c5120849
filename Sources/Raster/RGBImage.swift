// SPDX-License-Identifier: Apache-2.0

// A user imports this module alone, and draws and crops with points and rectangles.
@_exported import YOLOFaceGeometry
import YOLOFaceGeometry
import YOLOFaceLibC

/// An opaque picture: 8-bit red, green and blue, in the sRGB values of its file or camera.
///
/// Coordinates everywhere in this module: origin at the top left, x to the right, y down, in
/// pixels; pixel (0, 0) covers [0, 1) × [0, 1), so that its centre is (0.5, 0.5).
public struct RGBImage: Hashable, Sendable {
  /// Columns, at least 1.
  public let width: Int
  /// Rows, at least 1.
  public let height: Int
  /// The samples, row-major and interleaved (height × width × 3), without padding.
  public internal(set) var pixels: [UInt8]
  /// Width and height in pixels.
  public var size: Size2D { Size2D(width: Double(width), height: Double(height)) }
  /// The most pixels an image may have, 2²⁸: three bytes each, below 1 GiB.
  public static let maximumPixels = 1 << 28

  /// An image of one colour.
  ///
  /// - Precondition: both sides are at least 1 and their product at most `maximumPixels`.
  public init(width: Int, height: Int, fill: RGBColor = .black) {
    precondition(
      (try? Self.byteCount(width: width, height: height)) != nil,
      "an image cannot have \(width) × \(height) pixels")
    (self.width, self.height) = (width, height)
    pixels = [UInt8](unsafeUninitializedCapacity: 3 * width * height) { pixels, count in
      useLargePages(pixels.baseAddress, bytes: pixels.count)
      pixels.initialize(repeating: fill.red)
      count = pixels.count
    }
    if fill.green != fill.red || fill.blue != fill.red {
      for offset in stride(from: 0, to: pixels.count, by: 3) {
        pixels[offset + 1] = fill.green
        pixels[offset + 2] = fill.blue
      }
    }
  }

  /// An image of the given samples (height × width × 3).
  ///
  /// - Throws: `ValueError` if a side is below 1, the image has more than `maximumPixels`, or
  ///   `pixels` does not have exactly `3 * width * height` bytes.
  public init(width: Int, height: Int, pixels: [UInt8]) throws(ValueError) {
    let expected = try Self.byteCount(width: width, height: height)
    guard pixels.count == expected else {
      throw ValueError("found \(pixels.count) bytes of pixels, expected \(expected)")
    }
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// An image whose size is already checked.
  init(width: Int, height: Int, rows pixels: [UInt8]) {
    precondition(pixels.count == 3 * width * height)
    (self.width, self.height, self.pixels) = (width, height, pixels)
  }

  /// The colour of the pixel in column `x` and row `y`.
  ///
  /// - Precondition: the pixel is inside the image.
  public subscript(x: Int, y: Int) -> RGBColor {
    get {
      let offset = offset(x, y)
      return RGBColor(red: pixels[offset], green: pixels[offset + 1], blue: pixels[offset + 2])
    }
    set {
      let offset = offset(x, y)
      pixels[offset] = newValue.red
      pixels[offset + 1] = newValue.green
      pixels[offset + 2] = newValue.blue
    }
  }

  private func offset(_ x: Int, _ y: Int) -> Int {
    precondition(x >= 0 && x < width && y >= 0 && y < height, "pixel outside the image")
    return 3 * (y * width + x)
  }

  /// The number of bytes of an image of this size, if the size is possible.
  static func byteCount(width: Int, height: Int) throws(ValueError) -> Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= maximumPixels else {
      throw ValueError(
        "an image cannot have \(width) × \(height) pixels: each side must be at least 1, the product at most "
          + "\(maximumPixels)")
    }
    return 3 * count
  }
}

/// An opaque colour, in 8-bit sRGB values.
public struct RGBColor: Codable, Hashable, Sendable {
  /// Red, from 0 to 255.
  public var red: UInt8
  /// Green, from 0 to 255.
  public var green: UInt8
  /// Blue, from 0 to 255.
  public var blue: UInt8

  /// A colour from its three values.
  public init(red: UInt8, green: UInt8, blue: UInt8) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// 0, 0, 0.
  public static let black = RGBColor(red: 0, green: 0, blue: 0)
  /// 255, 255, 255.
  public static let white = RGBColor(red: 255, green: 255, blue: 255)
}
