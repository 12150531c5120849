import FaceAnalysis
import Files
import LibC
import Raster

/// A film's pictures, one at a time, read by ffmpeg.
///
/// Pictures are upright, as the film's rotation says, with square pixels, and as far apart as the film's
/// average frame rate says, or the times of its first pictures where it states none: of a film whose rate
/// varies, some are left out and some are repeated, up to 10,000 in a gap.
/// Both ffmpeg and ffprobe must be on the path; they read this one file, and nothing from a network.
public final class FilmReader {
  /// The endings of files that are taken for films.
  public static let fileSuffixes = [
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".wmv",
  ]

  /// The film's path.
  public let path: String
  /// The time from each picture to the next.
  public let interval: RationalTime
  /// About how many pictures there are; nil where the file does not say.
  public let pictureCount: Int?
  /// What ffmpeg complained of though it went on, for example a damaged picture, known after the last
  /// picture; empty for nothing.
  public private(set) var complaints = ""

  private let program: Program
  private let pictures: Int32
  private let limits: PNG.Limits
  /// The bytes of a film limit the number of pictures, most of which may be repeated.
  private let mostPictures: Int
  private var number = 0
  /// A longer gap between two pictures becomes one of so many repeated ones.
  private static let longestGap = 10_000

  /// Begins to read a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - interval: the time from each picture to the next; nil for the film's own.
  ///   - limits: what a picture may not exceed.
  /// - Throws: `FilmError` for a file that cannot be read or is no film, or where ffmpeg is missing.
  public init(_ path: String, interval: RationalTime? = nil, limits: PNG.Limits = PNG.Limits())
    throws
  {
    let size = try readableSize(of: path)
    mostPictures = 1000 + 4 * size
    let properties = try FilmProperties(path, limits)
    self.path = path
    self.interval = try interval ?? properties.interval ?? averageInterval(of: path, limits)
    self.limits = limits
    pictureCount = interval == nil ? properties.pictureCount : nil
    (program, pictures) = try Program.reading(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + inputArguments(path, limits) + [
        "-map", "0:V:0", "-vf", Self.filters(interval: self.interval), "-f", "image2pipe", "-c:v",
        "ppm", "-pix_fmt", "rgb24", "pipe:1",
      ], for: path)
  }

  deinit {
    _ = close(pictures)
    program.terminate()
  }

  /// Makes pixels square, and fills the gaps between pictures with repeated ones.
  private static func filters(interval: RationalTime) -> String {
    let rate = "\(interval.timescale)/\(interval.value)"
    // ffmpeg fills a whole gap before it writes any of it, and a file may claim one of years.
    let gap = "PREV_OUTPTS+min(PTS-PREV_INPTS,\(longestGap)/(\(rate))/TB)"
    return "scale=iw*sar:ih,setsar=1,setpts='if(isnan(PREV_INPTS),PTS,\(gap))',fps=\(rate)"
  }

  /// The next picture; nil after the last.
  ///
  /// - Throws: `FilmError` where ffmpeg fails, the film has no picture, or one is too large.
  public func next() throws -> RGBImage? {
    guard let (width, height) = try nextSize() else {
      let end = program.wait()
      if let failure = end.failure { throw error(failure, expected: "a film") }
      guard number > 0 else { throw error("no picture", expected: "a film") }
      complaints = end.errors
      return nil
    }
    guard number < mostPictures else {
      throw error(
        "more than \(mostPictures) pictures, most of them repeated",
        expected: "at most four for each byte")
    }
    let bytes = try read(3 * width * height)
    number += 1
    return try RGBImage(
      copying: bytes, width: width, height: height, format: .rgb, bytesPerRow: 3 * width)
  }

  /// The size in the header of a Portable Pixmap (https://netpbm.sourceforge.net/doc/ppm.html); nil at the
  /// end.
  private func nextSize() throws -> (width: Int, height: Int)? {
    var header: [UInt8] = []
    while header.count < 40 {
      let byte = try read(1, mayEnd: header.isEmpty)
      if byte.isEmpty { return nil }
      header += byte
      let words = header.split(omittingEmptySubsequences: false) { $0 == 10 || $0 == 32 }
        .map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 5 else { continue }
      guard words[0] == "P6", words[3] == "255", let width = Int32(words[1]),
        let height = Int32(words[2]), width > 0, height > 0
      else { break }
      if let excess = limits.excess(ofWidth: Int(width), height: Int(height)) {
        throw error("\(excess)", expected: "smaller pictures")
      }
      return (Int(width), Int(height))
    }
    throw error("\(header.prefix(40))", expected: "the header of picture \(number)")
  }

  private func read(_ count: Int, mayEnd: Bool = false) throws -> [UInt8] {
    let bytes = try readFully(pictures, count) { error($0, expected: "picture \(number)") }
    guard bytes.count == count || mayEnd && bytes.isEmpty else {
      // The reason is what ffmpeg says.
      let found = program.wait().failure ?? "the end"
      throw error(found, expected: "the rest of picture \(number)")
    }
    return bytes
  }

