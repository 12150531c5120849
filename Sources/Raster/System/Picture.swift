import Files
import Geometry

/// Pictures in every supported format: PNG, and JPEG and WebP where the package's traits `JPEG` and `WebP`
/// are on.
public enum Picture {
  /// The suffixes of the file names that are read, in lower case.
  public static let fileSuffixes = supported.flatMap(\.suffixes)

  /// The supported formats, as messages name them.
  public static let formats: String = {
    let names = supported.map(\.name)
    let last = names[names.count - 1]
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
  }()

  private static let supported: [(name: String, suffixes: [String])] = {
    var formats = [(name: "PNG", suffixes: [".png"])]
    #if JPEG
      formats.append(("JPEG", [".jpg", ".jpeg"]))
    #endif
    #if WebP
      formats.append(("WebP", [".webp"]))
    #endif
    return formats
  }()

  /// Reads a regular file and decodes it as `decode` does.
  ///
  /// - Throws: `FileError` where the file cannot be read, otherwise as `decode`, with the path.
  public static func read(path: String, limits: Limits = Limits()) throws -> RGBImage {
    try decode(try readFile(path, limit: limits.maximumFileBytes), name: path, limits: limits)
  }

  /// Decodes a picture into an upright one, as `PNG.decode`, `JPEG.decode` and `WebP.decode` do. Its
  /// first bytes, not its name, determine the format. Transparency is composited over white.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: the picture's name in errors.
  ///   - limits: what the picture may cost.
  /// - Throws: `PictureError` where the format is not supported, or the picture too large or damaged.
  public static func decode(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits()
  ) throws(PictureError) -> RGBImage {
    let stored = try decodeStored(bytes, name: name, limits: limits)
    return stored.image.upright(from: stored.orientation)
  }

  /// Whether a picture could not be read because it has more pixels, or its file more bytes, than its limits
  /// allow.
  public static func exceedsLimit(_ error: any Error) -> Bool {
    if let error = error as? PictureError, case .tooLarge(.pixels) = error.reason { return true }
    return (error as? FileError)?.exceedsLimit == true
  }

  /// Decodes a picture, and says how it is turned upright.
  ///
  /// - Throws: as `decode`.
  public static func decodeStored(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits()
  ) throws(PictureError) -> (image: RGBImage, orientation: Orientation) {
    switch PictureFormat(of: bytes) {
    case .png, .damagedPNG:
      return try PNG.decodeStored(bytes, source: name, limits: limits, background: .white)
    #if JPEG
      case .jpeg:
        return try JPEG.decodeStored(bytes, source: name, limits: limits)
    #endif
    #if WebP
      case .webP:
        return try WebP.decodeStored(bytes, source: name, limits: limits, background: .white)
    #endif
    case let format:
      throw PictureError(source: name, unsupported: format)
    }
  }
}
