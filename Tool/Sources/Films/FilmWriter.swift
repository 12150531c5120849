// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceFileSystem
import YOLOFaceFiles
import YOLOFaceLibC
import YOLOFaceRaster

/// A film that ffmpeg writes from pictures, one at a time.
///
/// Its format follows from its suffix, one of `fileSuffixes`. Compression loses a little of each picture; an
/// odd number of rows or columns becomes even by one that repeats the edge. Each picture keeps its time, to a
/// millisecond, to a hundredth of a second in `.gif`, except in `.avi`, which has one rate. Nothing but the sound,
/// if wanted, is kept of the film that the pictures come from, with its tracks' order and languages. It is decoded and
/// compressed again, since its codec's own bytes may hold comments; lossless sound stays what it is. With the
/// metadata of a film, its tags and chapters, sound is copied where the format holds it.
/// The film takes its name, and replaces an older file, when it is complete.
public final class FilmWriter {
  /// The suffixes of films that can be written.
  public static let fileSuffixes = FilmFormat.all.map(\.suffix).filter { $0 != ".png" }
  /// The constant rate factors that a film may have.
  public static let qualities = 0...51

  /// Whether a film of this name is compressed with loss, so that it has a quality.
  public static func hasQuality(_ path: String) -> Bool {
    FilmFormat(of: path)?.usualQuality != nil
  }

  /// The film's path.
  public var path: String { file.path }
  /// Those of its pictures, in pixels.
  public let width, height: Int

  /// In words, what the film lacks of the pictures' times and colours, and of the sound that it takes over.
  public var losses: [String] {
    constantLosses
      + (moved > 0 ? ["pictures that could not keep their time, since \(rates): \(moved)"] : [])
  }

  private let constantLosses: [String]
  /// Why a picture may lose its time.
  private let rates: String
  private let tick: RationalTime
  private let interval: RationalTime
  private var lastTick = -1
  /// The pictures that are shown earlier or later than they should be.
  private var moved = 0
  private let file: NewFile
  private let readsFilm: Bool
  private let program: Program
  private var pictures: Int32
  private var number = 0
  private var header: [UInt8] = []
  /// Whether the file has been renamed or removed.
  private var isGone = false

