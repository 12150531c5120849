import FaceAnalysis
import Files
import LibC
import Raster

/// A film that ffmpeg writes from pictures, one at a time.
///
/// Its format follows from its suffix, one of `fileSuffixes`. Compression loses a little of each picture; an
/// odd number of rows or columns becomes even by one that is black. Nothing but the sound, if wanted, is kept of
/// the film that the pictures come from. The film takes its name, and replaces an older file, when it is
/// complete.
public final class FilmWriter {
  /// The suffixes of films that can be written.
  public static var fileSuffixes: [String] { formats.map(\.suffix) }

  private static let formats: [(suffix: String, muxer: String)] = [
    (".mp4", "mp4"), (".m4v", "mp4"), (".mov", "mov"), (".mkv", "matroska"), (".webm", "webm"),
    (".avi", "avi"),
  ]

  /// The film's path.
  public var path: String { file.path }
  /// The width of its pictures, in pixels.
  public let width: Int
  /// The height of its pictures, in pixels.
  public let height: Int

  private let file: NewFile
  private let hasSound: Bool
  private let program: Program
  private var pictures: Int32
  private var number = 0
  /// Whether the file has been renamed or removed.
  private var isGone = false

  /// Begins a film.
  ///
  /// - Parameters:
  ///   - path: the film's path.
  ///   - width: the width of each picture, in pixels.
  ///   - height: its height.
  ///   - interval: the time from each picture to the next.
  ///   - source: the path of a film whose sound is taken over; nil for none.
  /// - Throws: `FileError` for another suffix, or where the file cannot be written.
  public init(
    _ path: String, width: Int, height: Int, interval: RationalTime, soundOf source: String? = nil
  ) throws {
    guard let format = Self.formats.first(where: { path.lowercased().hasSuffix($0.suffix) }) else {
      throw FileError(
        path: path, found: "another suffix",
        expected: "one of " + Self.fileSuffixes.joined(separator: ", "))
    }
    file = try NewFile(path)
    hasSound = source != nil
    (self.width, self.height) = (width, height)
    (program, pictures) = try Self.program(
      arguments(
        width, height, interval, muxer: format.muxer, soundOf: source), output: file.descriptor,
      for: path)
  }

  deinit { discard() }

  /// Starts ffmpeg; returns the connection to its standard input, too.
  private static func program(
    _ arguments: [String], output: Int32, for path: String
  ) throws -> (Program, Int32) {
    let (ours, theirs) = try makeSocketPair(path)
    defer { _ = close(theirs) }
    do {
      return (try Program("ffmpeg", arguments, input: theirs, output: output, for: path), ours)
    } catch {
      _ = close(ours)
      throw error
    }
  }

  /// Adds a picture.
  ///
  /// - Throws: `FileError` for one of another size, or where ffmpeg fails.
  public func append(_ picture: RGBImage) throws {
    guard picture.width == width, picture.height == height else {
      throw FileError(
        path: path, found: "picture \(number) of \(picture.width) × \(picture.height) pixels",
        expected: "\(width) × \(height), as before")
    }
    guard sendAll(picture.pixels, to: pictures) else {
      let failure = end() ?? "the end of ffmpeg"
      discard()
      throw FileError(path: path, found: failure, expected: "a film that can be written")
    }
    number += 1
  }

  /// Ends the film and gives it its name. No call may follow.
  ///
  /// - Throws: `FileError` where ffmpeg fails or the file cannot be renamed.
  public func finish() throws {
    if let failure = end() {
      discard()
      throw FileError(path: path, found: failure, expected: "a film that can be written")
    }
    isGone = true
    try file.finish()
  }

  /// Waits for ffmpeg's end; the reason if it failed.
  private func end() -> String? {
    if pictures >= 0 { _ = close(pictures) }
    pictures = -1
    let end = program.wait()
    if let failure = end.failure { return failure }
    // Some versions of ffmpeg succeed though the disk was full at the end. Of a source with sound, it may
    // complain for other reasons.
    let isComplaint = hasSound ? end.errors.contains(outputName) : !end.errors.isEmpty
    return isComplaint ? "ffmpeg's message: \(end.errors)" : nil
  }

  private func discard() {
    guard !isGone else { return }
    // It may be far from the end of the sound.
    program.terminate()
    _ = end()
    file.discard()
    isGone = true
  }
}

/// The opened file, as ffmpeg names it in messages; unlike a pipe, it may be written out of order.
private let outputName = "/dev/stdout"

private func arguments(
  _ width: Int, _ height: Int, _ interval: RationalTime, muxer: String, soundOf source: String?
) -> [String] {
  let pictures = [
    "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "\(width)x\(height)",
    "-framerate", "\(interval.timescale)/\(interval.value)", "-i", "pipe:0",
  ]
  let sound = source.map { inputArguments($0) + ["-map", "0:v", "-map", "1:a?"] } ?? []
  let film = [
    "-map_metadata", "-1", "-map_metadata:s", "-1", "-map_chapters", "-1",
    // Most players want sides of an even length and colour at half the resolution.
    "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709,format=yuv420p",
    "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
    "-f", muxer, "-y", outputName,
  ]
  return ["-v", "error"] + pictures + sound + film
}

/// Two ends of a connection that, unlike a pipe, can be written to without a signal after the other end is
/// closed.
private func makeSocketPair(_ path: String) throws -> (ours: Int32, theirs: Int32) {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    let type = SOCK_STREAM
  #else
    let type = Int32(SOCK_STREAM.rawValue)
  #endif
  guard makingConnections({ socketpair(AF_UNIX, type, 0, &ends) == 0 && closeOnSpawn(ends) }) else {
    throw FileError(path: path, found: systemMessage(errno), expected: "a connection to ffmpeg")
  }
  #if canImport(Darwin)
    var yes: Int32 = 1
    setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
  #endif
  return (ends[0], ends[1])
}

/// Whether all bytes were sent.
private func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  #if canImport(Darwin)
    let flags: Int32 = 0
  #else
    let flags = Int32(MSG_NOSIGNAL)
  #endif
  return bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest)
      let count = uninterrupted { send(descriptor, piece.baseAddress, piece.count, flags) }
      guard count >= 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
