import FaceAnalysis
import Films
import FilmSupport
import Foundation
import Raster
import TestSupport
import Testing

/// A folder for small films, which ffmpeg writes and reads.
struct FilmFolder {
  private let folder = try! TemporaryFolder()
  let interval = try! RationalTime(value: 1001, timescale: 24_000)

  func path(_ name: String) -> String { folder.url.appending(path: name).path }

  /// Picture `number` of a film: a white square of 16 pixels on black, 4 × `number` from the left.
  func picture(_ number: Int, width: Int = 96, height: Int = 64) throws -> RGBImage {
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    for y in 8..<24 {
      for x in 4 * number..<4 * number + 16 {
        for channel in 0..<3 { bytes[3 * (y * width + x) + channel] = 255 }
      }
    }
    return try RGBImage(
      copying: bytes, width: width, height: height, format: .rgb, bytesPerRow: 3 * width)
  }

  /// Writes a film of so many pictures.
  ///
  /// - Parameter source: the name of the film whose sound is taken over.
  @discardableResult func write(
    _ name: String, count: Int, width: Int = 96, height: Int = 64, quality: Int? = nil,
    soundOf source: String? = nil
  ) throws -> FilmWriter {
    let writer = try FilmWriter(
      path(name), width: width, height: height, interval: interval, quality: quality,
      soundOf: source.map(path))
    for number in 0..<count { try writer.append(picture(number, width: width, height: height)) }
    try writer.finish()
    return writer
  }

  /// The mean positions of a picture's bright pixels, in pixels.
  func centre(of image: RGBImage) -> (x: Double, y: Double) {
    var (x, y, count) = (0.0, 0.0, 0.0)
    for row in 0..<image.height {
      for column in 0..<image.width where image.pixels[3 * (row * image.width + column)] > 127 {
        (x, y, count) = (x + Double(column) + 0.5, y + Double(row) + 0.5, count + 1)
      }
    }
    return (x / count, y / count)
  }

  func ffmpeg(_ arguments: String...) throws { try Programs.ffmpeg(arguments) }

  func ffmpeg(_ arguments: [String]) throws { try Programs.ffmpeg(arguments) }

  /// A pixel of a film's first picture, red, green and blue, as ffmpeg itself shows it.
  func decodedPixel(of name: String, x: Int, y: Int) throws -> [Int] {
    try ffmpeg(
      "-i", path(name), "-frames:v", "1", "-vf", "format=rgb24,crop=1:1:\(x):\(y)", "-f",
      "rawvideo",
      path("pixel"))
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
  func copy(
    _ name: String, to copy: String
  ) throws -> (times: [Double], interval: Double, writer: FilmWriter) {
    let reader = try FilmReader(path(name))
    var (writer, times): (FilmWriter?, [Double]) = (nil, [])
    while let image = try reader.next() {
      times.append(reader.time.seconds)
      writer =
        try writer
        ?? FilmWriter(
          path(copy), width: image.width, height: image.height, interval: reader.interval,
          clock: reader.clock, pixelAspect: reader.pixelAspect, colour: reader.colour)
      try writer?.append(image, at: reader.time)
    }
    try writer?.finish()
    return (times, reader.interval.seconds, try #require(writer))
  }

  /// What ffprobe says of a film's tracks: an entry of each, in a line.
  func entries(_ names: String, of name: String, tracks: String) throws -> [String] {
    let program = try #require(Programs.path(ofAny: "ffprobe"))
    let run = try Programs.run(
      URL(fileURLWithPath: program),
      [
        "-v", "error", "-of", "csv=p=0", "-select_streams", tracks, "-show_entries", names,
        path(name),
      ])
    return run.output.split(separator: "\n").map(String.init)
  }

  func writeText(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  func bytes(of name: String) throws -> Data {
    try Data(contentsOf: folder.url.appending(path: name))
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
  }
}
