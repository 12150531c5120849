import FaceAnalysis
import Files
import LibC
import Raster

/// What ffprobe says about a film.
struct FilmProperties {
  let pictures: StoredPictures
  var pictureCount: Int?
  /// The time between pictures; nil where the film states no rate.
  private var stated: RationalTime?
  /// ffprobe's guess at it, which may be a tick of the film's clock.
  private var tick: RationalTime?

  /// - Throws: `FileError` where the file has no pictures or ffprobe is missing.
  init(_ path: String, _ limits: Picture.Limits, _ patience: Patience) throws {
    let entries = [
      "codec_name", "pix_fmt", "field_order", "color_range", "color_space", "color_transfer",
      "color_primaries", "width", "height", "sample_aspect_ratio", "avg_frame_rate",
      "r_frame_rate", "nb_frames",
    ]
    let lines = try probe(
      path, limits, patience,
      [
        "-select_streams", "V:0", "-of", "default=noprint_wrappers=1", "-show_entries",
        "stream=\(entries.joined(separator: ",")):stream_tags=alpha_mode"
          + ":stream_side_data=rotation,dv_profile:format=duration",
      ])
    var values: [Substring: Substring] = [:]
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      // Tags, whose text may hold lines, come after all that they could feign.
      if parts.count == 2, values[parts[0]] == nil { values[parts[0]] = parts[1] }
    }
    guard values.keys.contains(where: { $0 != "duration" }) else {
      throw FileError(path: path, found: "no pictures", expected: "a film")
    }
    if let unreadable = Self.unreadable(values) {
      throw FileError(path: path, found: unreadable.found, expected: unreadable.expected)
    }
    pictures = StoredPictures(values)
    if let size = Self.squareSize(values),
      let excess = limits.excess(ofWidth: size.width, height: size.height)
    {
      throw FileError(path: path, found: "\(excess)", expected: "smaller pictures")
    }
    tick = values["r_frame_rate"].flatMap { Self.interval(of: $0) }
    stated = values["avg_frame_rate"].flatMap { Self.interval(of: $0) }
    // Few cameras take more pictures in a second.
    if stated == nil, let tick, tick.seconds >= 1 / 240 { stated = tick }
    pictureCount = values["nb_frames"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    if pictureCount == nil, let stated, let seconds = values["duration"].flatMap({ Double($0) }),
      (0...1e9).contains(seconds)
    {
      pictureCount = Int((seconds / stated.seconds).rounded())
    }
  }

  /// What ffmpeg would show wrongly, or not at all, and what to give instead.
  private static func unreadable(
    _ values: [Substring: Substring]
  ) -> (found: String, expected: String)? {
    if values["dv_profile"] == "5" {
      return ("Dolby Vision alone (profile 5)", "a film that is also in HDR10, HLG or BT.709")
    }
    if values["codec_name"] == "webp", values["width"] ?? "0" == "0" {
      return ("animated WebP, which this ffmpeg cannot read", "a film, a GIF or an APNG made of it")
    }
    return nil
  }

  /// The time between pictures: as the film states it, or else the average of its first ones.
  ///
  /// - Throws: `FileError` where there is none.
  func interval(
    of path: String, _ limits: Picture.Limits, _ patience: Patience
  ) throws -> RationalTime {
    guard let interval = try stated ?? averageInterval(of: path, limits, patience) ?? tick else {
      throw FileError(
        path: path, found: "no frame rate",
        expected: "a film with one, or the time between pictures")
    }
    return interval
  }

  /// The size of upright pictures with square pixels; nil where the file does not say.
  private static func squareSize(_ values: [Substring: Substring]) -> (width: Int, height: Int)? {
    guard let width = values["width"].flatMap({ Int32($0) }), width > 0,
      let height = values["height"].flatMap({ Int32($0) }), height > 0
    else { return nil }
    let aspect = values["sample_aspect_ratio"]?.split(separator: ":").compactMap { Int32($0) } ?? []
    guard aspect.count == 2, aspect[0] > 0, aspect[1] > 0 else { return (Int(width), Int(height)) }
    let rotation = values["rotation"].flatMap { Double($0) } ?? 0
    // ffmpeg turns a picture, and its pixels, before it makes them square.
    return abs(rotation.remainder(dividingBy: 180)) > 45
      ? (max(1, Int(height) * Int(aspect[1]) / Int(aspect[0])), Int(width))
      : (max(1, Int(width) * Int(aspect[0]) / Int(aspect[1])), Int(height))
  }

  /// The time between pictures at a rate such as 30000/1001; nil outside of 1 in 1,000 s to 1,000 in 1 s.
  private static func interval(of rate: Substring) -> RationalTime? {
    let numbers = rate.split(separator: "/").compactMap { Int32($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0,
      (0.001...1000).contains(Double(numbers[0]) / Double(numbers[1]))
    else { return nil }
    return try? RationalTime(value: Int(numbers[1]), timescale: Int(numbers[0]))
  }
}

/// The average time between a film's first pictures, 1 ms to 1,000 s; nil where fewer than two have a time.
///
/// - Throws: `FileError` where the file is no film or ffprobe is missing.
private func averageInterval(
  of path: String, _ limits: Picture.Limits, _ patience: Patience
) throws -> RationalTime? {
  let lines = try probe(
    path, limits, patience,
    [
      "-select_streams", "V:0", "-of", "default=noprint_wrappers=1:nokey=1", "-read_intervals",
      "%+#100", "-show_entries",
      "packet=pts_time",
    ])
  let times = lines.compactMap { Double($0) }.filter { $0.magnitude <= 1e9 }
  guard let first = times.min(), let last = times.max(), times.count > 1, last > first else {
    return nil
  }
  let seconds = min(max((last - first) / Double(times.count - 1), 0.001), 1000)
  return try RationalTime(value: Int((seconds * 90_000).rounded()), timescale: 90_000)
}

/// The lines that ffprobe writes about a film, of at most 64 KiB.
///
/// - Throws: `FileError` where the file is no film or ffprobe is missing.
func probe(
  _ path: String, _ limits: Picture.Limits, _ patience: Patience, _ arguments: [String]
) throws -> [Substring] {
  let (program, output) = try Program.reading(
    "ffprobe", ["-v", "error"] + inputArguments(path, limits) + arguments, for: path, patience)
  let text: [UInt8]
  do {
    // Closed before the program's end: one with more to say would wait for a reader.
    defer { _ = close(output) }
    text = program.read(output, atMost: 1 << 16)
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
    "gif",
    "apng", "webp_pipe",
  ]
  // Pictures are stored in whole blocks: their size is checked exactly before and after.
  let pixels = min(limits.maximumPixels, RGBImage.maximumPixels)
  return [
    "-max_pixels", "\(2 * pixels)", "-protocol_whitelist", "file", "-format_whitelist",
    containers.joined(separator: ","), "-i", "file:" + path,
  ]
}
