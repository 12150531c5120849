// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceGeometry
import YOLOFaceUntrusted

/// Pictures in every supported format: PNG, JPEG and WebP, each where the package's trait of this name is on. `PNG` is
/// on by default.
public enum Picture {
  /// The suffixes of the file names that are read, in lower case.
  public static let fileSuffixes = supported.flatMap(\.suffixes)

  /// The supported formats, as messages name them; without any, "raw pixels".
  public static let formats: String = {
    let names = supported.map(\.name)
    guard let last = names.last else { return "raw pixels" }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " or " + last
  }()

  private static let supported: [(name: String, suffixes: [String])] = {
    var formats: [(name: String, suffixes: [String])] = []
    #if PNG
      formats.append(("PNG", [".png"]))
    #endif
    #if JPEG
      formats.append(("JPEG", [".jpg", ".jpeg", ".jpe", ".jfif"]))
    #endif
    #if WebP
      formats.append(("WebP", [".webp"]))
    #endif
    return formats
  }()

  /// Reads a regular file and decodes it as `decode` does.
  ///
  /// - Throws: `FileError` where the file cannot be read, otherwise as `decode`, with the path.
  public static func read(
    path: String, limits: Limits = Limits(), background: RGBColor = .white
  ) throws -> RGBImage {
    let bytes = try readFile(path, limit: limits.maximumFileBytes)
    return try decode(bytes, name: path, limits: limits, background: background)
  }

  /// Decodes a picture into an upright one. Its first bytes, not its name, determine the format; the orientation is
  /// what Exif or XMP states.
  ///
  /// 16-bit samples are rounded to 8-bit ones, or stretched where they use little of their range. Gamma and colour
  /// profiles are ignored: samples are treated as sRGB. CMYK becomes RGB as if each ink filtered its colour and black
  /// all three. What costs pixels is an error; a JPEG has no checksums, so damage that libjpeg does not notice shows
  /// only in the pixels.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: the picture's name in errors.
  ///   - limits: what the picture may cost.
  ///   - background: what transparent pixels are composited over, in their 8-bit values.
  /// - Throws: `PictureError` where the format is not supported, or the picture too large or damaged.
  public static func decode(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits(),
    background: RGBColor = .white
  ) throws(PictureError) -> RGBImage {
    try decodeStored(bytes, name: name, limits: limits, background: background).upright
  }

  /// The format that a file's first bytes are of, as messages name it: a picture's, whether or not it is read, a
  /// document's, or `a film`; nil where it is unknown.
  public static func formatName(of bytes: some Collection<UInt8>) -> String? {
    PictureFormat(of: bytes)?.rawValue
  }

  /// Whether a picture could not be read because it has more pixels, or its file more bytes, than its limits
  /// allow.
  public static func exceedsLimit(_ error: any Error) -> Bool {
    if let error = error as? PictureError, case .tooLarge(.pixels) = error.reason { return true }
    return (error as? FileError)?.exceedsLimit == true
  }

  /// A picture as its file stores it.
  public struct Stored: Equatable, Sendable {
    /// The pixels, in the order of the file.
    public var image: RGBImage
    /// How they must be turned to be upright, as the file says.
    public var stated: StatedOrientation
    /// Which colours they stand for, as the file says.
    public var color: ColorDescription
    /// Whether it is the first of several, as of an animated PNG; an animated WebP is not read.
    public internal(set) var isAnimated = false
    /// What it lacks; nil for nothing.
    public internal(set) var damage: Damage?
    /// The share of their range that 16-bit samples use; nil for others.
    public internal(set) var usedRange: Double?
    /// Whether what 16-bit samples use became the whole range.
    public internal(set) var isStretched = false
    /// The largest alpha; nil where there is none, or it is not a PNG's or WebP's.
    public internal(set) var largestAlpha: UInt8?
    /// 16-bit samples that use at most so many values are stretched: rounded to 8 bits, nothing would be left of them.
    static let leastRange = 4096

    init(
      image: RGBImage, stated: StatedOrientation, color: ColorDescription, isAnimated: Bool = false
    ) {
      (self.image, self.stated) = (image, stated)
      (self.color, self.isAnimated) = (color, isAnimated)
    }

    /// How the picture must be turned to be upright; `up` where nothing says it.
    public var orientation: Orientation { stated.orientation }
    /// The picture turned upright.
    public var upright: RGBImage { image.upright(from: orientation) }
  }

  /// Whether the file of a PNG or WebP that begins with these bytes says that it is animated.
  public static func isAnimated(_ head: [UInt8]) -> Bool {
    switch PictureFormat(of: head) {
    #if PNG
      case .png:
        let first = PNGChunks(head).first { $0.type == "acTL" || $0.type == "IDAT" }
        return first.map { $0.type == "acTL" } ?? false
    #endif
    case .webP:
      let flags = WebPChunks(head).first { $0.name == "VP8X" }?.content.first ?? 0
      return flags & 2 != 0
    default: return false
    }
  }

