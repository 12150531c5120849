import Files
import Geometry

/// Pictures in every supported format: PNG, and JPEG where the package's trait `JPEG` is on.
public enum Picture {
  #if JPEG
    /// The suffixes of the file names that are read, in lower case.
    public static let fileSuffixes = [".png", ".jpg", ".jpeg"]

    /// The supported formats, as messages name them.
    public static let formats = "PNG or JPEG"
  #else
    /// The suffixes of the file names that are read, in lower case.
    public static let fileSuffixes = [".png"]

    /// The supported formats, as messages name them.
    public static let formats = "PNG"
  #endif

  /// Reads a regular file and decodes it as `decode` does.
  ///
  /// - Throws: `FileError` where the file cannot be read, otherwise as `decode`, with the path.
  public static func read(path: String, limits: Limits = Limits()) throws -> RGBImage {
    try decode(try readFile(path, limit: limits.maximumFileBytes), name: path, limits: limits)
  }

  /// Decodes a picture into an upright one, as `PNG.decode` and `JPEG.decode` do. Its first bytes,
  /// not its name, determine the format. Transparency is composited over white.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: the picture's name in errors.
  ///   - limits: what the picture may cost.
  /// - Throws: `PictureError` where the format is not supported, `PNGError` or `JPEGError` where
  ///   the picture is damaged.
  public static func decode(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits()
  ) throws -> RGBImage {
    let stored = try decodeStored(bytes, name: name, limits: limits)
    return stored.image.upright(from: stored.orientation)
  }

  /// Decodes a picture, and says how it is turned upright.
  ///
  /// - Throws: as `decode`.
  public static func decodeStored(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits()
  ) throws -> (image: RGBImage, orientation: Orientation) {
    switch PictureFormat(of: bytes) {
    case .png, .damagedPNG:
      return try PNG.decodeStored(bytes, source: name, limits: limits, background: .white)
    #if JPEG
      case .jpeg:
        return try JPEG.decodeStored(bytes, source: name, limits: limits)
    #endif
    case let format:
      throw PictureError(source: name, format: format)
    }
  }
}
