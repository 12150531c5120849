#if WebP
  /// Why a WebP could not be read, and which. Only with the package's trait `WebP`.
  public struct WebPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path, or `<bytes>` for a WebP in memory.
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
      /// The bytes do not begin like a WebP; what they look like instead, if known.
      case notWebP(looksLike: String?)

      /// The file or the picture exceeds `Picture.Limits`.
      case tooLarge(Picture.Limits.Excess)

      /// The file holds several pictures.
      case animated

      /// libwebp cannot decode the file: it is damaged or cut off, or memory ran out.
      case damaged
    }

    /// The source and the reason, in a sentence.
    public var description: String { "\(source): \(reason.description)" }
  }

  extension WebPError.Reason: CustomStringConvertible {
    /// The reason, in a sentence.
    public var description: String {
      switch self {
      case .notWebP(let other?): "not a WebP: this looks like \(other)"
      case .notWebP(nil): "not a WebP: its signature is missing"
      case .tooLarge(let excess): excess.description
      case .animated: "found an animation, expected a single picture"
      case .damaged: "found damaged or missing data, expected a whole WebP"
      }
    }
  }
#endif
