import FaceAnalysis
import Files
import LibC
import Raster

/// A film's pictures, one at a time, read by ffmpeg.
///
/// Pictures are upright, as the film's rotation says, with square pixels, and as far apart as the film's
/// average frame rate says, or the times of its first pictures where it states none: of a film whose rate
/// varies, some are left out and some are repeated, up to 10,000 in a gap. The two fields of an interlaced
/// picture become one whole picture, transparency becomes white, and high dynamic range BT.709.
/// Both ffmpeg and ffprobe must be on the path; they read this one file, and nothing from a network.
public final class FilmReader {
  /// The suffixes of films.
  public static let fileSuffixes = [
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".vob", ".ts", ".mts",
    ".m2ts",
    ".m2t", ".3gp", ".3g2", ".wmv", ".asf", ".flv", ".f4v", ".ogv", ".mxf", ".dv", ".gif", ".apng",
  ]

  /// The film's path.
  public let path: String
  /// The time from each picture to the next.
  public let interval: RationalTime
  /// About how many pictures there are; nil where the file does not say.
  public let pictureCount: Int?
  /// The colour of the pictures, for a film that is made of them.
  public let colour: FilmColour
  /// In words, what the film has that its pictures lose, such as high dynamic range.
  public let losses: [String]
  /// ffmpeg's complaints about a film that it could read, such as of a damaged picture; empty until the last
  /// picture has been read.
  public private(set) var complaints = ""

  private let program: Program
  private let pictures: Int32
  private let limits: Picture.Limits
  /// What ffmpeg must have to read this film.
  private let need: String?
  /// Most pictures may be repeated, so their number is limited by the film's bytes.
  private let mostPictures: Int
  private var number = 0

  /// Begins to read a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - interval: the time from each picture to the next; nil for the film's own.
  ///   - limits: what a picture may not exceed.
  ///   - silence: for how long ffmpeg may write nothing.
  ///   - isWanted: asked several times a second while ffmpeg is waited for; where false, it is ended.
  /// - Throws: `FileError` for a file that cannot be read or is no film, or where ffmpeg is missing.
  public init(
    _ path: String, interval: RationalTime? = nil, limits: Picture.Limits = Picture.Limits(),
    silence: Duration = .seconds(60), while isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws {
    let size = try readableSize(of: path)
    mostPictures = 1000 + 4 * size
    let patience = Patience(silence: silence, isWanted: isWanted)
    let properties = try FilmProperties(path, limits, patience)
    let stored = properties.pictures
    self.path = path
    self.interval = try interval ?? properties.interval(of: path, limits, patience)
    self.limits = limits
    (colour, losses, need) = (stored.colour, stored.losses, stored.need)
    pictureCount = interval == nil ? properties.pictureCount : nil
    (program, pictures) = try Program.reading(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + stored.decoder + inputArguments(path, limits) + [
        "-map", "0:V:0", "-vf", stored.filters(interval: self.interval), "-f", "image2pipe",
        "-c:v", "ppm", "-pix_fmt", "rgb24", "pipe:1",
      ], for: path, patience)
  }

  deinit {
    _ = close(pictures)
    program.terminate()
  }

  /// The next picture; nil after the last.
  ///
  /// - Throws: `FileError` where ffmpeg fails, the film has no picture, or one is too large.
  public func next() throws -> RGBImage? {
    guard let (width, height) = try nextSize() else {
      let end = program.wait()
      if let failure = end.failure { throw error(failure, expected: remedy(for: failure)) }
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
    let bytes = program.read(pictures, atMost: count)
    guard bytes.count == count || mayEnd && bytes.isEmpty else {
      // The reason is what ffmpeg says.
      let found = program.wait().failure ?? "the end"
      throw error(found, expected: "the rest of picture \(number)")
    }
    return bytes
  }

  /// What is expected where ffmpeg fails.
  private func remedy(for failure: String) -> String {
    let lacks = ["No such filter", "Unknown decoder"].contains { failure.contains($0) }
    return lacks ? need ?? "a film" : "a film"
  }

  private func error(_ found: String, expected: String) -> FileError {
    FileError(path: path, found: found, expected: expected)
  }
}

/// Whether a picture's file, PNG or WebP, says that it is animated; false where it cannot be read.
public func isAnimatedPicture(_ path: String) -> Bool {
  guard let head = try? readStart(of: path, limit: 1 << 16) else { return false }
  func text(_ start: Int) -> String {
    String(decoding: head.dropFirst(start).prefix(4), as: UTF8.self)
  }
  if text(0) == "RIFF", text(8) == "WEBP" {
    return text(12) == "VP8X" && head.count > 20 && head[20] & 2 != 0
  }
  guard text(1) == "PNG\r" else { return false }
  var start = 8
  while start + 8 <= head.count, text(start + 4) != "IDAT" {
    if text(start + 4) == "acTL" { return true }
    start += 12 + head[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }
  return false
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
