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
  /// The suffixes of films.
  public static let fileSuffixes = [
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".wmv",
  ]

  /// The film's path.
  public let path: String
  /// The time from each picture to the next.
  public let interval: RationalTime
  /// About how many pictures there are; nil where the file does not say.
  public let pictureCount: Int?
  /// ffmpeg's complaints about a film that it could read, such as of a damaged picture; empty until the last
  /// picture has been read.
  public private(set) var complaints = ""

  private let program: Program
  private let pictures: Int32
  private let limits: Picture.Limits
  /// Most pictures may be repeated, so their number is limited by the film's bytes.
  private let mostPictures: Int
  private var number = 0
  /// A longer gap between two pictures is shortened to this many.
  private static let longestGap = 10_000

  /// Begins to read a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - interval: the time from each picture to the next; nil for the film's own.
  ///   - limits: what a picture may not exceed.
  /// - Throws: `FileError` for a file that cannot be read or is no film, or where ffmpeg is missing.
  public init(
    _ path: String, interval: RationalTime? = nil, limits: Picture.Limits = Picture.Limits()
  )
    throws
  {
    let size = try readableSize(of: path)
    mostPictures = 1000 + 4 * size
    let properties = try FilmProperties(path, limits)
    self.path = path
    self.interval = try interval ?? properties.interval(of: path, limits)
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
  /// - Throws: `FileError` where ffmpeg fails, the film has no picture, or one is too large.
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
    let bytes = try readBytes(pictures, atMost: count) { error($0, expected: "picture \(number)") }
    guard bytes.count == count || mayEnd && bytes.isEmpty else {
      // The reason is what ffmpeg says.
      let found = program.wait().failure ?? "the end"
      throw error(found, expected: "the rest of picture \(number)")
    }
    return bytes
  }

  private func error(_ found: String, expected: String) -> FileError {
    FileError(path: path, found: found, expected: expected)
  }
}

/// The number of bytes of a file, which can be opened.
private func readableSize(of path: String) throws -> Int {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else {
    throw FileError(path: path, found: systemMessage(errno), expected: "a film")
  }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
    throw FileError(path: path, found: "a directory, pipe or device", expected: "a film")
  }
  return Int(status.st_size)
}
