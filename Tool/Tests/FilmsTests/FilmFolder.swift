// SPDX-License-Identifier: Apache-2.0
import FilmSupport
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceFilms
import YOLOFaceRaster

/// A folder for small films, which ffmpeg writes and reads.
struct FilmFolder {
  private let folder = try! TemporaryFolder()
  let interval = try! RationalTime(value: 1001, timescale: 24_000)

  func path(_ name: String) -> String { folder.url.appending(path: name).path }

  /// Picture `number` of a film: a white square of 16 pixels on black, 4 × `number` from the left.
  func picture(_ number: Int, width: Int = 96, height: Int = 64) -> RGBImage {
    var picture = RGBImage(width: width, height: height, fill: .black)
    picture.draw(RGBImage(width: 16, height: 16, fill: .white), atX: 4 * number, y: 8)
    return picture
  }

  /// Writes a film of so many pictures.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - count: how many pictures it has.
  ///   - width: theirs.
  ///   - height: theirs.
  ///   - quality: the constant rate factor.
  ///   - source: the name of the film whose sound is taken over.
  ///   - tagged: that of the film whose metadata is.
  @discardableResult func write(
    _ name: String, count: Int, width: Int = 96, height: Int = 64, quality: Int? = nil,
    soundOf source: String? = nil, metadataOf tagged: String? = nil
  ) throws -> FilmWriter {
    let writer = try FilmWriter(
      path(name), width: width, height: height, interval: interval, quality: quality,
      soundOf: source.map(path), metadataOf: tagged.map(path))
    for number in 0..<count { try writer.append(picture(number, width: width, height: height)) }
    try writer.finish()
    return writer
  }

  func reader(
    _ name: String, interval: RationalTime? = nil, limits: Picture.Limits = Picture.Limits()
  ) throws -> FilmReader {
    try FilmReader(path(name), interval: interval, limits: limits)
  }

  func firstPicture(of name: String) throws -> RGBImage {
    try #require(try reader(name).next())
  }

  /// Whether a picture's bright pixels are around a point: compression blurs edges by less than a pixel.
  func isCentered(_ image: RGBImage, x: Double, y: Double) -> Bool {
    let bright = (0..<image.width * image.height).filter { image.pixels[3 * $0] > 127 }
      .map { $0.quotientAndRemainder(dividingBy: image.width) }
    let (row, column) = bright.reduce((0, 0)) { ($0.0 + $1.quotient, $0.1 + $1.remainder) }
    let count = Double(bright.count)
    return abs(Double(column) / count + 0.5 - x) < 1 && abs(Double(row) / count + 0.5 - y) < 1
  }

  /// Runs ffmpeg with words, of which those that begin with @ are the folder's files.
  func ffmpeg(_ words: String) throws {
    try Programs.ffmpeg(
      words.split(separator: " ").map { $0.first == "@" ? path("\($0.dropFirst())") : "\($0)" })
  }

  /// A pixel of a film's first picture, red, green and blue, as ffmpeg itself shows it.
  func decodedPixel(of name: String, x: Int, y: Int) throws -> [Int] {
    try ffmpeg("-i @\(name) -frames:v 1 -vf format=rgb24,crop=1:1:\(x):\(y) -f rawvideo @pixel")
    return try bytes(of: "pixel").map { Int($0) }
  }

  /// When a film's pictures are shown, since the first, and when the last one ends, as its packets say.
  func storedTimes(of name: String) throws -> (pictures: [Double], end: Double) {
    let lines = try entries("packet=pts_time,dts_time:format=duration", of: name, tracks: "v")
    let numbers = lines.map { $0.split(separator: ",").compactMap { Double($0) }.first ?? .nan }
    let times = numbers.dropLast().sorted()
    return (times.map { $0 - (times.first ?? 0) }, numbers.last ?? .nan)
  }

  /// Copies a film, picture by picture.
  ///
  /// - Returns: the times of its pictures since the first and the usual one between them, in seconds, and the copy's
  ///   writer.
  @discardableResult func copy(
    _ name: String, to copy: String, withSound: Bool = false
  ) throws -> (times: [Double], interval: Double, writer: FilmWriter) {
    let reader = try reader(name)
    var (writer, times): (FilmWriter?, [Double]) = (nil, [])
    while let image = try reader.next() {
      times.append(reader.time.seconds)
      writer =
        try writer
        ?? FilmWriter(
          path(copy), width: image.width, height: image.height, interval: reader.interval,
          clock: reader.clock, start: withSound ? reader.start : nil,
          pixelAspect: reader.pixelAspect, color: reader.color,
          soundOf: withSound ? reader.path : nil)
      try writer?.append(image, at: reader.time)
    }
    try writer?.finish()
    return (times, reader.interval.seconds, try #require(writer))
  }

  /// What ffprobe says of a film's tracks: an entry of each, in a line.
  func entries(_ names: String, of name: String, tracks: String) throws -> [String] {
    let program = try #require(Programs.path(ofAny: "ffprobe"))
    let words = "-v error -of csv=p=0 -show_entries \(names) -select_streams".split(separator: " ")
    let run = try Programs.run(
      URL(fileURLWithPath: program), words.map(String.init) + [tracks, path(name)])
    return run.output.split(separator: "\n").map(String.init)
  }

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    try Data(bytes).write(to: folder.url.appending(path: name))
  }

  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: folder.url.appending(path: name))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }
}

extension FilmReader {
  /// The number of the pictures that are left.
  func count() throws -> Int {
    var count = 0
    while try next() != nil { count += 1 }
    return count
  }
}
