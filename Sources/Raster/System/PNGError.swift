/// Why a PNG could not be read or written, and which.
public struct PNGError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path, or `<bytes>` for a PNG in memory.
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
    /// The PNG signature is missing; what the bytes look like instead, if known.
    case notPNG(looksLike: String?)

    /// The file or the picture exceeds `Picture.Limits`.
    case tooLarge(Picture.Limits.Excess)

    /// Even if the whole file were compressed data, it could not expand to the pixels it claims.
    case impossibleClaim(width: Int, height: Int, claimedBytes: Int, fileBytes: Int)

    /// libpng's own message: a damaged chunk, wrong checksum, missing data, out of memory.
    case libpng(String)
  }

  /// The source and the reason, in a sentence.
  public var description: String { "\(source): \(reason.description)" }
}

extension PNGError.Reason: CustomStringConvertible {
  /// The reason, in a sentence.
  public var description: String {
    switch self {
    case .notPNG(let other?):
      "not a PNG: this looks like \(other)"
    case .notPNG(nil):
      "not a PNG: the signature is missing"
    case .tooLarge(let excess): excess.description
    case .impossibleClaim(let width, let height, let claimedBytes, let fileBytes):
      "the picture claims \(width) × \(height), \(claimedBytes) bytes of samples, "
        + "which \(fileBytes) bytes of PNG cannot hold"
    case .libpng(let message):
      "libpng: \(message)"
    }
  }
}