  private func error(_ found: String, expected: String) -> FilmError {
    FilmError(path: path, found: found, expected: expected)
  }
}

/// What ffprobe tells about a film.
private struct FilmProperties {
  /// Nil where the film states no rate.
  var interval: RationalTime?
  var pictureCount: Int?

  /// - Throws: `FilmError` where the file has no pictures or ffprobe is missing.
  init(_ path: String, _ limits: PNG.Limits) throws {
    let entries = [
      "width", "height", "sample_aspect_ratio", "avg_frame_rate", "r_frame_rate", "nb_frames",
    ]
    let lines = try probe(
      path, limits,
      [
        "-show_entries", "stream=\(entries.joined(separator: ",")):stream_side_data=rotation",
        "-of",
        "default=noprint_wrappers=1",
      ])
    var values: [Substring: Substring] = [:]
    for line in lines {
      let parts = line.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    if let size = Self.squareSize(values),
      let excess = limits.excess(ofWidth: size.width, height: size.height)
    {
      throw FilmError(path: path, found: "\(excess)", expected: "smaller pictures")
    }
    // Where a film states no average, what ffprobe calls its rate may be that of its clock.
    interval =
      values["avg_frame_rate"].flatMap { Self.interval(of: $0) }
      ?? values["r_frame_rate"].flatMap { Self.interval(of: $0, upTo: 240) }
    pictureCount = values["nb_frames"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
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

  /// The time between pictures at a rate such as 30000/1001; nil outside of 1 in 1,000 s to `most` in 1 s.
  private static func interval(of rate: Substring, upTo most: Double = 1000) -> RationalTime? {
    let numbers = rate.split(separator: "/").compactMap { Int32($0) }
    guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0,
      (0.001...most).contains(Double(numbers[0]) / Double(numbers[1]))
    else { return nil }
    return try? RationalTime(value: Int64(numbers[1]), timescale: numbers[0])
  }
}

/// The average time between a film's first pictures, 1 ms to 1,000 s.
///
/// - Throws: `FilmError` where the film has no two times.
private func averageInterval(of path: String, _ limits: PNG.Limits) throws -> RationalTime {
  let lines = try probe(
    path, limits,
    ["-read_intervals", "%+#100", "-show_entries", "packet=pts_time", "-of", "csv=print_section=0"])
  let times = lines.compactMap { Double($0) }.filter { $0.magnitude <= 1e9 }
  guard let first = times.min(), let last = times.max(), times.count > 1, last > first else {
    throw FilmError(path: path, found: "no frame rate", expected: "a film with one; give its rate")
  }
  let seconds = min(max((last - first) / Double(times.count - 1), 0.001), 1000)
  return try RationalTime(value: Int64((seconds * 90_000).rounded()), timescale: 90_000)
}

/// The lines that ffprobe writes about a film's pictures, of at most 4,096 bytes.
///
/// - Throws: `FilmError` where the file is no film or ffprobe is missing.
private func probe(
  _ path: String, _ limits: PNG.Limits, _ arguments: [String]
) throws -> [Substring] {
  let (program, output) = try Program.reading(
    "ffprobe",
    ["-v", "error"] + inputArguments(path, limits) + ["-select_streams", "V:0"] + arguments,
    for: path)
  let text: [UInt8]
  do {
    // Closed before the program's end: one with more to tell would wait to be read.
    defer { _ = close(output) }
    text = try readFully(output, 4096) {
      FilmError(path: path, found: $0, expected: "a description")
    }
  }
  if let failure = program.wait().failure {
    throw FilmError(path: path, found: failure, expected: "a film")
  }
  return String(decoding: text, as: UTF8.self).split(separator: "\n")
}

/// The arguments for a film that is read, whose pictures may not exceed these limits. Its name cannot be taken
/// for an option or an address, and what is in it, such as a list of other files, cannot make ffmpeg open
/// anything else.
func inputArguments(_ path: String, _ limits: PNG.Limits = PNG.Limits()) -> [String] {
  let containers = "mov,matroska,avi,mpeg,mpegts,mpegvideo,asf"
  // Pictures are stored in whole blocks: their size is checked exactly before and after.
  let pixels = min(limits.maximumPixels, RGBImage.maximumPixels)
  return [
    "-max_pixels", "\(2 * pixels)", "-protocol_whitelist", "file", "-format_whitelist",
    containers, "-i", "file:" + path,
  ]
}

/// The number of bytes of a file, which can be opened.
private func readableSize(of path: String) throws -> Int {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw FilmError(path: path, found: systemMessage(errno), expected: "a film")
  }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw FilmError(path: path, found: "a directory, pipe or device", expected: "a film")
  }
  return Int(status.st_size)
}

/// Reads so many bytes, or all that there are until the end.
private func readFully(
  _ descriptor: Int32, _ count: Int, failure: (String) -> FilmError
) throws -> [UInt8] {
  try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    while filled < count {
      let got = read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw failure(systemMessage(errno)) }
      if got == 0 { return }
      filled += got
    }
  }
}
