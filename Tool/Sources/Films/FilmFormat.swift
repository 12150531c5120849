// SPDX-License-Identifier: Apache-2.0
struct FilmFormat {
  let suffix: String
  /// What ffmpeg calls the container.
  let muxer: String
  /// The encoder's options, without its quality.
  let encoder: [String]
  /// The constant rate factor; nil where nothing is lost by compression.
  let usualQuality: Int?
  /// The codecs of sound that it holds as it is; other sound is compressed again. Without any, it has no sound.
  let sound: Set<String>
  /// What it calls languages, where that is not what others call them; nil where it has no place for them.
  var languages: [String: String]? = [:]
  /// The parts of a second that a picture's time may be stored in; nil for pictures at one rate.
  var timescales: ClosedRange<Int>? = 10_000...1_000_000
  /// Makes the stored pictures of RGB ones; nil for luma and chroma.
  var filter: String?

  /// Of these, `.png` is a still picture's suffix, too.
  static let all = [
    FilmFormat(
      suffix: ".mp4", muxer: "mp4", encoder: indexAtFront, usualQuality: 18,
      sound: commonSound.union(["opus"])),
    FilmFormat(
      suffix: ".m4v", muxer: "mp4", encoder: indexAtFront, usualQuality: 18,
      sound: commonSound.union(["opus"])),
    FilmFormat(
      suffix: ".mov", muxer: "mov", encoder: indexAtFront, usualQuality: 18,
      sound: commonSound.union(plainSound).union(["pcm_s16be", "pcm_s24be"]),
      // ISO 639-2 has two codes for some, and QuickTime's list of languages the older ones.
      languages: [
        "deu": "ger", "nld": "dut", "ell": "gre", "isl": "ice", "zho": "chi", "sqi": "alb",
        "hye": "arm", "kat": "geo",
      ]),
    FilmFormat(
      suffix: ".mkv", muxer: "matroska", encoder: [], usualQuality: 18,
      sound: commonSound.union(plainSound).union(["flac", "opus", "truehd", "vorbis", "wmav2"]),
      timescales: milliseconds),
    FilmFormat(
      suffix: ".webm", muxer: "webm", encoder: ["-b:v", "0"], usualQuality: 24,
      sound: ["opus", "vorbis"], timescales: milliseconds),
    // Its usual codec, unlike H.264, says nothing of colour, and the container has no times for reordered pictures.
    FilmFormat(
      suffix: ".avi", muxer: "avi", encoder: ["-c:v", "h264", "-bf", "0"], usualQuality: 18,
      sound: plainSound.union(["aac", "ac3", "mp2", "mp3", "wmav2"]), languages: nil,
      timescales: nil),
    // Colours are chosen for each picture: for all at once, ffmpeg would hold the whole film in memory.
    FilmFormat(
      suffix: ".gif", muxer: "gif", encoder: ["-loop", "0"], usualQuality: nil, sound: [],
      timescales: 100...100,
      filter: "split[a][b];[a]palettegen=stats_mode=single[c];[b][c]paletteuse=new=1"),
    animatedPNG(".apng"), animatedPNG(".png"),
  ]

  private static func animatedPNG(_ suffix: String) -> FilmFormat {
    FilmFormat(
      suffix: suffix, muxer: "apng", encoder: ["-plays", "0"], usualQuality: nil, sound: [],
      timescales: milliseconds, filter: "format=rgb24")
  }

  /// The codecs of sound that lose nothing by being decoded and encoded once more.
  static let losslessSound = plainSound.union(["alac", "flac", "pcm_s16be", "pcm_s24be"])

  private static let milliseconds = 1000...1000

  private static let commonSound: Set = ["aac", "ac3", "alac", "dts", "eac3", "mp2", "mp3"]
  private static let plainSound: Set = [
    "pcm_alaw", "pcm_f32le", "pcm_mulaw", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_u8",
  ]

  #if canImport(Darwin)
    // There, an output that is already open cannot be read again.
    private static let indexAtFront: [String] = []
  #else
    private static let indexAtFront = ["-movflags", "+faststart"]
  #endif
}

extension FilmFormat {
  /// The format of a film of this name; nil where none is.
  init?(of path: String) {
    let lowercase = path.lowercased()
    guard let format = Self.all.first(where: { lowercase.hasSuffix($0.suffix) }) else { return nil }
    self = format
  }
}
