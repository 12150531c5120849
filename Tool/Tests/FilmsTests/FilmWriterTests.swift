// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceFiles
import YOLOFaceFilms
import YOLOFaceRaster

@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct FilmWriterTests {
  private let folder = FilmFolder()

  @Test func anOddSizeRepeatsItsEdge() throws {
    let writer = try FilmWriter(
      folder.path("film.mp4"), width: 95, height: 63, interval: folder.interval)
    try writer.append(
      RGBImage(width: 95, height: 63, fill: RGBColor(red: 250, green: 20, blue: 20)))
    try writer.finish()
    let image = try folder.firstPicture(of: "film.mp4")
    #expect(image.width == 96 && image.height == 64)
    let corner = image[95, 63]
    #expect(corner.red > 240 && corner.green < 30 && corner.blue < 30, "\(corner)")
  }

  /// In MPEG's formats, ffmpeg counts from the first of the tracks that it reads.
  @Test(arguments: [(".ts", 0.8, 0.0), (".mpg", 0.0, 0.8)])
  func soundKeepsItsDistance(suffix: String, pictures: Double, sound: Double) throws {
    try folder.ffmpeg(
      "-itsoffset \(pictures) -f lavfi -i testsrc2=size=96x64:rate=25:duration=2 "
        + "-itsoffset \(sound) -f lavfi -i sine=duration=2 -map 0 -map 1 -c:a mp2 @film\(suffix)")
    try folder.copy("film" + suffix, to: "out.mkv", withSound: true)
    // An encoder of sound may begin a frame earlier.
    let copied = try distance(in: "out.mkv")
    #expect(try abs(copied - distance(in: "film" + suffix)) < 0.06)
    #expect(abs(copied) > 0.7)
  }

  @Test func aFilmWithoutSoundStaysSilent() throws {
    try folder.ffmpeg("-f lavfi -i testsrc2=size=96x64:rate=25:duration=1 @film.mp4")
    try folder.copy("film.mp4", to: "out.mp4", withSound: true)
    #expect(try folder.entries("stream=codec_name", of: "out.mp4", tracks: "a") == [])
  }

  /// From the start of the sound to that of the pictures, in seconds.
  private func distance(in name: String) throws -> Double {
    let starts = try ["v", "a"].map { tracks in
      let entry = try #require(folder.entries("stream=start_time", of: name, tracks: tracks).first)
      return try #require(entry.split(separator: ",").first.flatMap { Double($0) })
    }
    return starts[0] - starts[1]
  }

  /// An arrangement of channels that Opus does not have, too.
  @Test func soundIsCompressedWhole() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=size=96x64:duration=1 "
        + "-f lavfi -i sine=duration=1,aformat=channel_layouts=5.1(side) -c:a ac3 @loud.mkv")
    try folder.write("out.webm", count: 4, soundOf: "loud.mkv")
    try folder.ffmpeg("-i @out.webm -vn -ac 1 -ar 8000 -f s16le @sound")
    #expect(try abs(folder.bytes(of: "sound").count - 16_000) < 1600)
  }

  /// Sound without loss stays what it is; with the film's metadata, all sound is the same packets, unless the format
  /// does not hold its codec.
  @Test func soundKeepsItsOrderAndLanguages() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=size=64x48:duration=1 -f lavfi -i sine=duration=1 "
        + "-f lavfi -i sine=frequency=880:duration=1 -map 0 -map 1 -map 2 -c:a:0 aac "
        + "-c:a:1 pcm_s16le -metadata:s:a:0 language=deu -metadata:s:a:1 language=fra "
        + "-metadata:s:a:1 title=a|tag:language=ita @two.mkv")
    func hashes(_ name: String) throws -> [Substring] {
      try folder.ffmpeg("-i @\(name) -map 0:a -c copy -f streamhash -hash md5 @hash")
      return String(decoding: try folder.bytes(of: "hash"), as: UTF8.self).split(separator: "\n")
    }
    let before = try hashes("two.mkv")
    let title = "titles of tracks of sound are left out"
    let noLanguages = "languages of tracks of sound are left out: .avi has no place for them"
    func again(_ codec: String) -> String { "sound in \(codec) was compressed again" }
    for (name, keepsMetadata, copied, losses) in [
      ("out.mov", true, [true, true], []),
      ("out.mov", false, [false, true], [again("aac"), title]),
      ("out.mp4", true, [true, false], [again("pcm_s16le")]),
      ("out.avi", true, [true, true], [noLanguages]),
    ] {
      let writer = try folder.write(
        name, count: 4, width: 64, height: 48, soundOf: "two.mkv",
        metadataOf: keepsMetadata ? "two.mkv" : nil)
      #expect(writer.losses == losses)
      if name == "out.avi" { continue }
      #expect(zip(before, try hashes(name)).map(==) == copied)
      let languages = try folder.entries("stream_tags=language", of: name, tracks: "a")
      #expect(languages == (name == "out.mov" ? ["ger", "fra"] : ["deu", "fra"]))
    }
  }

  /// A phone's second track of sound may be of a codec that ffmpeg does not know.
  @Test func soundThatFFmpegCannotReadIsLeftOut() throws {
    try folder.ffmpeg(
      "-f lavfi -i color=size=96x64:duration=1 -f lavfi -i sine=duration=1 "
        + "-map 0 -map 1 -map 1 -c:a aac @film.mp4")
    var bytes = try folder.bytes(of: "film.mp4")
    for (name, other) in [("esds", "dapa"), ("mp4a", "apac")] {
      let last = try #require(bytes.range(of: Data(name.utf8), options: .backwards))
      bytes.replaceSubrange(last, with: Data(other.utf8))
    }
    try folder.write(bytes, to: "phone.mp4")
    let tracks = try FilmTracks(folder.path("phone.mp4"))
    #expect(tracks.all.map(\.kind) == ["audio", "audio"])
    #expect(tracks.sound.map(\.codec) == ["aac"])
    try folder.write("out.mov", count: 4, soundOf: "phone.mp4")
    #expect(try folder.entries("stream=codec_name", of: "out.mov", tracks: "a") == ["aac"])
  }

  /// A player may begin before the whole film is there.
  @Test func anMP4BeginsWithItsIndex() throws {
    try folder.write("film.mp4", count: 2)
    let bytes = try folder.bytes(of: "film.mp4")
    let index = try #require(bytes.range(of: Data("moov".utf8)))
    let pictures = try #require(bytes.range(of: Data("mdat".utf8)))
    #expect(index.lowerBound < pictures.lowerBound)
  }

  @Test func aLowerRateIsLarger() throws {
    let sizes = try [10, 40].map { quality in
      try folder.write("film.mp4", count: 4, quality: quality)
      return try folder.bytes(of: "film.mp4").count
    }
    #expect(sizes[0] > sizes[1])
  }

  /// Encoding the sound that is left would take many seconds.
  @Test func anUnfinishedFilmDoesNotWaitForItsSound() throws {
    try folder.ffmpeg(
      "-f lavfi -i sine=duration=4000:sample_rate=8000 -f lavfi -i color=size=96x64:duration=1 "
        + "-c:a pcm_u8 @long.avi")
    var writer: FilmWriter? = try FilmWriter(
      folder.path("out.mp4"), width: 96, height: 64, interval: folder.interval,
      soundOf: folder.path("long.avi"))
    try writer?.append(folder.picture(0))
    let duration = ContinuousClock().measure { writer = nil }
    #expect(duration < .seconds(10))
    #expect(try folder.names == ["long.avi"])
  }

  @Test func anUnfinishedFilmIsRemoved() throws {
    try folder.write("older".utf8, to: "film.mp4")
    do {
      let writer = try FilmWriter(
        folder.path("film.mp4"), width: 96, height: 64, interval: folder.interval)
      try writer.append(folder.picture(0))
      #expect(throws: FileError.self) { try writer.append(folder.picture(0, width: 100)) }
    }
    #expect(try folder.names == ["film.mp4"])
    #expect(try folder.bytes(of: "film.mp4") == Data("older".utf8))
  }
}
