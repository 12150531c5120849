// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFilms

/// Films with a place in every text that their container and their codecs have.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct MetadataTests {
  private let folder = FilmFolder()
  private static let place = "+52.5200+013.4050/"

  /// What ffmpeg makes of a film of several tracks of sound.
  private static let films = [
    ("film.mp4", "-c:a aac -timecode 01:02:03:04 -movflags use_metadata_tags"),
    ("film.avi", "-c:v mpeg4 -c:a libmp3lame"),
    (
      "film.mkv",
      "-map 1 -map 1 -map 1 -map 1 -map 1 -c:a libvorbis -c:a:1 libopus -c:a:2 flac -c:a:3 libmp3lame "
        + "-c:a:4 ac3 -c:a:5 aac -attach @place.txt -metadata:s:t mimetype=text/plain"
    ),
  ]

  /// Makes a film, its title and those of its tracks and a chapter being the place. What encoders say of themselves,
  /// such as in the comments of Vorbis, in a frame of MP3, and beside the pictures of H.264, becomes the place, too.
  private func make(_ name: String, _ options: String) throws {
    let place = Self.place
    try folder.write(place.utf8, to: "place.txt")
    try folder.write(
      ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/25\nSTART=0\nEND=9\ntitle=\(place)\n".utf8,
      to: "chapter.txt")
    let tags = ["title", "comment", "location", "artist", "make", "copyright", "description"]
      .map { "-metadata \($0)=\(place) " }.joined()
    try folder.ffmpeg(
      "-f lavfi -i testsrc2=size=96x64:rate=25:duration=0.4 -f lavfi -i sine=duration=0.4 "
        + "-i @chapter.txt -map 0 -map 1 -map_chapters 2 \(options) \(tags)"
        + "-metadata:s:v title=\(place) -metadata:s:a title=\(place) "
        + "-metadata:s:v handler_name=\(place) -metadata:s:a handler_name=\(place) @\(name)")
    var bytes = try [UInt8](folder.bytes(of: name))
    for word in ["Lavc", "Lavf", "x264 - core", "LAME3."] {
      for range in bytes.ranges(of: Array(word.utf8)).reversed() {
        let end = bytes[range.lowerBound...].firstIndex { $0 < 0x20 || $0 > 0x7E }
        let length = min((end ?? range.upperBound) - range.lowerBound, place.utf8.count)
        bytes.replaceSubrange(
          range.lowerBound..<range.lowerBound + length, with: place.utf8.prefix(length))
      }
    }
    try folder.write(bytes, to: name)
  }

  private func holdsPlace(_ name: String) throws -> Bool {
    let bytes = try folder.bytes(of: name)
    return [String.Encoding.utf8, .utf16BigEndian, .utf16LittleEndian].contains {
      "+52.5".data(using: $0).map { bytes.range(of: $0) != nil } ?? false
    }
  }

  @Test(arguments: films) func noCopyTellsThePlace(name: String, options: String) throws {
    try make(name, options)
    #expect(try holdsPlace(name))
    for suffix in FilmWriter.fileSuffixes + [".png"] {
      let (_, _, writer) = try folder.copy(name, to: "copy" + suffix, withSound: true)
      #expect(try !holdsPlace("copy" + suffix), "\(suffix)")
      let isSilent = [".gif", ".apng", ".png"].contains(suffix)
      let said = "the sound is left out: \(suffix) has no place for it"
      #expect(writer.losses.contains(said) == isSilent, "\(suffix)")
    }
  }

  /// Without sound, too, the film keeps its tags.
  @Test func metadataIsKeptWhereAskedFor() throws {
    try make("film.webm", "-c:v libvpx -c:a libvorbis")
    for sound in ["film.webm", nil] {
      try folder.write("copy.mkv", count: 4, soundOf: sound, metadataOf: "film.webm")
      let titles = try folder.entries(
        "format_tags=title:chapter_tags=title:stream_tags=title", of: "copy.mkv", tracks: "a")
      #expect(titles == Array(repeating: Self.place, count: sound == nil ? 2 : 3))
    }
  }
}
