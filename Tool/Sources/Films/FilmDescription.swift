import Files
import LibC
import Raster

/// What ffprobe says of a film, by its names.
struct FilmDescription {
  /// Of each track, in the film's order.
  private(set) var tracks: [[Substring: Substring]] = []
  /// Of the whole.
  private(set) var film: [Substring: Substring] = [:]

  /// - Throws: `FileError` where the file is no film or ffprobe is missing.
  init(_ path: String, _ limits: Picture.Limits, _ patience: Patience) throws {
    let entries = [
      "index", "codec_name", "codec_type", "pix_fmt", "field_order", "color_space",
      "color_transfer", "color_primaries", "width", "height", "sample_aspect_ratio",
      "avg_frame_rate", "r_frame_rate", "time_base", "nb_frames", "sample_rate", "sample_fmt",
    ]
    let lines = try probe(
      path, limits, patience,
      [
        "-of", "compact=print_section=0", "-show_entries",
        "stream=\(entries.joined(separator: ","))"
          + ":stream_disposition=default,attached_pic,timed_thumbnails"
          + ":stream_tags=alpha_mode,ALPHA_MODE,language,title:stream_side_data=rotation,dv_profile"
          + ":format=duration",
      ])
    var found: [Int: [Substring: Substring]] = [:]
    for line in lines {
      let values = Self.values(line)
      guard let index = values["index"].flatMap({ Int($0) }) else {
        film.merge(values) { first, _ in first }
        continue
      }
      // A program names its tracks, too, and says less of them.
      found[index, default: [:]].merge(values) { $1 }
    }
    tracks = found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The entries of a line, in which a backslash precedes what would end one.
  private static func values(_ line: Substring) -> [Substring: Substring] {
    let entries = line.replacing(#"\\"#, with: "").replacing(#"\|"#, with: "").split(separator: "|")
    let pairs = entries.compactMap { entry -> (Substring, Substring)? in
      let parts = entry.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      let isNamed = ["tag:", "disposition:"].contains { parts[0].hasPrefix($0) }
      return (isNamed ? parts[0] : parts[0].split(separator: ":").last ?? "", parts[1])
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The tracks of pictures, but not a cover.
  private var pictureTracks: [Int] {
    tracks.indices.filter { index in
      tracks[index]["codec_type"] == "video"
        && ["attached_pic", "timed_thumbnails"].allSatisfy {
          tracks[index]["disposition:" + $0] != "1"
        }
    }
  }

  /// The track whose pictures players show: the first that is marked as the usual one, or else the first; nil for
  /// none.
  var pictures: Int? {
    pictureTracks.first { tracks[$0]["disposition:default"] == "1" } ?? pictureTracks.first
  }

  /// How many other tracks of pictures there are.
  var otherPictures: Int { max(0, pictureTracks.count - 1) }
}

/// The most bytes that ffprobe may write about a film. Of the titles of tracks, it writes all.
private let mostText = 1 << 20

/// The lines that ffprobe writes about a film.
///
/// - Throws: `FileError` where the file is no film, there is too much to say of it, or ffprobe is missing.
func probe(
  _ path: String, _ limits: Picture.Limits, _ patience: Patience, _ arguments: [String]
) throws -> [Substring] {
  let (program, output) = try Program.reading(
    "ffprobe", ["-v", "error"] + inputArguments(path, limits) + arguments, for: path, patience)
  let text: [UInt8]
  do {
    // Closed before the program's end: one with more to say would wait for a reader.
    defer { _ = close(output) }
    text = program.read(output, atMost: mostText)
  }
  guard text.count < mostText else {
    throw FileError(
      path: path, found: "ffprobe's description of 1 MiB or more, as of long titles",
      expected: "a shorter one")
  }
  if let failure = program.wait().failure {
    throw FileError(path: path, found: failure, expected: "a film")
  }
  return String(decoding: text, as: UTF8.self).split(separator: "\n")
}

/// The arguments for a film that is read, whose pictures may not exceed these limits. Its name cannot be taken
/// for an option or an address, and what is in it, such as a list of other files, cannot make ffmpeg open
/// anything else.
func inputArguments(_ path: String, _ limits: Picture.Limits = Picture.Limits()) -> [String] {
  let containers = [
    "mov", "matroska", "avi", "mpeg", "mpegts", "mpegvideo", "asf", "flv", "ogg", "mxf", "dv",
    "gif", "apng", "webp_pipe",
  ]
  // Pictures are stored in whole blocks: their size is checked exactly before and after.
  let pixels = min(limits.maximumPixels, RGBImage.maximumPixels)
  // ffmpeg knows an animated PNG only by its first 2 KB, and may take it for a still one.
  let isPNG = (try? readStart(of: path, limit: 512)).map(isPNG) ?? false
  return (isPNG ? ["-f", "apng"] : []) + [
    "-max_pixels", "\(2 * pixels)", "-protocol_whitelist", "file", "-format_whitelist",
    containers.joined(separator: ","), "-i", "file:" + path,
  ]
}
