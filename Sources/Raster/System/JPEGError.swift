#if JPEG
  /// Why a JPEG could not be read, and which. Only with the package's trait `JPEG`.
  public struct JPEGError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path, or `<bytes>` for a JPEG in memory.
    public let source: String

    /// What went wrong.
    public let reason: Reason

    /// An error about the given source.
    public init(source: String, reason: Reason) {
      self.source = source
      self.reason = reason
    }

    /// What went wrong, with the numbers found and the limits they met.
    public enum Reason: Equatable, Sendable {
      /// The bytes do not begin like a JPEG; what they look like instead, if known.
      case notJPEG(looksLike: String?)

      /// The file or the picture exceeds `Picture.Limits`.
      case tooLarge(Picture.Limits.Excess)

      /// The file has fewer bits than the picture has blocks of 8 × 8 samples.
      case impossibleClaim(width: Int, height: Int, blocks: Int, fileBytes: Int)

      /// The samples are arithmetically coded, so that a few bytes may encode any number of blocks.
      case arithmeticCoding

      /// Nothing says what the components are: two, or four without Adobe's segment.
      case unknownColors(components: Int)

      /// A message of libjpeg or of its caller: damaged or missing data, too many scans, out of
      /// memory.
      case libjpeg(String)
    }

    /// The source and the reason, in a sentence.
    public var description: String { "\(source): \(reason.description)" }
  }

  extension JPEGError.Reason: CustomStringConvertible {
    /// The reason, in a sentence.
    public var description: String {
      switch self {
      case .notJPEG(let other?):
        "not a JPEG: this looks like \(other)"
      case .notJPEG(nil):
        "not a JPEG: the start-of-image marker is missing"
      case .tooLarge(let excess): excess.description
      case .impossibleClaim(let width, let height, let blocks, let fileBytes):
        "the picture claims \(width) × \(height), \(blocks) blocks of samples, "
          + "which \(fileBytes) bytes of JPEG cannot hold"
      case .arithmeticCoding:
        "found arithmetic coding, expected Huffman codes; convert it, for example with ImageMagick"
      case .unknownColors(let components):
        "found \(components) components, expected grey, YCbCr, RGB, or CMYK with Adobe's segment"
      case .libjpeg(let message):
        "libjpeg: \(message)"
      }
    }
  }
#endif
