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
    /// Whether it has a title.
    public let hasTitle: Bool
  }

  /// In the film's order.
  public let all: [Track]

  /// The tracks that sound.
  public var sound: [Track] { all.filter { $0.kind == "audio" } }

  /// The numbers of the tracks of pictures and sound that are read; a track of sound that is announced but not
  /// there has no rate.
  private let read: [Int]

  /// The arguments for an output that reads pictures and sound along, and keeps nothing; none for a film without
  /// sound. For formats whose times are no offsets from the beginning, such as MPEG's, ffmpeg counts from the first
  /// of the tracks that it reads: pictures and sound that are read apart would both begin at 0.
  ///
  /// - Parameter input: the film's number among the inputs.
  func readingAlong(_ input: Int) -> [String] {
    read.count < 2
      ? [] : read.flatMap { ["-map", "\(input):\($0)"] } + ["-c", "copy", "-f", "null", "-"]
  }

  /// Asks ffprobe about a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - isWanted: asked several times a second while ffprobe is waited for; where false, it is ended.
  /// - Throws: `FileError` where the file is no film or ffprobe is missing.
  public init(_ path: String, while isWanted: @escaping @Sendable () -> Bool = { true }) throws {
    let patience = Patience(silence: .seconds(60), isWanted: isWanted)
    self.init(try FilmDescription(path, Picture.Limits(), patience))
  }

  init(_ film: FilmDescription) {
    read = film.tracks.indices.filter {
      $0 == film.pictures
        || film.tracks[$0]["codec_type"] == "audio" && film.tracks[$0]["sample_rate"] ?? "0" != "0"
    }
    all = film.tracks.enumerated().filter { $0.offset != film.pictures }.map { _, values in
      Track(
        kind: values["codec_type"].map(String.init) ?? "data",
        codec: values["codec_name"].map(String.init) ?? "unknown",
        language: values["tag:language"].map(String.init).flatMap {
          Self.isLanguage($0) ? $0 : nil
        },
        hasTitle: values["tag:title"] != nil)
    }
  }

  /// Whether a text is a language's code, and not one for an unknown language.
  private static func isLanguage(_ text: String) -> Bool {
    (2...35).contains(text.utf8.count) && text != "und"
      && text.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
