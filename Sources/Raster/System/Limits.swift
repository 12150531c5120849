extension Picture {
  /// What an untrusted picture may cost.
  ///
  /// Decoding needs at most 6 bytes per pixel (the picture, and its upright copy where an Exif
  /// orientation requires one) besides the file itself, for a WebP at most 8, and at most 11 where a JPEG must
  /// be held as coefficients, as a progressive one is. With the default limits that is below 512 MiB for the
  /// worst PNG, below 640 MiB for the worst WebP and below 800 MiB for the worst JPEG.
  public struct Limits: Equatable, Sendable {
    /// The longest file, in bytes.
    public var maximumFileBytes = 100_000_000

    /// The longest side, in pixels.
    public var maximumSide = 65_535

    /// The most pixels, width × height. Never more than `RGBImage.maximumPixels`.
    public var maximumPixels = 64_000_000

    /// The default limits.
    public init() {}

    /// What exceeds a limit, and which limit.
    public enum Excess: Equatable, Sendable, CustomStringConvertible {
      /// The file is longer than `maximumFileBytes`.
      case bytes(found: Int, limit: Int)

      /// The longer side exceeds `maximumSide`.
      case side(width: Int, height: Int, limit: Int)

      /// The picture exceeds `maximumPixels`.
      case pixels(width: Int, height: Int, limit: Int)

      /// What was found, and the limit.
      public var description: String {
        switch self {
        case .bytes(let found, let limit):
          "the file has \(found) bytes, the limit is \(limit)"
        case .side(let width, let height, let limit):
          "the picture is \(width) × \(height), the limit for a side is \(limit)"
        case .pixels(let width, let height, let limit):
          "the picture is \(width) × \(height), the limit is \(limit) pixels"
        }
      }
    }

    /// The limit that a picture of this size exceeds, if any. Sides have at most 32 bits.
    public func excess(ofWidth width: Int, height: Int) -> Excess? {
      guard max(width, height) <= maximumSide else {
        return .side(width: width, height: height, limit: maximumSide)
      }
      let limit = min(maximumPixels, RGBImage.maximumPixels)
      return width * height > limit ? .pixels(width: width, height: height, limit: limit) : nil
    }

    /// Refuses bytes that do not begin as a format's do, or that are too many.
    func require(
      _ format: PictureFormat, of bytes: some Collection<UInt8>, source: String
    ) throws(PictureError) {
      let found = PictureFormat(of: bytes)
      guard found == format else {
        throw PictureError(
          source: source,
          reason: .otherFormat(format: format.rawValue, looksLike: found?.rawValue))
      }
      guard bytes.count <= maximumFileBytes else {
        throw PictureError(
          source: source, reason: .tooLarge(.bytes(found: bytes.count, limit: maximumFileBytes)))
      }
    }

    /// Refuses a picture of a size that exceeds a limit.
    func require(width: Int, height: Int, source: String) throws(PictureError) {
      guard let excess = excess(ofWidth: width, height: height) else { return }
      throw PictureError(source: source, reason: .tooLarge(excess))
    }
  }
}
