// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC
import YOLOFaceRaster
import YOLOFaceUntrusted

struct FilmDescription {
  /// Of each track, in the film's order.
  private(set) var tracks: [FilmEntries] = []
  private(set) var film = FilmEntries()

  init(_ path: String, _ limits: Picture.Limits, _ waitLimit: WaitLimit) throws {
    let entries = [
      "index", "codec_name", "codec_type", "pix_fmt", "field_order", "color_space",
      "color_transfer", "color_primaries", "width", "height", "sample_aspect_ratio",
      "avg_frame_rate", "r_frame_rate", "time_base", "nb_frames", "sample_rate", "sample_fmt",
    ]
    let lines = try probe(
      path, limits, waitLimit,
      [
        "-of", "compact=print_section=0", "-show_entries",
        "stream=\(entries.joined(separator: ","))"
          + ":stream_disposition=default,attached_pic,timed_thumbnails"
          + ":stream_tags=alpha_mode,ALPHA_MODE,language,title:stream_side_data=displaymatrix,dv_profile,"
          + "crop_left,crop_top,crop_right,crop_bottom"
          + ":format=duration,format_name",
      ])
    var found: [Int: FilmEntries] = [:]
    for line in lines {
      let entries = FilmEntries(line)
      guard let index = entries["index"].flatMap({ Int($0) }) else {
        film.add(entries) { first, _ in first }
        continue
      }
      // A program names its tracks, too, and says less of them.
      found[index, default: FilmEntries()].add(entries) { $1 }
    }
    tracks = found.sorted { $0.key < $1.key }.map(\.value)
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

  /// The track whose pictures players show: the one with the largest of those that are marked as the usual ones, or
  /// else of all; nil for none.
  var pictures: Int? {
    func area(_ index: Int) -> Double {
      ["width", "height"].reduce(1) { $0 * (tracks[index][$1].flatMap { Double($0) } ?? 0) }
    }
    let usual = pictureTracks.filter { tracks[$0]["disposition:default"] == "1" }
    return (usual.isEmpty ? pictureTracks : usual).max { area($0) < area($1) }
  }

  /// How many tracks of pictures come before one, covers apart, which containers keep elsewhere.
  func pictureTracks(before index: Int) -> Int {
    tracks[..<index].count {
      $0["codec_type"] == "video" && $0["disposition:attached_pic"] != "1"
    }
  }

  var otherPictures: Int { max(0, pictureTracks.count - 1) }
}

/// What ffprobe says of a track or of a whole film, by its names.
struct FilmEntries {
  /// The most bytes of a value that is looked at: no word or number of ffprobe's has more.
  private static let mostBytes = 256
  private var values: [UntrustedText: UntrustedText] = [:]

  init() {}

  /// The entries of a line, in which a backslash precedes what would end one.
  init(_ line: UntrustedText) {
    var (start, isEscaped) = (line.startIndex, false)
    for (index, byte) in zip(line.indices, line) {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "|") {
        add(line[start..<index])
        start = index + 1
      }
    }
    add(line[start...])
  }

  private mutating func add(_ entry: UntrustedText) {
    guard let (path, value) = entry.cut(at: UInt8(ascii: "=")), !value.isEmpty else { return }
    let isWhole = path.starts(with: "tag:") || path.starts(with: "disposition:")
    let colon = isWhole ? nil : path.lastIndex(of: UInt8(ascii: ":"))
    let name = colon.map { path[($0 + 1)...] } ?? path
    if values[name] == nil { values[name] = value }
  }

  mutating func add(
    _ others: FilmEntries, choosing choose: (UntrustedText, UntrustedText) -> UntrustedText
  ) {
    values.merge(others.values, uniquingKeysWith: choose)
  }

  func has(_ name: String) -> Bool { values[UntrustedText(name)] != nil }

  /// A short value in ASCII; nil for none or another.
  subscript(name: String) -> String? {
    values[UntrustedText(name)].flatMap { $0.count <= Self.mostBytes ? $0.ascii : nil }
  }
}

/// The most bytes that ffprobe may write about a film. Of the titles of tracks, it writes all.
private let mostText = 1 << 20

func probe(
  _ path: String, _ limits: Picture.Limits, _ waitLimit: WaitLimit, _ arguments: [String]
) throws -> [UntrustedText] {
  let (program, output) = try Program.reading(
    "ffprobe", ["-v", "error"] + inputArguments(path, limits) + arguments, for: path, waitLimit)
  let text = program.read(output, atMost: mostText)
  // Before the program's end: one with more to say would wait for a reader.
  _ = close(output)
  guard text.count < mostText else {
    let found = "ffprobe's description of 1 MiB or more, as of long titles"
    throw FileError(path: path, found: found, expected: "a shorter one")
  }
  if let failure = program.wait().failure {
    throw FileError(path: path, found: failure, expected: "a film")
  }
  return UntrustedText(text).split(separator: UInt8(ascii: "\n"))
}

/// The arguments for a film that is read, whose pictures may not exceed these limits. Its name cannot be taken for an
/// option or an address, and what is in it, such as a list of other files, cannot make ffmpeg open anything else.
func inputArguments(_ path: String, _ limits: Picture.Limits = Picture.Limits()) -> [String] {
  let containers = [
    "mov", "matroska", "avi", "mpeg", "mpegts", "mpegvideo", "asf", "flv", "ogg", "mxf", "dv",
    "gif", "apng", "webp_pipe",
  ]
  // Pictures are stored in whole blocks: their size is checked exactly before and after.
  let pixels = max(1, min(limits.maximumPixels, RGBImage.maximumPixels))
  // ffmpeg knows an animated PNG only by its first 2 KB, and may take it for a still one.
  let isPNG = (try? readStart(of: path, limit: 512)).map(isPNG) ?? false
  return (isPNG ? ["-f", "apng"] : []) + [
    "-max_pixels", "\(2 * pixels)", "-protocol_whitelist", "file", "-format_whitelist",
    containers.joined(separator: ","), "-i", "file:" + path,
  ]
}
