/// Why bytes were not decoded at all: they are a picture in an unsupported format, or no picture.
public struct PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, or the name that the caller gave to bytes in memory.
  public let source: String

  /// What was found: the format, where the first bytes show it.
  public let found: String

  /// What was expected, and how to get it.
  public let expected: String

  /// An error about bytes in an unsupported format; nil is an unknown one.
  init(source: String, format: PictureFormat?) {
    self.source = source
    found = format?.rawValue ?? "an unknown format"
    expected =
      switch format {
      case .jpeg:
        "\(Picture.formats); to read JPEG, build with the package's trait JPEG "
          + "(it needs libjpeg-turbo's development package, libjpeg-dev on Debian and Ubuntu)"
      case .webP:
        "\(Picture.formats); to read WebP, build with the package's trait WebP "
          + "(it needs libwebp-dev on Debian and Ubuntu)"
      case .empty, nil: Picture.formats
      default: "\(Picture.formats); convert it, for example with ImageMagick"
      }
  }

  /// One sentence: `source: found …, expected …`.
  public var description: String { "\(source): found \(found), expected \(expected)" }
}
