// SPDX-License-Identifier: Apache-2.0

/// Why a picture could not be read or written, and which.
public struct PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, or the name that the caller gave to bytes in memory: `<bytes>` where it gave none.
  public let source: String
  /// What went wrong.
  public let reason: Reason

  /// An error about the given source.
  public init(source: String, reason: Reason) {
    (self.source, self.reason) = (source, reason)
  }

  /// What went wrong, with the numbers found and the limits they met. A `format` is `PNG`, `JPEG` or `WebP`.
  public enum Reason: Equatable, Sendable {
    /// The picture's format is not supported, or the bytes are not a picture.
    case unsupported(found: String, expected: String)
    /// The bytes lack PNG's signature; what they look like instead, if known.
    case notPNG(looksLike: String?)
    /// The file or the picture exceeds `Picture.Limits`.
    case tooLarge(Picture.Limits.Excess)
    /// The file cannot hold as many samples as the picture claims, in the unit that `samples` names.
    case impossibleClaim(width: Int, height: Int, samples: String, fileBytes: Int, format: String)
    /// The samples of a JPEG are arithmetically coded, so that a few bytes may encode any number of blocks.
    case arithmeticCoding
    /// Nothing says what the components of a JPEG are, such as two.
    case unknownColors(components: Int)
    /// The WebP holds several pictures.
    case animated
    /// Pixels are missing or may be wrong.
    case damaged(Picture.Damage)
    /// A message of libpng, libjpeg or their caller: no picture can be read, out of memory.
    case library(String, message: String)
  }

  /// The source and the reason, in a sentence.
  public var description: String { "\(source): \(reason.description)" }
}

extension PictureError.Reason: CustomStringConvertible {
  /// The reason, in a sentence.
  public var description: String {
    switch self {
    case .unsupported(let found, let expected): "found \(found), expected \(expected)"
    case .notPNG(let other?): "not a PNG: this looks like \(other)"
    case .notPNG(nil): "not a PNG: the signature is missing"
    case .tooLarge(let excess): excess.description
    case .impossibleClaim(let width, let height, let samples, let fileBytes, let format):
      "the picture claims \(width) × \(height), \(samples) of samples, "
        + "which \(fileBytes) bytes of \(format) cannot hold"
    case .arithmeticCoding:
      "found arithmetic coding, expected Huffman codes; convert it, for example with ImageMagick"
    case .unknownColors(let components):
      "found \(components) components, expected grey, YCbCr, RGB or CMYK"
    case .animated: "found an animation, expected a single picture"
    case .damaged(let damage): damage.description
    case .library(let name, let message): "\(name): \(message)"
    }
  }
}

extension PictureError {
  /// An error about bytes in a format that is not read; nil is an unknown one.
  init(source: String, unsupported format: PictureFormat?) {
    let expected =
      switch format {
      case .png, .damagedPNG:
        "\(Picture.formats); to read PNG, build with the package's trait PNG "
          + "(it needs libpng's development package, libpng-dev on Debian and Ubuntu)"
      case .jpeg:
        "\(Picture.formats); to read JPEG, build with the package's trait JPEG "
          + "(it needs libjpeg-turbo's development package, libjpeg-dev on Debian and Ubuntu)"
      case .webP:
        "\(Picture.formats); to read WebP, build with the package's trait WebP "
          + "(it needs libwebp-dev on Debian and Ubuntu)"
      case .applePNG:
        "\(Picture.formats); undo it with pngcrush -revert-iphone-optimizations IN.png OUT.png "
          + "(on a Mac: xcrun -sdk iphoneos pngcrush)"
      case .film:
        "\(Picture.formats); take pictures out of a film, for example with ffmpeg -i FILM %05d.png"
      case .empty, nil: Picture.formats
      default: "\(Picture.formats); convert it, for example with ImageMagick"
      }
    self.init(
      source: source,
      reason: .unsupported(found: format?.rawValue ?? "an unknown format", expected: expected))
  }
}
