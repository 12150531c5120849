// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceFiles
import YOLOFaceFilms
import YOLOFaceRaster

/// Films that ffmpeg has written, whose pictures it computes independently of this code.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct FilmReaderTests {
  private let folder = FilmFolder()

  @Test(arguments: FilmWriter.fileSuffixes) func picturesComeBack(suffix: String) throws {
    try folder.write("film\(suffix)", count: 12)
    let reader = try folder.reader("film\(suffix)")
    // Films round times to their clock; Matroska's ticks are of a millisecond, GIF's of ten.
    let tick = suffix == ".gif" ? 0.01 : 0.001
    #expect(abs(reader.interval.seconds - folder.interval.seconds) < 0.6 * tick)
    for number in 0..<12 {
      let image = try #require(try reader.next())
      #expect(image.width == 96 && image.height == 64)
      #expect(folder.isCentered(image, x: Double(4 * number + 8), y: 16))
    }
    #expect(try reader.next() == nil)
    #expect(reader.complaints.isEmpty)
  }

  private static let square = "drawbox=x=8:y=8:w=16:h=16:c=white:t=fill"

  /// All eight matrices of a film: how the upright picture lies in the stored one. Theirs are the numbers of Exif.
  @Test func allMatricesAreHeard() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=black:size=96x64:duration=0.04,\(Self.square) -pix_fmt yuv420p @film.mp4")
    let bytes = try folder.bytes(of: "film.mp4")
    let header = try #require(bytes.range(of: Data("tkhd".utf8))).upperBound
    let (right, down) = (96.0, 64.0)
    let table: [(matrix: [Int32], center: (x: Double, y: Double))] = [
      ([1, 0, 0, 1], (16, 16)), ([-1, 0, 0, 1], (right - 16, 16)),
      ([-1, 0, 0, -1], (right - 16, down - 16)), ([1, 0, 0, -1], (16, down - 16)),
      ([0, 1, 1, 0], (16, 16)), ([0, 1, -1, 0], (down - 16, 16)),
      ([0, -1, -1, 0], (down - 16, right - 16)), ([0, -1, 1, 0], (16, right - 16)),
    ]
    for (number, (matrix, center)) in table.enumerated() {
      var turned = bytes
      // Version 0: the matrix comes after 40 bytes, its rows of three numbers of 16.16 bits.
      for (index, value) in zip([0, 1, 3, 4], matrix) {
        let start = header + 40 + 4 * index
        withUnsafeBytes(of: (value << 16).bigEndian) {
          turned.replaceSubrange(start..<start + 4, with: $0)
        }
      }
      try folder.write(turned, to: "turned.mp4")
      let image = try folder.firstPicture(of: "turned.mp4")
      #expect((image.width, image.height) == (number < 4 ? (96, 64) : (64, 96)))
      #expect(folder.isCentered(image, x: center.x, y: center.y), "matrix \(number + 1)")
    }
  }

  /// Films of various times, what ffmpeg makes them of, when their pictures are shown, and the form of a copy:
  /// reordered pictures, two in three left out, the second of each two late, at three gaps in turn, of two fields, some
  /// of another size between others, and one alone.
  private static let timedFilms: [(name: String, of: String, times: [Double], copy: String)] = [
    (
      "even.mov", "-vf settb=1001/30000,setpts=N -enc_time_base 1/30000", even(25, 1001 / 30000),
      ".webm"
    ),
    (
      "some.mkv", "-vf select=not(mod(n\\,3))+eq(n\\,4) -enc_time_base 1/1000",
      [0, 0.12, 0.16, 0.24, 0.36, 0.48, 0.6, 0.72, 0.84, 0.96], ".mp4"
    ),
    (
      "late.mov", "-vf settb=1/90000,setpts=PTS+1080*mod(N\\,2) -enc_time_base 1/90000", late,
      ".mkv"
    ),
    ("late.mov", "", late, ".avi"),
    (
      // Every third picture is nearly where the average interval would have it.
      "uneven.gif",
      "-vf settb=1/100,setpts=20*floor(N/3)+5*eq(mod(N\\,3)\\,1)+14*eq(mod(N\\,3)\\,2) "
        + "-enc_time_base 1/100",
      (0..<25).map { 0.2 * Double($0 / 3) + [0, 0.05, 0.14][$0 % 3] }, ".mkv"
    ),
    ("fields.mpg", "-c:v mpeg2video -bf 2 -flags +ilme+ildct", even(25, 0.04), ".mp4"),
    ("sizes.mkv", "", even(15, 0.04), ".mp4"), ("one.mp4", "-frames:v 1", [0], ".webm"),
  ]

  private static let late = zip(even(25, 0.04), 0..<25).map { $0 + 0.012 * Double($1 % 2) }

  private static func even(_ count: Int, _ interval: Double) -> [Double] {
    (0..<count).map { Double($0) * interval }
  }

  /// Joins films of H.264 at 25 pictures per second.
  private func join(_ parts: [String], to name: String) throws {
    try folder.write(parts.map { try folder.bytes(of: $0) }.joined(), to: "joined.264")
    try folder.ffmpeg("-fflags +genpts -r 25 -i @joined.264 -c copy @\(name)")
  }

  @Test func everyPictureKeepsItsTime() throws {
    for (name, options, _, _) in Self.timedFilms where !options.isEmpty {
      try folder.ffmpeg(
        "-f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -fps_mode passthrough \(options) @\(name)"
      )
    }
    let sizes = ["64x48", "96x80", "32x32"]
    for size in sizes {
      try folder.ffmpeg("-f lavfi -i testsrc2=size=\(size):rate=25 -frames:v 5 -bf 0 @\(size).264")
    }
    try join(sizes.map { "\($0).264" }, to: "sizes.mkv")
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
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -f lavfi -i sine=duration=1 "
        + "-c:a truehd -strict -2 -ac 2 @film.mkv")
    let reader = try folder.reader("film.mkv")
    #expect(try reader.count() == 25)
    #expect(reader.complaints == "")
  }

  /// Orientation in the stream with the first picture alone; players turn all.
  @Test func theStreamsOrientationIsHeard() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=black:size=96x64:rate=25,\(Self.square) -frames:v 10 -pix_fmt yuv420p "
        + "-bsf:v h264_metadata=display_orientation=insert:rotate=90 @turned.mp4")
    let reader = try folder.reader("turned.mp4")
    for _ in 0..<10 {
      let image = try #require(try reader.next())
      // Counterclockwise: the top of the stored picture is on the left.
      #expect(image.width == 64 && folder.isCentered(image, x: 16, y: 96 - 16))
    }
    #expect(try reader.next() == nil)
    #expect(reader.losses.isEmpty)
  }

  /// What an editor cuts from a film's beginning without compressing it again is still in its index.
  @Test func missingPicturesAreSaid() throws {
    try folder.write("film.mp4", count: 24)
    try folder.ffmpeg("-ss 0.4 -i @film.mp4 -c copy @cut.mp4")
    let reader = try folder.reader("cut.mp4")
    let count = try reader.count()
    #expect((13...15).contains(count))
    let said = "\(count) of the 24 pictures of its index are shown; the others are cut out or lost"
    #expect(reader.losses == [said])
  }

  /// All of Matroska's tracks are usual ones unless it says otherwise.
  @Test func theLargestOfTheUsualPicturesAreTaken() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=black:size=64x48 -f lavfi -i color=white:size=128x96 -frames:v 2 "
        + "-map 0 -map 1 -disposition:v default @two.mkv")
    #expect(try folder.firstPicture(of: "two.mkv").width == 128)
  }

  /// A film's usual track of pictures is not its first, nor the largest.
  @Test func theUsualPicturesAreTaken() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=black:size=128x96 -f lavfi -i color=white:size=64x48 -frames:v 2 "
        + "-map 0 -map 1 -disposition:v:0 0 -disposition:v:1 default @two.mkv")
    let reader = try folder.reader("two.mkv")
    #expect(try reader.next()?.pixels.allSatisfy { $0 > 250 } == true)
    #expect(reader.losses == ["of 2 tracks of pictures, only track 1 was read"])
  }

  /// The edge of a square that moves by 4 pixels a field is a comb: in a film of fields, one that begins with whole
  /// pictures, one on its side, and one of a camera.
  @Test(arguments: ["film.mp4", "later.mkv", "turned.mp4", "camera.mov"])
  func fieldsBecomeWholePictures(name: String) throws {
    let fields =
      "-f lavfi -i color=black:size=96x64:rate=50[ground];color=white:size=16x32:rate=50[square];"
      + "[ground][square]overlay=x=4*n:y=8,interlace=lowpass=0,format=yuv420p "
      + "-frames:v 10 -flags +ilme+ildct -bf 0 "
    let isTurned = name == "turned.mp4"
    switch name {
    case "later.mkv":
      try folder.ffmpeg(
        "-f lavfi -i color=black:size=96x64:rate=25,format=yuv420p -frames:v 10 -bf 0 @whole.264")
      try folder.ffmpeg(fields + "-crf 4 @fields.264")
      try join(["whole.264", "fields.264"], to: name)
    case "turned.mp4":
      try folder.ffmpeg(fields + "-crf 4 @film.mp4")
      try folder.ffmpeg("-i @film.mp4 -c copy -metadata:s:v rotate=90 @\(name)")
    case "camera.mov":
      try folder.ffmpeg(fields + "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10 @\(name)")
    default: try folder.ffmpeg(fields + "-crf 4 @\(name)")
    }
    let reader = try folder.reader(name)
    #expect(
      reader.losses.contains("interlaced pictures became whole ones") == name.hasSuffix(".mp4"),
      "\(reader.losses)")
    var count = 0
    while let image = try reader.next() {
      count += 1
      let edges: [Int] = (14..<34).map { row in
        (0..<96).first { image[isTurned ? row : $0, isTurned ? 95 - $0 : row].red > 127 } ?? 0
      }
      #expect((edges.max() ?? 0) - (edges.min() ?? 0) <= 1, "picture \(count)")
    }
    #expect(count == (name == "later.mkv" ? 20 : 10))
  }

  /// Stored 96 × 64 with pixels of an aspect ratio, and turned: the size of square pixels. A limit is checked before
  /// ffmpeg takes memory for them.
  @Test(arguments: [
    ("1/1", false, 96, 64), ("2/1", false, 192, 64), ("100/1", false, 9600, 64),
    ("2/1", true, 64, 192),
  ])
  func pixelsAreSquareWithinTheLimit(
    aspect: String, isTurned: Bool, width: Int, height: Int
  ) throws {
    try folder.write("film.mp4", count: 2)
    try folder.ffmpeg("-i @film.mp4 -vf setsar=\(aspect) @wide.mp4")
    if isTurned {
      try folder.ffmpeg("-i @wide.mp4 -c copy -metadata:s:v rotate=90 @turned.mp4")
    }
    var limits = Picture.Limits()
    limits.maximumPixels = width * height
    let name = isTurned ? "turned.mp4" : "wide.mp4"
    let image = try #require(try folder.reader(name, limits: limits).next())
    #expect((image.width, image.height) == (width, height))
    limits.maximumPixels -= 1
    let error = #expect(throws: FileError.self) { try folder.reader(name, limits: limits) }
    #expect(error?.found.contains("\(limits.maximumPixels) pixels") == true)
  }

  /// Of 96 × 64 pixels 80 × 56 are shown, whose middle is 4 to the left of that of the whole: a box "clap" at the end
  /// of the description of the pictures.
  @Test func edgesAreCutOffAsPlayersDo() throws {
    try folder.write("film.mp4", count: 6)
    var bytes = try [UInt8](folder.bytes(of: "film.mp4"))
    func bigEndian(_ number: Int) -> [UInt8] {
      withUnsafeBytes(of: Int32(number).bigEndian, Array.init)
    }
    let box =
      bigEndian(40) + Array("clap".utf8) + [80, 1, 56, 1, -4, 1, 0, 1].flatMap(bigEndian)
    /// Adds the box's length to the number that comes so many bytes behind the beginning of a name, or before.
    func grow(_ name: String, _ offset: Int = -4) throws -> Range<Int> {
      let start = try #require(bytes.ranges(of: Array(name.utf8)).last).lowerBound + offset
      let old = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      bytes.replaceSubrange(start..<start + 4, with: bigEndian(old + box.count))
      return start..<start + old
    }
    for name in ["moov", "trak", "mdia", "minf", "stbl", "stsd"] { _ = try grow(name) }
    // Where the first of the pictures, which all are in one chunk, is in the file.
    _ = try grow("stco", 12)
    let end = try grow("avc1").upperBound
    bytes.insert(contentsOf: box, at: end)
    try folder.write(bytes, to: "cut.mp4")
    let reader = try folder.reader("cut.mp4")
    for _ in 0..<5 { _ = try reader.next() }
    let image = try #require(try reader.next())
    #expect((image.width, image.height) == (80, 56))
    #expect(folder.isCentered(image, x: 28 - 4, y: 16 - 4))
  }

  /// 853⅓ square pixels.
  @Test func aCopyKeepsTheAspectRatio() throws {
    try folder.ffmpeg("-f lavfi -i color=size=720x480,setsar=32/27 -frames:v 1 @dvd.mp4")
    try folder.copy("dvd.mp4", to: "copy.mkv")
    let entries = "stream=width,height,display_aspect_ratio"
    #expect(try folder.entries(entries, of: "copy.mkv", tracks: "v") == ["854,480,16:9"])
  }

  @Test func takesTheRateThatIsAskedFor() throws {
    try folder.write("film.mp4", count: 24)
    // 24 pictures last a second.
    let reader = try folder.reader("film.mp4", interval: RationalTime(value: 1, timescale: 6))
    #expect(try (6...7).contains(reader.count()))
    let slow = try folder.reader("film.mp4", interval: RationalTime(seconds: 1000))
    let error = #expect(throws: FileError.self) { try slow.next() }
    #expect(error?.expected == "one that is longer than 1000.0 s, or a higher frame rate")
  }

  /// A screen's recording: pictures at random times, no stated rate, and a clock of milliseconds, which is not
  /// taken for the rate.
  @Test func aFilmWithoutARateGoesByItsTimes() throws {
    try folder.ffmpeg(
      "-f lavfi -i testsrc=size=64x48:rate=1000 -t 2 -vf select=gt(random(1)\\,0.97) "
        + "-vsync passthrough -enc_time_base 1/1000 -c:v libvpx -live 1 @screen.webm")
    // Of 2,000 pictures about 60 are kept.
    #expect(try (0.02...0.05).contains(folder.reader("screen.webm").interval.seconds))
    let given = try RationalTime(value: 1, timescale: 10)
    #expect(try folder.reader("screen.webm", interval: given).interval == given)
  }

  @Test func otherFilesAreRefused() throws {
    try folder.write("not a film".utf8, to: "text.mp4")
    try folder.write([], to: "empty.mov")
    for name in ["text.mp4", "empty.mov", "missing.mp4", "."] {
      #expect(throws: FileError.self) { try folder.reader(name) }
    }
    #expect(throws: FileError.self) { try folder.write("film.txt", count: 1) }
    try folder.ffmpeg("-f lavfi -i sine=duration=1 @sound.mp4")
    let error = #expect(throws: FileError.self) { try folder.reader("sound.mp4") }
    #expect(error?.found == "no pictures")
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
    let title = String(repeating: "a", count: size)
    try folder.write(";FFMETADATA1\n[STREAM]\ntitle=\(title)\n".utf8, to: "title.txt")
    try folder.ffmpeg(
      "-f lavfi -i testsrc2=size=64x48:duration=0.1 -f ffmetadata -i @title.txt "
        + "-map_metadata:s:v 1:s:0 @film.mkv")
    if size < 1 << 20 {
      _ = try folder.firstPicture(of: "film.mkv")
    } else {
      let error = #expect(throws: FileError.self) { try folder.reader("film.mkv") }
      #expect(error?.found == "ffprobe's description of 1 MiB or more, as of long titles")
    }
  }

  /// The names of a camera, a phone, a disc and of the net, and animations.
  @Test(arguments: [".MTS", ".3gp", ".vob", ".asf", ".flv", ".gif", ".apng", ".mxf"])
  func otherContainersAreFilms(suffix: String) throws {
    let size = [".3gp", ".mxf"].contains(suffix) ? "352x288" : "64x48"
    try folder.ffmpeg("-f lavfi -i testsrc2=size=\(size):rate=25 -frames:v 10 @film\(suffix)")
    #expect(try folder.reader("film" + suffix).count() == 10)
    #expect(FilmReader.fileSuffixes.contains(suffix.lowercased()))
    #expect(isAnimatedPicture(folder.path("film" + suffix)) == (suffix == ".apng"))
  }

  /// Texts before the chunk that says so: of more bytes than ffmpeg looks at, and than are read at first.
  @Test(arguments: [3000, 100_000]) func aLongTextHidesNoAnimation(size: Int) throws {
    try folder.ffmpeg("-f lavfi -i testsrc2=size=64x48:rate=25 -frames:v 3 @film.apng")
    try insert("tEXt", Array("Comment\0".utf8) + [UInt8](repeating: 97, count: size))
    #expect(isAnimatedPicture(folder.path("film.png")))
    #expect(try folder.reader("film.png").count() == 3)
  }

  /// Exif data with nothing but the orientation 6: the top of the picture is on the right.
  @Test func anAnimationOnItsSideIsTurned() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=black:size=96x64:duration=0.08,\(Self.square) @film.apng")
    let entry: [UInt8] = [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    try insert("eXIf", Array("MM\0*\0\0\0\u{8}\0\u{1}".utf8) + entry + [0, 0, 0, 0])
    let image = try folder.firstPicture(of: "film.png")
    #expect(image.width == 64 && folder.isCentered(image, x: 64 - 16, y: 16))
  }

  /// Writes `film.apng` as `film.png` with another chunk, behind the first.
  private func insert(_ type: String, _ content: [UInt8]) throws {
    var bytes = try [UInt8](folder.bytes(of: "film.apng"))
    bytes.insert(contentsOf: pngChunk(type, content), at: 33)
    try folder.write(bytes, to: "film.png")
  }

  /// A playlist in a film's place could make ffmpeg open addresses and other files.
  @Test(arguments: [
    "ffconcat version 1.0\nfile other.mp4\n",
    "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nother.mp4\n#EXT-X-ENDLIST\n",
  ])
  func aListOpensNoOtherFilm(list: String) throws {
    try folder.write("other.mp4", count: 2)
    try folder.write(list.utf8, to: "list.mp4")
    #expect(throws: FileError.self) { try folder.reader("list.mp4").count() }
  }

  @Test func aDamagedFilmEnds() throws {
    try folder.write("film.mkv", count: 24)
    var bytes = [UInt8](try folder.bytes(of: "film.mkv"))
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<6 {
      for _ in 0..<20 {
        bytes[Int.random(in: 200..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try folder.write(bytes, to: "damaged.mkv")
      do { _ = try folder.reader("damaged.mkv").count() } catch is FileError {}
    }
  }

  /// Small pictures, each a day after the one before. Closing a reader ends ffmpeg, which has much left to write.
  @Test(.timeLimit(.minutes(60)), arguments: [2, 40]) func longGapsAreShortened(days: Int) throws {
    try folder.ffmpeg(
      "-f lavfi -i color=size=16x16 -frames:v \(days) -vf settb=1/1000,setpts=100000000*N "
        + "-vsync passthrough -enc_time_base 1/1000 -bf 0 @gaps.mkv")
    let reader = try folder.reader("gaps.mkv", interval: RationalTime(value: 1, timescale: 1000))
    var count = 0
    do {
      while try reader.next() != nil { count += 1 }
      #expect(days == 2)
    } catch {
      // The file has too few bytes for all.
      #expect((error as? FileError)?.found.contains("repeated") == true)
      #expect(try count == 1000 + 4 * folder.bytes(of: "gaps.mkv").count)
    }
    #expect(days > 2 || count <= 10_001)
  }

  /// As many readers at once as would block every thread that Swift shares among tasks.
  @Test func manyAtOnceDoNotBlock() async throws {
    try folder.write("film.mp4", count: 2)
    let path = folder.path("film.mp4")
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<16 { group.addTask { try FilmReader(path).count() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2, count: 16))
  }
}
