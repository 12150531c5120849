// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceRaster

/// How a film's pictures are stored, and when they are shown.
struct FilmProperties {
  let pictures: StoredPictures
  let track: Int
  let tracks: FilmTracks
  /// In words, the tracks of pictures that are not read.
  let losses: [String]
  var pictureCount: Int?
  /// How many pictures the film's index says that there are; nil, too, where it counts repeated ones, as in AVI.
  let indexedCount: Int?
  let clock: RationalTime
  /// The time between pictures; nil where the film states no rate.
  private var stated: RationalTime?
  /// ffprobe's guess at it, which may be a tick of the film's clock.
  private var tick: RationalTime?

  init(_ path: String, _ limits: Picture.Limits, _ waitLimit: WaitLimit) throws {
    let film = try FilmDescription(path, limits, waitLimit)
    guard let track = film.pictures else {
      throw FileError(path: path, found: "no pictures", expected: "a film")
    }
    let values = film.tracks[track]
    if let unreadable = Self.unreadable(values) {
      throw FileError(path: path, found: unreadable.found, expected: unreadable.expected)
    }
    (self.track, tracks) = (track, FilmTracks(film))
    let crops = PictureCrop.all(in: path).dropFirst(film.pictureTracks(before: track))
    pictures = StoredPictures(
      values, crop: crops.first ?? PictureCrop(),
      turned: try turn(ofTrack: track, values, in: path, limits, waitLimit))
    losses =
      film.otherPictures > 0
      ? ["of \(film.otherPictures + 1) tracks of pictures, only track \(track) was read"] : []
    if let size = pictures.size,
      let excess = limits.excess(ofWidth: size.width, height: size.height)
    {
      throw FileError(path: path, found: "\(excess)", expected: "smaller pictures")
    }
    clock =
      try values["time_base"].flatMap(ratio).map {
        try RationalTime(value: $0.numerator, timescale: $0.denominator)
      } ?? RationalTime(value: 1, timescale: 90_000)
    tick = values["r_frame_rate"].flatMap { Self.interval(of: $0) }
    stated = values["avg_frame_rate"].flatMap { Self.interval(of: $0) }
    // Few cameras take more pictures in a second.
    if stated == nil, let tick, tick.seconds >= 1 / 240 { stated = tick }
    pictureCount = values["nb_frames"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    indexedCount = film.film["format_name"] == "avi" ? nil : pictureCount
    if pictureCount == nil, let stated,
      let seconds = film.film["duration"].flatMap({ Double($0) }), (0...1e9).contains(seconds)
    {
      pictureCount = Int((seconds / stated.seconds).rounded())
    }
  }

  /// What ffmpeg would show wrongly, or not at all, and what to give instead.
  private static func unreadable(_ values: FilmEntries) -> (found: String, expected: String)? {
    if values["dv_profile"] == "5" {
      return ("Dolby Vision alone (profile 5)", "a film that is also in HDR10, HLG or BT.709")
    }
    if values["codec_name"] == "webp", values["width"] ?? "0" == "0" {
      return ("animated WebP, which this ffmpeg cannot read", "a film, a GIF or an APNG made of it")
    }
    return nil
  }

  /// The time between pictures: as the film states it, or else the average of its first ones.
  func interval(
    of path: String, _ limits: Picture.Limits, _ waitLimit: WaitLimit
  ) throws -> RationalTime {
    guard
      let interval = try stated ?? averageInterval(of: track, in: path, limits, waitLimit) ?? tick
    else {
      let expected = "a film with one, or the time between pictures"
      throw FileError(path: path, found: "no frame rate", expected: expected)
    }
    return interval
  }

  /// The time between pictures at a rate such as 30000/1001; nil outside of 1 in 1,000 s to 1,000 in 1 s.
  private static func interval(of rate: String) -> RationalTime? {
    guard let rate = ratio(rate),
      (0.001...1000).contains(Double(rate.numerator) / Double(rate.denominator))
    else { return nil }
    return try? RationalTime(value: rate.denominator, timescale: rate.numerator)
  }
}

/// Two numbers above 0, such as 30000/1001 or 4:3; nil for anything else.
func ratio(_ text: String) -> (numerator: Int, denominator: Int)? {
  let numbers = text.split { $0 == "/" || $0 == ":" }.compactMap { Int32($0) }
  guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else { return nil }
  return (Int(numbers[0]), Int(numbers[1]))
}

/// How a track's pictures must be turned: as the film says, or else its first picture, or the Exif data of an animated
/// PNG, which ffmpeg may not know.
private func turn(
  ofTrack track: Int, _ values: FilmEntries, in path: String, _ limits: Picture.Limits,
  _ waitLimit: WaitLimit
) throws -> StoredPictures.Turn {
  if let matrix = values["displaymatrix"].flatMap(Orientation.init(displayMatrix:)) {
    return StoredPictures.Turn(orientation: matrix)
  }
  switch values["codec_name"] {
  case "apng": return StoredPictures.Turn(orientation: exifOrientation(of: path, limits))
  case "h264", "hevc":
    let lines = try probe(
      path, limits, waitLimit,
      [
        "-select_streams", "\(track)", "-of", "compact=print_section=0", "-read_intervals", "%+#1",
        "-show_entries", "frame_side_data=displaymatrix",
      ])
    let matrix = lines.lazy.compactMap { FilmEntries($0)["displaymatrix"] }.first
    guard let turn = matrix.flatMap(Orientation.init(displayMatrix:)) else { fallthrough }
    return StoredPictures.Turn(orientation: turn, isOfStream: true)
  default: return StoredPictures.Turn()
  }
}

private func exifOrientation(of path: String, _ limits: Picture.Limits) -> Orientation {
  guard let bytes = try? readFile(path, limit: limits.maximumFileBytes),
    let stored = try? Picture.decodeStored(bytes, name: path, limits: limits)
  else { return .up }
  return stored.orientation
}

extension Orientation {
  /// What ffprobe calls a display matrix, to the nearest quarter of a turn: three lines, each a number, a colon and
  /// three numbers, of which the first two are those of the sides (ISO/IEC 14496-12, 6.2.2).
  init?(displayMatrix text: String) {
    let numbers = text.split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
    guard numbers.count == 12 else { return nil }
    let (a, b, c, d) = (numbers[1], numbers[2], numbers[5], numbers[6])
    let isOnItsSide = abs(b) + abs(c) > abs(a) + abs(d)
    self =
      switch isOnItsSide ? (b < 0, c < 0) : (a < 0, d < 0) {
      case (false, false): isOnItsSide ? .leftMirrored : .up
      case (false, true): isOnItsSide ? .right : .downMirrored
      case (true, true): isOnItsSide ? .rightMirrored : .down
      case (true, false): isOnItsSide ? .left : .upMirrored
      }
  }
}

/// The average time between the first pictures of a film's track, 1 ms to 1,000 s; nil where fewer than two have a time.
private func averageInterval(
  of track: Int, in path: String, _ limits: Picture.Limits, _ waitLimit: WaitLimit
) throws -> RationalTime? {
  let lines = try probe(
    path, limits, waitLimit,
    [
      "-select_streams", "\(track)", "-of", "default=noprint_wrappers=1:nokey=1",
      "-read_intervals", "%+#100", "-show_entries", "packet=pts_time",
    ])
  let times = lines.filter { $0.count < 64 }.compactMap { $0.decimal(upTo: 1e9) }
  guard let first = times.min(), let last = times.max(), times.count > 1, last > first else {
    return nil
  }
  let seconds = min(max((last - first) / Double(times.count - 1), 0.001), 1000)
  return try RationalTime(value: Int((seconds * 90_000).rounded()), timescale: 90_000)
}
