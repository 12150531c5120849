// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC
import YOLOFaceRaster
import YOLOFaceUntrusted

/// A film's pictures, one at a time, read by ffmpeg.
///
/// Pictures are upright, as the film's rotation says, with square pixels, and each has its own time; at a rate that
/// is asked for, they are as far apart as it says, some left out and some repeated, up to 10,000 in a gap. Of several
/// tracks of pictures, the largest of those that are marked as the usual ones is read, or else of all, without the
/// edges that its container cuts off. A picture of another size than the first is stretched to it. The two fields of
/// an interlaced picture become one whole picture, transparency becomes white, and high dynamic range BT.709.
/// Both ffmpeg and ffprobe must be on the path; they read this one file, and nothing from a network.
public final class FilmReader {
  /// The suffixes of films.
  public static let fileSuffixes = [
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".vob", ".ts", ".mts",
    ".m2ts", ".m2t", ".3gp", ".3g2", ".wmv", ".asf", ".flv", ".f4v", ".ogv", ".mxf", ".dv",
    ".gif", ".apng",
  ]

  /// The film's path.
  public let path: String
  /// The time from each picture to the next; the usual one where that varies: the film's average.
  public let interval: RationalTime
  /// The unit of the pictures' times, unless they are as far apart as `interval` says.
  public let clock: RationalTime
  /// The time of the last picture since the first.
  public private(set) var time: RationalTime
  /// The time of the first picture since the film began, with its sound.
  public private(set) var start = RationalTime(seconds: 0)
  /// About how many pictures there are; nil where the file does not say.
  public let pictureCount: Int?
  /// The colour of the pictures, for a film that is made of them.
  public let color: FilmColor
  /// The aspect ratio of the pixels where no whole width makes them square: nearly 1:1.
  public let pixelAspect: (width: Int, height: Int)
  /// What the film has beside its pictures.
  public let tracks: FilmTracks
  /// In words, what the film has that its pictures lose, such as high dynamic range; all of it after the last.
  public var losses: [String] {
    let gaps = "gaps between pictures that were negative or too long, and became usual ones"
    return constantLosses + (madeUpTimes > 0 ? ["\(gaps): \(madeUpTimes)"] : []) + missing
  }
  /// That the film's index has more pictures than were read, after the last.
  private var missing: [String] = []
  /// ffmpeg's complaints about a film that it could read, such as of a damaged picture, after the last picture.
  public private(set) var complaints = ""

  private let program: Program
  private let pictures: Int32
  private let limits: Picture.Limits
  private let need: String?
  /// A film that has a picture.
  private let shortest: String
  private let constantLosses: [String]
  private let indexedCount: Int?
  private var madeUpTimes = 0
  /// What ffmpeg says of the last picture's time, and its exact time since the first.
  private var last: (stamp: Int, time: RationalTime)?
  /// Whether all times so far may be rounded multiples of the interval.
  private var isOfOneRate = true
  /// Most pictures may be repeated, so their number is limited by the film's bytes.
  private let mostPictures: Int
  private var number = 0
  /// What has been read of the lines before the next pictures, and of the pictures.
  private var block: ArraySlice<UInt8> = []

  /// Begins to read a film, whose pictures are then an interval apart; nil leaves them their own times.
  ///
  /// ffmpeg may write nothing for a minute. While it is waited for, `isWanted` says several times a second whether to
  /// go on.
  public init(
    _ path: String, interval: RationalTime? = nil, limits: Picture.Limits = Picture.Limits(),
    while isWanted: @escaping @Sendable () -> Bool = { true }
  ) throws {
    let size = try readableSize(of: path)
    try requireContents(try readStart(of: path, limit: 512), path: path)
    mostPictures = 1000 + 4 * min(size, 1 << 60)
    let waitLimit = WaitLimit(isWanted: isWanted)
    let properties = try FilmProperties(path, limits, waitLimit)
    let stored = properties.pictures
    self.path = path
    self.interval = try interval ?? properties.interval(of: path, limits, waitLimit)
    self.limits = limits
    clock = interval ?? properties.clock
    shortest =
      interval.map { "one that is longer than \($0.seconds) s, or a higher frame rate" } ?? "a film"
    time = try RationalTime(value: 0, timescale: self.interval.timescale)
    (color, need, pixelAspect) = (stored.color, stored.need, stored.pixelAspect)
    (tracks, constantLosses) = (properties.tracks, stored.losses + properties.losses)
    pictureCount = interval == nil ? properties.pictureCount : nil
    indexedCount = interval == nil ? properties.indexedCount : nil
    // Before each picture, a line of framecrc's says its time.
    (program, pictures) = try Program.reading(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + stored.constancy + stored.decoder
        + inputArguments(path, limits) + [
          "-map", "0:\(properties.track)", "-vf", stored.filters(interval: interval),
          "-fps_mode", "passthrough", "-enc_time_base", "\(clock.value)/\(clock.timescale)",
          "-c:v", "ppm", "-pix_fmt", "rgb24", "-f", "tee",
          "[f=framecrc]pipe:1|[f=image2pipe]pipe:1",
        ] + properties.tracks.readingAlong(0), for: path, waitLimit)
  }

  deinit {
    _ = close(pictures)
    program.terminate()
  }