  /// Begins a film of pictures of this size, which are usually an interval apart; the clock is the unit of other times.
  ///
  /// The first picture is shown `start` after the beginning of the sound, which is that of the film at the path
  /// `source`; `tagged` is the path of the film whose metadata is kept. A path `.png` is an animated PNG's. The quality
  /// is the encoder's constant rate factor: the lower, the better and the larger. ffmpeg may take no picture for a
  /// minute, and ten to end. While it is waited for, `isWanted` says several times a
  /// second whether to go on.
  public init(
    _ path: String, width: Int, height: Int, interval: RationalTime,
    clock: RationalTime? = nil, start: RationalTime? = nil,
    pixelAspect: (width: Int, height: Int) = (1, 1), color: FilmColor = .bt709,
    quality: Int? = nil, soundOf source: String? = nil,
    metadataOf tagged: String? = nil,
    while isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws {
    guard let format = FilmFormat(of: path) else {
      throw FileError(
        path: path, found: "another suffix",
        expected: "one of " + Self.fileSuffixes.joined(separator: ", "))
    }
    let sound = try source.map {
      Sound(film: try FilmTracks($0, while: isWanted), isCopied: tagged != nil)
    }
    file = try NewFile(path)
    readsFilm = source != nil || tagged != nil
    constantLosses = (sound?.losses(of: format) ?? []) + color.losses(of: format)
    rates = format.suffix + (format.timescales == nil ? " has one rate" : " stores no finer times")
    (self.width, self.height, self.interval) = (width, height, interval)
    tick = try format.timescales.map { try Self.tick(of: interval, clock, in: $0) } ?? interval
    let shift = Int(((start?.seconds ?? 0) / tick.seconds).rounded() * tick.seconds * 1e6)
    let unit = "\(tick.value)/\(tick.timescale)"
    // The input that tags and chapters are taken from.
    let metadata = tagged == nil ? "-1" : source == nil ? "1" : "2"
    let rate = quality.map { min(max($0, Self.qualities.lowerBound), Self.qualities.upperBound) }
    (program, self.pictures) = try Self.program(
      ["-v", "error", "-itsoffset", "\(shift)us", "-f", "ivf", "-c:v", "ppm", "-i", "pipe:0"]
        + (source.map { inputArguments($0) } ?? []) + (tagged.map { inputArguments($0) } ?? [])
        + ["-map", "0:v", "-map_metadata", metadata, "-map_metadata:s", "-1"]
        + ["-map_chapters", metadata]
        + ["-vf", Self.filters(width, height, pixelAspect, format, color)]
        + ["-fps_mode", "passthrough", "-enc_time_base:v", unit]
        // How long the last picture is shown.
        + ["-bsf:v", "setts=pts=PTS:dts=DTS:duration=\(interval.value)/\(interval.timescale)/TB"]
        + format.encoder + (format.usualQuality.map { ["-crf", "\(rate ?? $0)"] } ?? [])
        + (sound?.outputs(of: format) ?? []) + ["-f", format.muxer, "-y", outputName]
        + (sound?.film.readingAlong(1) ?? []),
      output: file.descriptor, for: path, WaitLimit(isWanted: isWanted))
    // The header of a film in IVF (https://wiki.multimedia.cx/index.php/IVF), whose pictures are Portable Pixmaps.
    let version: UInt16 = 0
    let headerBytes: UInt16 = 32
    header = Array("DKIF".utf8) + version.littleEndianBytes + headerBytes.littleEndianBytes
    header += "PPM ".utf8
    for side in [width, height] { header += UInt16(truncatingIfNeeded: side).littleEndianBytes }
    for number in [tick.timescale, tick.value, 0, 0] {
      header += UInt32(truncatingIfNeeded: number).littleEndianBytes
    }
  }

  /// A unit that the film stores, so that ffmpeg converts no duration, and of which the interval and the clock are
  /// multiples, if there is one.
  private static func tick(
    of interval: RationalTime, _ clock: RationalTime?, in timescales: ClosedRange<Int>
  ) throws -> RationalTime {
    let both = clock.flatMap { try? interval.adding($0) }?.timescale ?? interval.timescale
    let least = timescales.lowerBound
    let fine = (least + both - 1) / both * both
    return try RationalTime(
      value: 1, timescale: timescales.contains(fine) ? fine : min(90_000, timescales.upperBound))
  }

  /// Most players want sides of an even length and colour at half the resolution.
  private static func filters(
    _ width: Int, _ height: Int, _ aspect: (width: Int, height: Int), _ format: FilmFormat,
    _ color: FilmColor
  ) -> String {
    let aspect = "setsar=\(aspect.width)/\(aspect.height):max=1000000,"
    if let filter = format.filter { return aspect + filter }
    let (right, bottom) = (width % 2, height % 2)
    if right + bottom == 0 { return aspect + color.encodingFilter }
    return "format=gbrp,pad=\(width + right):\(height + bottom),"
      + "fillborders=right=\(right):bottom=\(bottom):mode=smear," + aspect + color.encodingFilter
  }

  deinit { discard() }

  /// Starts ffmpeg; returns the connection to its standard input, too, which unlike a pipe can be written to without a
  /// signal after the other end is closed.
  private static func program(
    _ arguments: [String], output: Int32, for path: String, _ waitLimit: WaitLimit
  ) throws -> (Program, Int32) {
    #if canImport(Darwin)
      let type = SOCK_STREAM
    #else
      let type = Int32(SOCK_STREAM.rawValue)
    #endif
    let connection = try Connection(for: path, expected: "a connection to ffmpeg") {
      socketpair(AF_UNIX, type, 0, &$0)
    }
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(
        connection.ours, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    let program = try connection.handingOver {
      try Program("ffmpeg", arguments, input: $0, output: output, for: path, waitLimit)
    }
    return (program, connection.ours)
  }

  /// Adds a picture, to be shown at a time later than the one before it; nil is an interval after that.
  public func append(_ picture: RGBImage, at time: RationalTime? = nil) throws {
    guard picture.width == width, picture.height == height else {
      throw FileError(
        path: path, found: "picture \(number) of \(picture.width) × \(picture.height) pixels",
        expected: "\(width) × \(height), as before")
    }
    let pixmap = Array("P6\n\(width) \(height)\n255\n".utf8)
    let length = UInt32(truncatingIfNeeded: pixmap.count + picture.pixels.count)
    let tick = Int64(nextTick(at: time))
    let head = header + length.littleEndianBytes + tick.littleEndianBytes + pixmap
    header = []
    guard program.send(head, to: pictures), program.send(picture.pixels, to: pictures) else {
      throw failure(end() ?? "the end of ffmpeg")
    }
    number += 1
  }

  /// When the next picture is shown, in ticks.
  private func nextTick(at time: RationalTime?) -> Int {
    let wanted = time?.seconds ?? Double(number) * interval.seconds
    // Far more than any film lasts.
    let tick = max(lastTick + 1, Int(min((wanted / self.tick.seconds).rounded(), 1e15)))
    if abs(Double(tick) * self.tick.seconds - wanted) > 0.001 { moved += 1 }
    lastTick = tick
    return tick
  }

  /// Ends the film and gives it its name. No call may follow.
  public func finish() throws {
    // ffmpeg reads the film again to move its index to the front. Only this user may.
    _ = fchmod(file.descriptor, 0o600)
    if let found = end() ?? emptiness { throw failure(found) }
    isGone = true
    try file.finish()
  }

  /// Removes the film; whether its place is at fault, such as a full disk, a write tells more surely than ffmpeg's words.
  private func failure(_ found: String) -> FileError {
    defer { discard() }
    do throws(FileError) { try file.append([UInt8](repeating: 0, count: 1 << 16)) } catch {
      if error.isOfPlace { return error }
    }
    return FileError(path: path, found: found, expected: "a film that can be written")
  }

  /// What is wrong with a film of no bytes; nil for any other.
  private var emptiness: String? {
    var status = stat()
    let hasBytes = fstat(file.descriptor, &status) == 0 && status.st_size > 0
    return hasBytes ? nil : "an empty film of ffmpeg, which reported no error"
  }

  /// Waits for ffmpeg's end; the reason if it failed.
  private func end() -> String? {
    if pictures >= 0 { _ = close(pictures) }
    pictures = -1
    let end = program.wait(times: 10)
    if let failure = end.failure { return failure }
    // Some versions of ffmpeg succeed though the disk was full at the end. Of a film that it reads, it may
    // complain for other reasons.
    let isComplaint = readsFilm ? end.errors.utf8.contains(outputName.utf8) : !end.errors.isEmpty
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

private struct Sound {
  let film: FilmTracks
  /// Whether a format that holds the sound takes it over byte by byte, and its title.
  let isCopied: Bool

  private var tracks: [FilmTracks.Track] { film.sound }

  /// In words, what the tracks lose.
  func losses(of format: FilmFormat) -> [String] {
    if tracks.isEmpty { return [] }
    if format.sound.isEmpty {
      return ["the sound is left out: \(format.suffix) has no place for it"]
    }
    var losses = tracks.filter { !staysWhole($0, in: format) }
      .map { "sound in \($0.codec) was compressed again" }
    if !isCopied, tracks.contains(where: \.hasTitle) {
      losses += ["titles of tracks of sound are left out"]
    }
    if format.languages == nil, tracks.contains(where: { $0.language != nil }) {
      losses += [
        "languages of tracks of sound are left out: \(format.suffix) has no place for them"
      ]
    }
    return losses
  }

  private func staysWhole(_ track: FilmTracks.Track, in format: FilmFormat) -> Bool {
    format.sound.contains(track.codec)
      && (isCopied || FilmFormat.losslessSound.contains(track.codec))
  }

  /// Takes each track over; what the format does not hold is compressed by its usual encoder.
  func outputs(of format: FilmFormat) -> [String] {
    if format.sound.isEmpty { return [] }
    return tracks.enumerated().flatMap { index, track in
      ["-map", "1:\(track.index)"]
        + (isCopied ? ["-map_metadata:s:a:\(index)", "1:s:\(track.index)"] : [])
        + (staysWhole(track, in: format)
          ? ["-c:a:\(index)", isCopied ? "copy" : track.codec]
          // Other arrangements of channels have no place in Opus (RFC 7845, 5.1.1).
          : ["-filter:a:\(index)", "aformat=channel_layouts=mono|stereo|5.1|7.1"])
        + (track.language.map {
          ["-metadata:s:a:\(index)", "language=\(format.languages?[$0] ?? $0)"]
        } ?? [])
    }
  }
}
