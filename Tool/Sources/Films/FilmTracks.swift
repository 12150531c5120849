import FaceAnalysis
import Files
import Raster

/// What a film has beside its pictures.
public struct FilmTracks: Sendable {
  /// One of them.
  public struct Track: Hashable, Sendable {
    /// The kind, as ffmpeg calls it: audio, subtitle, data, attachment or video.
    public let kind: String
    /// The codec, as ffmpeg calls it.
    public let codec: String
    /// The language, such as deu; nil where the film does not say.
    public let language: String?
  }

  /// In the film's order.
  public let all: [Track]

  /// The tracks that sound.
  public var sound: [Track] { all.filter { $0.kind == "audio" } }

  /// Asks ffprobe about a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - isWanted: asked several times a second while ffprobe is waited for; where false, it is ended.
  /// - Throws: `FileError` where the file is no film or ffprobe is missing.
  public init(_ path: String, while isWanted: @escaping @Sendable () -> Bool = { true }) throws {
    let lines = try probe(
      path, Picture.Limits(), Patience(silence: .seconds(60), isWanted: isWanted),
      [
        "-of", "compact=print_section=0", "-show_entries",
        "stream=index,codec_name,codec_type:stream_disposition=attached_pic:stream_tags=language",
      ])
    var tracks: [Int: Track] = [:]
    var pictures: Int?
    for line in lines {
      let values = Dictionary(
        line.split(separator: "|").compactMap { entry -> (Substring, String)? in
          let parts = entry.split(separator: "=", maxSplits: 1)
          return parts.count == 2 ? (parts[0], String(parts[1])) : nil
        }, uniquingKeysWith: { first, _ in first })
      guard let index = values["index"].flatMap({ Int($0) }) else { continue }
      let kind = values["codec_type"] ?? "data"
      if kind == "video", values["disposition:attached_pic"] == "0" {
        pictures = min(pictures ?? index, index)
      }
      // A program names its tracks, too, and says less of them.
      tracks[index] = Track(
        kind: kind, codec: values["codec_name"] ?? "unknown",
        language: values["tag:language"].flatMap { Self.isLanguage($0) ? $0 : nil })
    }
    if let pictures { tracks[pictures] = nil }
    all = tracks.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Whether a text is a language's code, and not one for an unknown language.
  private static func isLanguage(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count) && text != "und"
      && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    let character = Character(Unicode.Scalar(byte))
    return character.isASCII && (character.isLetter || character.isNumber)
  }
}