  /// Decodes a picture as its file stores it.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - name: the picture's name in errors.
  ///   - limits: what the picture may cost.
  ///   - background: what transparent pixels are composited over, in their 8-bit values.
  ///   - acceptsDamage: whether a picture of which pixels are missing or may be wrong is read; `Stored.damage` says so.
  ///   - isStretched: whether the values that 16-bit samples use become the whole range, however many they are.
  /// - Throws: as `decode`.
  public static func decodeStored(
    _ bytes: [UInt8], name: String = "<bytes>", limits: Limits = Limits(),
    background: RGBColor = .white, acceptsDamage: Bool = false, isStretched: Bool = false
  ) throws(PictureError) -> Stored {
    let stored: Stored
    switch PictureFormat(of: bytes) {
    #if PNG
      case .png, .damagedPNG:
        stored = try PNG.decodeStored(
          bytes, source: name, limits: limits, background: background, isStretched: isStretched)
    #endif
    #if JPEG
      case .jpeg: stored = try JPEG.decodeStored(bytes, source: name, limits: limits)
    #endif
    #if WebP
      case .webP:
        stored = try WebP.decodeStored(bytes, source: name, limits: limits, background: background)
    #endif
    case let format:
      throw PictureError(source: name, unsupported: format)
    }
    if let damage = stored.damage, !acceptsDamage {
      throw PictureError(source: name, reason: .damaged(damage))
    }
    return stored
  }
}

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
        case .bytes(let found, let limit): "the file has \(found) bytes, the limit is \(limit)"
        case .side(let width, let height, let limit):
          "the picture is \(width) × \(height), the limit for a side is \(limit)"
        case .pixels(let width, let height, let limit):
          "the picture is \(width) × \(height), the limit is \(limit) pixels"
        }
      }
    }

    /// The limit that a picture of this size exceeds, if any.
    public func excess(ofWidth width: Int, height: Int) -> Excess? {
      guard max(width, height) <= maximumSide else {
        return .side(width: width, height: height, limit: maximumSide)
      }
      let limit = min(maximumPixels, RGBImage.maximumPixels)
      let (count, overflows) = width.multipliedReportingOverflow(by: height)
      return overflows || count > limit
        ? .pixels(width: width, height: height, limit: limit) : nil
    }

    func require(bytes count: Int, source: String) throws(PictureError) {
      guard count > maximumFileBytes else { return }
      throw PictureError(
        source: source, reason: .tooLarge(.bytes(found: count, limit: maximumFileBytes)))
    }

    func require(width: Int, height: Int, source: String) throws(PictureError) {
      guard let excess = excess(ofWidth: width, height: height) else { return }
      throw PictureError(source: source, reason: .tooLarge(excess))
    }
  }
}

/// The format of a file, recognised by its first bytes. The raw values name it in messages.
enum PictureFormat: String {
  case empty = "an empty file"
  case png = "PNG"
  case applePNG = "a PNG that Xcode has rewritten for iOS (CgBI)"
  case damagedPNG = "a PNG whose signature was damaged, as by a text-mode transfer"
  case jpeg = "JPEG"
  case jpegXL = "JPEG XL"
  case jpeg2000 = "JPEG 2000"
  case webP = "WebP"
  case gif = "GIF"
  case bmp = "BMP"
  case tiff = "TIFF"
  case heic = "HEIC"
  case avif = "AVIF"
  case raw
  case psd = "PSD"
  case xcf = "XCF"
  case openEXR = "OpenEXR"
  case qoi = "QOI"
  case icon = "ICO"
  case netpbm = "PPM"
  case film = "a film"
  case pdf = "PDF"
  case postScript = "PostScript"

  /// What files begin with, the more particular first; ? stands for any byte. ISO/IEC 14496-12, 4.3: behind "ftyp"
  /// is the major brand; those of pictures are of ISO/IEC 23008-12, of AVIF and of Canon.
  private static let signatures: [(format: PictureFormat, beginnings: [String])] = [
    (.applePNG, ["\u{89}PNG\r\n\u{1A}\n????CgBI"]), (.png, ["\u{89}PNG\r\n\u{1A}\n"]),
    (.damagedPNG, ["?PNG"]), (.jpeg, ["\u{FF}\u{D8}\u{FF}"]),
    (.jpegXL, ["\u{FF}\u{0A}", "\0\0\0\u{0C}JXL "]),
    (.jpeg2000, ["\0\0\0\u{0C}jP  ", "\u{FF}O\u{FF}Q"]), (.webP, ["RIFF????WEBP"]),
    (.gif, ["GIF8"]), (.bmp, ["BM"]),
    (.raw, ["II*\0????CR", "????ftypcrx ", "IIU\0", "IIRO", "FUJIFILM", "FOVb"]),
    (.tiff, ["II*\0", "MM\0*", "II+\0", "MM\0+"]), (.avif, ["????ftypavif", "????ftypavis"]),
    (
      .heic,
      ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"].map { "????ftyp\($0)" }
    ),
    (.psd, ["8BPS"]), (.xcf, ["gimp xcf"]), (.openEXR, ["v/1\u{01}"]), (.qoi, ["qoif"]),
    (.icon, ["\0\0\u{01}\0"]), (.netpbm, (1...7).map { "P\($0)\n" }),
    (
      .film,
      [
        "????ftyp", "\u{1A}E\u{DF}\u{A3}", "RIFF????AVI ", "0&\u{B2}u", "FLV\u{01}",
        "\0\0\u{01}\u{BA}", "OggS",
      ]
    ), (.pdf, ["%PDF-"]), (.postScript, ["%!PS"]),
  ]

  /// The format that the bytes begin with; nil where it is none of these.
  init?(of bytes: some Collection<UInt8>) {
    func begins(with beginning: String) -> Bool {
      let signature = beginning.unicodeScalars
      return bytes.count >= signature.count
        && zip(signature, bytes).allSatisfy { $0 == "?" || $0.value == $1 }
    }
    let known = Self.signatures.first { $0.beginnings.contains(where: begins) }
    guard let format = bytes.isEmpty ? .empty : known?.format else { return nil }
    self = format
  }
}