  /// The next picture; nil after the last.
  public func next() throws -> RGBImage? {
    guard let stamp = try nextStamp() else {
      let end = program.wait()
      if let failure = end.failure { throw error(failure, expected: remedy(for: failure)) }
      guard number > 0 else { throw error("no picture", expected: shortest) }
      complaints = end.errors
      if let indexedCount, number < indexedCount {
        let said = "pictures of its index are shown; the others are cut out or lost"
        missing = ["\(number) of the \(indexedCount) \(said)"]
      }
      return nil
    }
    guard number < mostPictures else {
      let found = "more than \(mostPictures) pictures, most of them repeated"
      throw error(found, expected: "at most four for each byte")
    }
    let (width, height) = try nextSize()
    let bytes = try read(3 * width * height)
    try noteTime(stamp)
    number += 1
    return try RGBImage(
      copying: bytes, width: width, height: height, format: .rgb, bytesPerRow: 3 * width
    )
  }

  /// The time of the next picture in units of `clock`, from a line such as "0, 512, 512, 512, 9229, 0x005a9966", of
  /// which the third number is it; nil at the end.
  private func nextStamp() throws -> Int? {
    while true {
      var line: [UInt8] = []
      while line.last != 10 {
        guard let byte = try nextByte(mayEnd: line.isEmpty) else { return nil }
        line.append(byte)
        guard line.count < 200 else {
          throw error(UntrustedText(line).description, expected: "a picture's time")
        }
      }
      if line.first == UInt8(ascii: "#") { continue }
      let numbers = UntrustedText(line).split(separator: UInt8(ascii: ","))
      // A picture without a time comes after the one before it.
      return numbers.dropFirst(2).first.flatMap { $0.drop { $0 == UInt8(ascii: " ") }.integer() }
        ?? last?.stamp ?? 0
    }
  }

  private func noteTime(_ stamp: Int) throws {
    let usual = max(1, Int((interval.seconds / clock.seconds).rounded()))
    let longest = StoredPictures.longestGap * usual
    guard let last else {
      let offset = (0...longest).contains(stamp) ? stamp : 0
      start = try RationalTime(value: offset * clock.value, timescale: clock.timescale)
      self.last = (stamp, time)
      return
    }
    var (step, overflows) = stamp.subtractingReportingOverflow(last.stamp)
    if overflows || !(1...longest).contains(step) {
      step = usual
      madeUpTimes += 1
    }
    let gap = try RationalTime(value: step * clock.value, timescale: clock.timescale)
    let exact = try last.time.adding(gap)
    self.last = (stamp, exact)
    // A container may have rounded the times of a film of one rate.
    let count = Int((min(exact.seconds, 1e9) / interval.seconds).rounded())
    let even = try RationalTime(value: count * interval.value, timescale: interval.timescale)
    if usual < 4 || abs(even.seconds - exact.seconds) >= clock.seconds || even <= time {
      isOfOneRate = false
    }
    time = isOfOneRate ? even : exact
  }

  /// The size in the header of a Portable Pixmap (https://netpbm.sourceforge.net/doc/ppm.html).
  private func nextSize() throws -> (width: Int, height: Int) {
    var header: [UInt8] = []
    while header.count < 40 {
      if let byte = try nextByte() { header.append(byte) }
      let words = UntrustedText(header).split(omittingEmptySubsequences: false) {
        $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ")
      }
      guard words.count == 5 else { continue }
      guard words[0] == "P6", words[3] == "255", let width = words[1].integer(Int32.self),
        let height = words[2].integer(Int32.self), width > 0, height > 0
      else { break }
      if let excess = limits.excess(ofWidth: Int(width), height: Int(height)) {
        throw error("\(excess)", expected: "smaller pictures")
      }
      return (Int(width), Int(height))
    }
    throw error("\(header.prefix(40))", expected: "the header of picture \(number)")
  }

  /// The next byte of a line or a header; nil at the end, where that may be here.
  private func nextByte(mayEnd: Bool = false) throws -> UInt8? {
    if block.isEmpty { block = program.read(pictures, atLeast: 1, atMost: 1 << 12)[...] }
    if block.isEmpty && !mayEnd { throw cutOff() }
    return block.popFirst()
  }

  /// The next bytes of a picture, of which the block may hold the first.
  private func read(_ count: Int) throws -> [UInt8] {
    let bytes = program.read(pictures, atMost: count, after: block.prefix(count))
    block = block.dropFirst(count)
    guard bytes.count == count else { throw cutOff() }
    return bytes
  }

  /// Says that the film ends within a picture; the reason is what ffmpeg says.
  private func cutOff() -> FileError {
    error(program.wait().failure ?? "the end", expected: "the rest of picture \(number)")
  }

  private func remedy(for failure: String) -> String {
    if failure.utf8.contains("fps_mode".utf8) { return "ffmpeg 5.1 or newer" }
    let lacks = ["No such filter", "Unknown decoder"].contains { failure.utf8.contains($0.utf8) }
    return lacks ? need ?? "a film" : "a film"
  }

  private func error(_ found: String, expected: String) -> FileError {
    FileError(path: path, found: found, expected: expected)
  }
}

/// Whether a picture's file, PNG or WebP, says that it is animated; false where it cannot be read.
public func isAnimatedPicture(_ path: String) -> Bool {
  guard let start = try? readStart(of: path, limit: 1 << 16) else { return false }
  if Picture.isAnimated(start) { return true }
  // In a PNG, a profile and texts may come before that.
  guard isPNG(start), let more = try? readStart(of: path, limit: 1 << 26) else { return false }
  return Picture.isAnimated(more)
}

func isPNG(_ start: [UInt8]) -> Bool { Picture.formatName(of: start) == "PNG" }

private func readableSize(of path: String) throws -> Int {
  let descriptor = open(systemPath(path), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
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
