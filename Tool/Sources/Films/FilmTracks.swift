// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

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
    let index: Int
    /// Whether it is sound that ffmpeg can read: it knows the samples of a codec that it has, and the rate of a track
    /// that is there, not only announced.
    let isReadableSound: Bool

    fileprivate init(_ values: FilmEntries, index: Int) {
      kind = values["codec_type"] ?? "data"
      codec = values["codec_name"] ?? "unknown"
      language = values["tag:language"].flatMap { isLanguage($0) ? $0 : nil }
      hasTitle = values.has("tag:title")
      self.index = index
      isReadableSound =
        kind == "audio" && values["sample_rate"] ?? "0" != "0"
        && values["sample_fmt"] ?? "unknown" != "unknown"
    }
  }

  /// In the film's order.
  public let all: [Track]

  /// The tracks of sound that ffmpeg can read.
  public var sound: [Track] { all.filter(\.isReadableSound) }

  private let pictures: Int?

  /// The arguments for an output that reads pictures and sound along, and keeps nothing; none for a film without
  /// sound. For formats whose times are no offsets from the beginning, such as MPEG's, ffmpeg counts from the first
  /// of the tracks that it reads: pictures and sound that are read apart would both begin at 0.
  func readingAlong(_ input: Int) -> [String] {
    guard let pictures, !sound.isEmpty else { return [] }
    // Of short packets, several may have one time in the film, which this output would not take.
    return ([pictures] + sound.map(\.index)).flatMap { ["-map", "\(input):\($0)"] }
      + ["-c", "copy", "-bsf", "setts=ts=N", "-f", "null", "-"]
  }

  /// Asks ffprobe about a film, and several times a second whether its answer is still wanted.
  public init(_ path: String, while isWanted: @escaping @Sendable () -> Bool = { true }) throws {
    let waitLimit = WaitLimit(isWanted: isWanted)
    self.init(try FilmDescription(path, Picture.Limits(), waitLimit))
  }

  init(_ film: FilmDescription) {
    pictures = film.pictures
    all = film.tracks.enumerated().filter { $0.offset != film.pictures }.map {
      Track($0.element, index: $0.offset)
    }
  }
}

private func isLanguage(_ text: String) -> Bool {
  (2...35).contains(text.utf8.count) && text != "und"
    && text.allSatisfy { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) }
}
