import FaceAnalysis
import Files
import LibC
import Raster

/// A film that ffmpeg writes from pictures, one at a time.
///
/// Its format follows from its suffix, one of `fileSuffixes`. Compression loses a little of each picture; an
/// odd number of rows or columns becomes even by one that is black. Nothing but the sound, if wanted, is kept of
/// the film that the pictures come from; it is copied with its tracks' order and languages, or compressed again
/// where the format does not hold it. The film takes its name, and replaces an older file, when it is complete.
public final class FilmWriter {
  /// The suffixes of films that can be written.
  public static var fileSuffixes: [String] { FilmFormat.all.map(\.suffix) }
  /// The constant rate factors that a film may have.
  public static let qualities = 0...51

  /// The film's path.
  public var path: String { file.path }
  /// The width of its pictures, in pixels.
  public let width: Int
  /// The height of its pictures, in pixels.
  public let height: Int

  /// The tracks of sound that are compressed again.
  public let compressedSound: [FilmTracks.Track]

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
  ///   - colour: what the pictures' numbers mean.
  ///   - quality: the encoder's constant rate factor, clamped to `qualities`: the lower, the better and the
  ///     larger; nil for one whose loss is hardly seen.
  ///   - source: the path of a film whose sound is taken over; nil for none.
  ///   - silence: for how long ffmpeg may take no picture, and a tenth of how long it may take to end.
  ///   - isWanted: asked several times a second while ffmpeg is waited for; where false, it is ended.
  /// - Throws: `FileError` for another suffix, or where the file cannot be written.
  public init(
    _ path: String, width: Int, height: Int, interval: RationalTime, colour: FilmColour = .bt709,
    quality: Int? = nil, soundOf source: String? = nil, silence: Duration = .seconds(60),
    while isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws {
    guard let format = FilmFormat(ofFilm: path) else {
      throw FileError(
        path: path, found: "another suffix",
        expected: "one of " + Self.fileSuffixes.joined(separator: ", "))
    }
    let sound = try source.map {
      Sound(path: $0, tracks: try FilmTracks($0, while: isWanted).sound)
    }
    file = try NewFile(path)
    hasSound = source != nil
    compressedSound = sound?.tracks.filter { !format.sound.contains($0.codec) } ?? []
    (self.width, self.height) = (width, height)
    let pictures = [
      "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", "\(width)x\(height)",
      "-framerate", "\(interval.timescale)/\(interval.value)", "-i", "pipe:0",
    ]
    let rate = quality.map { min(max($0, Self.qualities.lowerBound), Self.qualities.upperBound) }
    (program, self.pictures) = try Self.program(
      ["-v", "error"] + pictures + (sound?.inputs ?? [])
        + ["-map_metadata", "-1", "-map_metadata:s", "-1", "-map_chapters", "-1"]
        // Most players want sides of an even length and colour at half the resolution.
        + ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2," + colour.encodingFilter] + colour.tags
        + format.encoder + ["-crf", "\(rate ?? format.usualQuality)"]
        + (sound?.outputs(of: format) ?? []) + ["-f", format.muxer, "-y", outputName],
      output: file.descriptor, for: path, Patience(silence: silence, isWanted: isWanted))
  }

  deinit { discard() }

  /// Starts ffmpeg; returns the connection to its standard input, too.
  private static func program(
    _ arguments: [String], output: Int32, for path: String, _ patience: Patience
  ) throws -> (Program, Int32) {
    let (ours, theirs) = try makeSocketPair(path)
    defer { _ = close(theirs) }
    do {
      let program = try Program(
        "ffmpeg", arguments, input: theirs, output: output, for: path, patience)
      return (program, ours)
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
    guard program.send(picture.pixels, to: pictures) else {
      let failure = end() ?? "the end of ffmpeg"
      discard()
      throw FileError(path: path, found: failure, expected: "a film that can be written")
    }
    number += 1
  }

  /// Ends the film and gives it its name. No call may follow.
  ///
  /// - Throws: `FileError` where ffmpeg fails or writes nothing, or the file cannot be renamed.
  public func finish() throws {
    // ffmpeg reads the film again to move its index to the front. Only this user may.
    _ = fchmod(file.descriptor, 0o600)
    if let failure = end() ?? emptiness {
      discard()
      throw FileError(path: path, found: failure, expected: "a film that can be written")
    }
    isGone = true
    try file.finish()
  }

  /// What is wrong with a film of no bytes; nil for any other.
  private var emptiness: String? {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_size > 0 else {
      return "an empty film of ffmpeg, which reported no error"
    }
    return nil
  }

  /// Waits for ffmpeg's end; the reason if it failed.
  private func end() -> String? {
    if pictures >= 0 { _ = close(pictures) }
    pictures = -1
    let end = program.wait(times: 10)
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

/// The sound of another film.
private struct Sound {
  let path: String
  let tracks: [FilmTracks.Track]

  var inputs: [String] { inputArguments(path) + ["-map", "0:v"] }

  /// Takes each track over; what the format does not hold is compressed by its usual encoder.
  func outputs(of format: FilmFormat) -> [String] {
    tracks.enumerated().flatMap { index, track in
      ["-map", "1:a:\(index)"]
        + (format.sound.contains(track.codec) ? ["-c:a:\(index)", "copy"] : [])
        + (track.language.map {
          ["-metadata:s:a:\(index)", "language=\(format.languages[$0] ?? $0)"]
        } ?? [])
    }
  }
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
