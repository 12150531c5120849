import FaceAnalysis
import Files
import Films
import Foundation
import Raster
import TestSupport
import Testing

/// Films that ffmpeg has written, whose pictures it computes independently of this code.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct FilmReaderTests {
  private let folder = FilmFolder()

  @Test(arguments: FilmWriter.fileSuffixes) func picturesComeBack(suffix: String) throws {
    try folder.write("film\(suffix)", count: 12)
    let reader = try FilmReader(folder.path("film\(suffix)"))
    // Films round times to their clock; Matroska's ticks are of a millisecond.
    #expect(abs(reader.interval.seconds - folder.interval.seconds) < 0.0006)
    for number in 0..<12 {
      let image = try #require(try reader.next())
      #expect(image.width == 96 && image.height == 64)
      let centre = folder.centre(of: image)
      // Compression blurs edges by less than a pixel.
      #expect(abs(centre.x - Double(4 * number + 8)) < 1 && abs(centre.y - 16) < 1)
    }
    #expect(try reader.next() == nil)
    #expect(reader.complaints.isEmpty)
  }

  @Test func picturesStandUpright() throws {
    try folder.write("film.mp4", count: 2)
    try folder.ffmpeg(
      "-i", folder.path("film.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90",
      folder.path("turned.mp4"))
    let image = try #require(try FilmReader(folder.path("turned.mp4")).next())
    #expect(image.width == 64 && image.height == 96)
    // In the file's matrix, a rotation of 90 degrees is counter-clockwise: x, y moves to y, width − x.
    let centre = folder.centre(of: image)
    #expect(abs(centre.x - 16) < 1 && abs(centre.y - (96 - 8)) < 1)
  }

  /// All eight matrices of a film: how the upright picture lies in the stored one. Theirs are the numbers of Exif.
  @Test func allMatricesAreHeard() throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i",
      "color=black:size=96x64:duration=0.04,drawbox=x=8:y=8:w=16:h=16:c=white:t=fill", "-pix_fmt",
      "yuv420p", folder.path("film.mp4"))
    let bytes = try folder.bytes(of: "film.mp4")
    let header = try #require(bytes.range(of: Data("tkhd".utf8))).upperBound
    let (right, down) = (96.0, 64.0)
    let table: [(matrix: [Int32], centre: (x: Double, y: Double))] = [
      ([1, 0, 0, 1], (16, 16)), ([-1, 0, 0, 1], (right - 16, 16)),
      ([-1, 0, 0, -1], (right - 16, down - 16)), ([1, 0, 0, -1], (16, down - 16)),
      ([0, 1, 1, 0], (16, 16)), ([0, 1, -1, 0], (down - 16, 16)),
      ([0, -1, -1, 0], (down - 16, right - 16)), ([0, -1, 1, 0], (16, right - 16)),
    ]
    for (number, (matrix, centre)) in table.enumerated() {
      var turned = bytes
      // Version 0: the matrix comes after 40 bytes, its rows of three numbers of 16.16 bits.
      for (index, value) in zip([0, 1, 3, 4], matrix) {
        let start = header + 40 + 4 * index
        withUnsafeBytes(of: (value << 16).bigEndian) {
          turned.replaceSubrange(start..<start + 4, with: $0)
        }
      }
      try turned.write(to: URL(fileURLWithPath: folder.path("turned.mp4")))
      let image = try #require(try FilmReader(folder.path("turned.mp4")).next())
      #expect(image.width == (number < 4 ? 96 : 64) && image.height == (number < 4 ? 64 : 96))
      let found = folder.centre(of: image)
      #expect(abs(found.x - centre.x) < 1 && abs(found.y - centre.y) < 1, "matrix \(number + 1)")
    }
  }

  /// Films of various times, what ffmpeg makes them of, when their pictures are shown, and the form of a copy:
  /// reordered pictures, two in three left out, the second of each two late, at three gaps in turn, of two fields, some
  /// of another size between others, and one alone.
  private static let timedFilms: [(name: String, of: [String], times: [Double], copy: String)] = [
    (
      "even.mov", ["-vf", "settb=1001/30000,setpts=N", "-enc_time_base", "1/30000"],
      even(25, 1001 / 30000), ".webm"
    ),
    (
      "some.mkv", ["-vf", "select=not(mod(n\\,3))+eq(n\\,4)", "-enc_time_base", "1/1000"],
      [0, 0.12, 0.16, 0.24, 0.36, 0.48, 0.6, 0.72, 0.84, 0.96], ".mp4"
    ),
    (
      "late.mov", ["-vf", "settb=1/90000,setpts=PTS+1080*mod(N\\,2)", "-enc_time_base", "1/90000"],
      late, ".mkv"
    ),
    ("late.mov", [], late, ".avi"),
    (
      // Every third picture is nearly where the average interval would have it.
      "uneven.gif",
      [
        "-vf", "settb=1/100,setpts=20*floor(N/3)+5*eq(mod(N\\,3)\\,1)+14*eq(mod(N\\,3)\\,2)",
        "-enc_time_base", "1/100",
      ],
      (0..<25).map { 0.2 * Double($0 / 3) + [0, 0.05, 0.14][$0 % 3] }, ".mkv"
    ),
    (
      "fields.mpg", ["-c:v", "mpeg2video", "-bf", "2", "-flags", "+ilme+ildct"],
      even(25, 0.04), ".mp4"
    ),
    ("sizes.mkv", [], even(15, 0.04), ".mp4"),
    ("one.mp4", ["-frames:v", "1"], [0], ".webm"),
  ]

  private static let late = zip(even(25, 0.04), 0..<25).map { $0 + 0.012 * Double($1 % 2) }

  private static func even(_ count: Int, _ interval: Double) -> [Double] {
    (0..<count).map { Double($0) * interval }
  }

  @Test func everyPictureKeepsItsTime() throws {
    let graph = "testsrc2=size=64x48:rate=25:duration=1"
    for (name, arguments, _, _) in Self.timedFilms where !arguments.isEmpty {
      try folder.ffmpeg(
        ["-f", "lavfi", "-i", graph, "-fps_mode", "passthrough"] + arguments + [folder.path(name)])
    }
    var stream = Data()
    for size in ["64x48", "96x80", "32x32"] {
      try folder.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25", "-frames:v", "5", "-bf", "0",
        folder.path("part.264"))
      stream += try folder.bytes(of: "part.264")
    }
    try stream.write(to: URL(fileURLWithPath: folder.path("sizes.264")))
    try folder.ffmpeg(
      "-fflags", "+genpts", "-r", "25", "-i", folder.path("sizes.264"), "-c", "copy",
      folder.path("sizes.mkv"))
    for (name, _, expected, suffix) in Self.timedFilms {
      let (times, interval, writer) = try folder.copy(name, to: "copy" + suffix)
      let (copied, end) = try folder.storedTimes(of: "copy" + suffix)
      func areExpected(_ times: [Double]) -> Bool {
        times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) <= 0.001 }
      }
      #expect(areExpected(times), "\(name): \(times)")
      #expect(areExpected(copied) == (suffix != ".avi"), "\(name)\(suffix): \(copied)")
      #expect(writer.losses.isEmpty == (suffix != ".avi"), "\(name)\(suffix): \(writer.losses)")
      let shown = end - copied[copied.count - 1]
      #expect(abs(shown - interval) < 0.0015, "\(name)\(suffix): \(shown)")
    }
  }

  /// Several packets of such sound have one time in Matroska's milliseconds.
  @Test func shortPacketsOfSoundAreNoDamage() throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i",
      "sine=duration=1", "-c:a", "truehd", "-strict", "-2", "-ac", "2", folder.path("film.mkv"))
    let reader = try FilmReader(folder.path("film.mkv"))
    for _ in 0..<25 { #expect(try reader.next() != nil) }
    #expect(try reader.next() == nil)
    #expect(reader.complaints == "")
  }

  /// A film's usual track of pictures is not its first.
  @Test func theUsualPicturesAreTaken() throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "color=black:size=64x48", "-f", "lavfi", "-i",
      "color=white:size=64x48", "-frames:v", "2", "-map", "0", "-map", "1", "-disposition:v:0", "0",
      "-disposition:v:1", "default", folder.path("two.mkv"))
    let reader = try FilmReader(folder.path("two.mkv"))
    #expect(try reader.next()?.pixels.allSatisfy { $0 > 250 } == true)
    #expect(reader.losses == ["of 2 tracks of pictures, only track 1 was read"])
  }

  /// The edge of a square that moves by 4 pixels a field is a comb: in a film of fields, one that begins with whole
  /// pictures, one on its side, and one of a camera.
  @Test(arguments: ["film.mp4", "later.mkv", "turned.mp4", "camera.mov"])
  func fieldsBecomeWholePictures(name: String) throws {
    let fields = [
      "-f", "lavfi", "-i",
      "color=black:size=96x64:rate=50[ground];color=white:size=16x32:rate=50[square];"
        + "[ground][square]overlay=x=4*n:y=8,interlace=lowpass=0,format=yuv420p",
      "-frames:v", "10", "-flags", "+ilme+ildct", "-bf", "0",
    ]
    let isTurned = name == "turned.mp4"
    switch name {
    case "later.mkv":
      try folder.ffmpeg(
        "-f", "lavfi", "-i", "color=black:size=96x64:rate=25,format=yuv420p", "-frames:v", "10",
        "-bf", "0", folder.path("whole.264"))
      try folder.ffmpeg(fields + ["-crf", "4", folder.path("fields.264")])
      try (folder.bytes(of: "whole.264") + folder.bytes(of: "fields.264")).write(
        to: URL(fileURLWithPath: folder.path("later.264")))
      try folder.ffmpeg(
        "-fflags", "+genpts", "-r", "25", "-i", folder.path("later.264"), "-c", "copy",
        folder.path(name))
    case "turned.mp4":
      try folder.ffmpeg(fields + ["-crf", "4", folder.path("film.mp4")])
      try folder.ffmpeg(
        "-i", folder.path("film.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90",
        folder.path(name))
    case "camera.mov":
      try folder.ffmpeg(
        fields + [
          "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10", folder.path(name),
        ])
    default: try folder.ffmpeg(fields + ["-crf", "4", folder.path(name)])
    }
    let reader = try FilmReader(folder.path(name))
    #expect(
      reader.losses.contains("interlaced pictures became whole ones") == name.hasSuffix(".mp4"),
      "\(reader.losses)")
    var count = 0
    while let image = try reader.next() {
      count += 1
      let edges: [Int] = (14..<34).map { row in
        (0..<96).first { column in
          let (x, y) = isTurned ? (row, 95 - column) : (column, row)
          return image.pixels[3 * (y * image.width + x)] > 127
        } ?? 0
      }
      #expect((edges.max() ?? 0) - (edges.min() ?? 0) <= 1, "picture \(count)")
    }
    #expect(count == (name == "later.mkv" ? 20 : 10))
  }

  @Test func pixelsAreSquare() throws {
    try folder.write("film.mp4", count: 2)
    try folder.ffmpeg("-i", folder.path("film.mp4"), "-vf", "setsar=2/1", folder.path("wide.mp4"))
    let image = try #require(try FilmReader(folder.path("wide.mp4")).next())
    #expect(image.width == 192 && image.height == 64)
    // 853⅓ square pixels.
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "color=size=720x480,setsar=32/27", "-frames:v", "1",
      folder.path("dvd.mp4"))
    _ = try folder.copy("dvd.mp4", to: "copy.mkv")
    let entries = "stream=width,height,display_aspect_ratio"
    #expect(try folder.entries(entries, of: "copy.mkv", tracks: "v") == ["854,480,16:9"])
  }

  @Test func takesTheRateThatIsAskedFor() throws {
    try folder.write("film.mp4", count: 24)
    let reader = try FilmReader(
      folder.path("film.mp4"), interval: RationalTime(value: 1, timescale: 6))
    var count = 0
    while try reader.next() != nil { count += 1 }
    // 24 pictures last a second.
    #expect((6...7).contains(count))
    let slow = try FilmReader(folder.path("film.mp4"), interval: RationalTime(seconds: 1000))
    let error = #expect(throws: FileError.self) { try slow.next() }
    #expect(error?.expected == "one that is longer than 1000.0 s, or a higher frame rate")
  }

  /// A screen's recording: pictures at random times, no stated rate, and a clock of milliseconds, which is not
  /// taken for the rate.
  @Test func aFilmWithoutARateGoesByItsTimes() throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "testsrc=size=64x48:rate=1000", "-t", "2", "-vf",
      "select=gt(random(1)\\,0.97)", "-vsync", "passthrough", "-enc_time_base", "1/1000", "-c:v",
      "libvpx", "-live", "1",
      folder.path("screen.webm"))
    let reader = try FilmReader(folder.path("screen.webm"))
    // Of 2,000 pictures about 60 are kept.
    #expect((0.02...0.05).contains(reader.interval.seconds))
    let given = try RationalTime(value: 1, timescale: 10)
    #expect(try FilmReader(folder.path("screen.webm"), interval: given).interval == given)
  }

  @Test func otherFilesAreRefused() throws {
    for (name, text) in [("text.mp4", "not a film"), ("empty.mov", "")] {
      try folder.writeText(text, to: name)
      #expect(throws: FileError.self) { try FilmReader(folder.path(name)) }
    }
    #expect(throws: FileError.self) { try FilmReader(folder.path("missing.mp4")) }
    #expect(throws: FileError.self) { try FilmReader(folder.path(".")) }
    #expect(throws: FileError.self) {
      try FilmWriter(folder.path("film.txt"), width: 96, height: 64, interval: folder.interval)
    }
    try folder.ffmpeg("-f", "lavfi", "-i", "sine=duration=1", folder.path("sound.mp4"))
    let error = try #require(throws: FileError.self) { try FilmReader(folder.path("sound.mp4")) }
    #expect(error.found == "no pictures")
  }

  /// Of nothing but a hole: a file system in memory allows far more than there is.
  @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "needs /dev/shm"))
  func aHugeFileIsRefused() throws {
    let path = "/dev/shm/\(UUID().uuidString).mp4"
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try #require(truncate(path, 3 << 60) == 0)
    #expect(throws: FileError.self) { try FilmReader(path) }
  }

  /// A title of more than what ffprobe writes at once; one that is too long is refused as such.
  @Test(arguments: [100_000, 2_000_000]) func aLongTitleHidesNoFilm(size: Int) throws {
    try folder.writeText(
      ";FFMETADATA1\n[STREAM]\ntitle=\(String(repeating: "a", count: size))\n", to: "title.txt")
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=64x48:duration=0.1", "-f", "ffmetadata", "-i",
      folder.path("title.txt"), "-map_metadata:s:v", "1:s:0", folder.path("film.mkv"))
    if size < 1 << 20 {
      #expect(try FilmReader(folder.path("film.mkv")).next() != nil)
    } else {
      let error = #expect(throws: FileError.self) { try FilmReader(folder.path("film.mkv")) }
      #expect(error?.found == "ffprobe's description of 1 MiB or more, as of long titles")
    }
  }

  /// The names of a camera, a phone, a disc and of the net, and animations.
  @Test func otherContainersAreFilms() throws {
    for suffix in [
      ".MTS", ".3gp", ".vob", ".asf", ".flv", ".gif", ".apng", ".mxf",
    ] {
      let pictures =
        [".3gp", ".mxf"].contains(suffix) ? "size=352x288:rate=25" : "size=64x48:rate=25"
      try folder.ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=" + pictures, "-frames:v", "10", folder.path("film" + suffix)
      )
      let reader = try FilmReader(folder.path("film" + suffix))
      for _ in 0..<10 { #expect(try reader.next() != nil, "\(suffix)") }
      #expect(FilmReader.fileSuffixes.contains(suffix.lowercased()))
    }
    #expect(
      isAnimatedPicture(folder.path("film.apng")) && !isAnimatedPicture(folder.path("film.gif")))
  }

  /// Texts before the chunk that says so: of more bytes than ffmpeg looks at, and than are read at first.
  @Test(arguments: [3000, 100_000]) func aLongTextHidesNoAnimation(size: Int) throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "3", folder.path("film.apng")
    )
    try insert("tEXt", Array("Comment\0".utf8) + [UInt8](repeating: 97, count: size))
    #expect(isAnimatedPicture(folder.path("film.png")))
    let reader = try FilmReader(folder.path("film.png"))
    for _ in 0..<3 { #expect(try reader.next() != nil) }
    #expect(try reader.next() == nil)
  }

  /// Exif data with nothing but the orientation 6: the top of the picture is on the right.
  @Test func anAnimationOnItsSideIsTurned() throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i",
      "color=black:size=96x64:duration=0.08,drawbox=x=8:y=8:w=16:h=16:c=white:t=fill",
      folder.path("film.apng"))
    let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    try insert("eXIf", Array("MM\0*\0\0\0\u{8}\0\u{1}".utf8) + entry + [0, 0, 0, 0])
    let image = try #require(try FilmReader(folder.path("film.png")).next())
    let centre = folder.centre(of: image)
    #expect(image.width == 64 && centre.x == 64 - 16 && centre.y == 16)
  }

  /// Writes `film.apng` as `film.png` with another chunk, behind the first.
  private func insert(_ type: String, _ content: [UInt8]) throws {
    var bytes = try [UInt8](folder.bytes(of: "film.apng"))
    bytes.insert(contentsOf: pngChunk(type, content), at: 33)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("film.png")))
  }

  /// A playlist in a film's place could make ffmpeg open addresses and other files.
  @Test(arguments: [
    "ffconcat version 1.0\nfile other.mp4\n",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.mp4\n#EXT-X-ENDLIST\n",
  ])
  func aListOpensNoOtherFilm(list: String) throws {
    try folder.write("other.mp4", count: 2)
    try folder.writeText(list, to: "list.mp4")
    #expect(throws: FileError.self) {
      let reader = try FilmReader(folder.path("list.mp4"))
      while try reader.next() != nil {}
    }
  }

  @Test func aDamagedFilmEnds() throws {
    try folder.write("film.mkv", count: 24)
    var bytes = [UInt8](try folder.bytes(of: "film.mkv"))
    var generator = SeededGenerator(seed: 7)
    for round in 0..<6 {
      for _ in 0..<20 {
        bytes[Int.random(in: 200..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: folder.path("damaged\(round).mkv")))
      do {
        let reader = try FilmReader(folder.path("damaged\(round).mkv"))
        while try reader.next() != nil {}
      } catch is FileError {}
    }
  }

  @Test func aLargePictureIsRefused() throws {
    try folder.write("film.mp4", count: 2)
    var limits = Picture.Limits()
    limits.maximumPixels = 96 * 64 - 1
    let error = try #require(throws: FileError.self) {
      try FilmReader(folder.path("film.mp4"), limits: limits)
    }
    #expect(error.found.contains("\(96 * 64 - 1) pixels"))
  }

  /// Refused before ffmpeg takes memory for them: pixels that are 100 times as wide as high.
  @Test func widePixelsAreRefused() throws {
    try folder.write("film.mp4", count: 2)
    try folder.ffmpeg("-i", folder.path("film.mp4"), "-vf", "setsar=100/1", folder.path("wide.mp4"))
    var limits = Picture.Limits()
    limits.maximumPixels = 50 * 96 * 64
    #expect(throws: FileError.self) { try FilmReader(folder.path("wide.mp4"), limits: limits) }
  }

  /// Stored 96 × 64 with pixels half as wide as high, and turned: 64 × 96 that are twice as wide as high.
  @Test func theSizeOfTurnedPicturesIsChecked() throws {
    try folder.write("film.mp4", count: 2)
    try folder.ffmpeg("-i", folder.path("film.mp4"), "-vf", "setsar=1/2", folder.path("narrow.mp4"))
    try folder.ffmpeg(
      "-i", folder.path("narrow.mp4"), "-c", "copy", "-metadata:s:v", "rotate=90",
      folder.path("turned.mp4"))
    let image = try #require(try FilmReader(folder.path("turned.mp4")).next())
    #expect(image.width == 128 && image.height == 96)
    var limits = Picture.Limits()
    limits.maximumPixels = image.width * image.height
    #expect(try FilmReader(folder.path("turned.mp4"), limits: limits).next() != nil)
    limits.maximumPixels -= 1
    #expect(throws: FileError.self) { try FilmReader(folder.path("turned.mp4"), limits: limits) }
  }

  /// A film of small pictures, each a day after the one before.
  private func writeGaps(count: Int) throws {
    try folder.ffmpeg(
      "-f", "lavfi", "-i", "color=size=16x16", "-frames:v", "\(count)", "-vf",
      "settb=1/1000,setpts=100000000*N", "-vsync", "passthrough", "-enc_time_base", "1/1000", "-bf",
      "0", folder.path("gaps.mkv"))
  }

  @Test(.timeLimit(.minutes(60))) func aLongGapIsShortened() throws {
    try writeGaps(count: 2)
    let reader = try FilmReader(
      folder.path("gaps.mkv"), interval: RationalTime(value: 1, timescale: 1000))
    var count = 0
    do { while try reader.next() != nil { count += 1 } } catch {
      // The file has too few bytes for all.
      let size = try folder.bytes(of: "gaps.mkv").count
      #expect(error is FileError && count == 1000 + 4 * size)
    }
    #expect(count <= 10_001)
  }

  /// Closing a reader ends ffmpeg, which has much left to write.
  @Test(.timeLimit(.minutes(60))) func manyGapsEnd() throws {
    try writeGaps(count: 40)
    let reader = try FilmReader(
      folder.path("gaps.mkv"), interval: RationalTime(value: 1, timescale: 1000))
    let size = try folder.bytes(of: "gaps.mkv").count
    var count = 0
    let error = try #require(throws: FileError.self) {
      while try reader.next() != nil { count += 1 }
    }
    #expect(count == 1000 + 4 * size)
    #expect(error.found.contains("repeated"))
  }

  /// As many readers at once as would block every thread that Swift shares among tasks.
  @Test func manyAtOnceDoNotBlock() async throws {
    try folder.write("film.mp4", count: 2)
    let path = folder.path("film.mp4")
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let reader = try FilmReader(path)
          var count = 0
          while try reader.next() != nil { count += 1 }
          return count
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2, count: 16))
  }
}
