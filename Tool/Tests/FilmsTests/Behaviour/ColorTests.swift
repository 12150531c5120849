// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceFilms
import YOLOFaceRaster

/// Films of one colour, as ffmpeg makes them of RGB: what is read, and what a copy shows, is that colour.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct ColorTests {
  private let folder = FilmFolder()
  private static let color = [200, 60, 40]

  struct Kind: Sendable {
    var name: String
    var size = "64x48"
    var filter: String
    var options = "-c:v libx264 -crf 4"
    var expected = ColorTests.color
    var losses: [String] = []
  }

  private static let deep = "more than 8 bits became 8"

  private static func tagged(_ matrix: String, _ primaries: String, _ transfer: String) -> String {
    "-colorspace \(matrix) -color_primaries \(primaries) -color_trc \(transfer) -c:v libx264 -crf 4"
  }

  private static let linear =
    "format=gbrp,setparams=color_primaries=bt709:color_trc=bt709:colorspace=gbr:range=full,"
    + "format=gbrpf32le,zscale=transfer=linear:npl=203,format=gbrpf32le,zscale=primaries=2020"

  private static func highRange(_ transfer: String) -> Kind {
    Kind(
      name: "\(transfer).mkv",
      filter: linear
        + ":transfer=\(transfer):matrix=2020_ncl:range=limited:npl=203,format=yuv420p10",
      options: tagged("bt2020nc", "bt2020", transfer),
      losses: ["high dynamic range became BT.709", deep])
  }

  /// A half of the colour is white where the film is transparent.
  private static func transparent(
    _ name: String, _ format: String, _ options: String, _ losses: [String] = []
  ) -> Kind {
    Kind(
      name: name, filter: "format=rgba,colorchannelmixer=aa=0.5,format=\(format)", options: options,
      expected: color.map { ($0 + 255) / 2 },
      losses: losses + ["transparency, if any, became white"])
  }

  private static let small = Kind(
    name: "sd.mp4", filter: "scale=out_color_matrix=bt601,format=yuv420p")
  private static let large = Kind(
    name: "hd.mp4", size: "1280x720", filter: "scale=out_color_matrix=bt709,format=yuv420p")

  static let kinds: [Kind] = [
    small, large,
    Kind(
      name: "sd709.mp4", filter: "scale=out_color_matrix=bt709,format=yuv420p",
      options: tagged("bt709", "bt709", "bt709")),
    Kind(
      name: "hd601.mp4", size: "1280x720", filter: "scale=out_color_matrix=bt601,format=yuv420p",
      options: tagged("smpte170m", "smpte170m", "smpte170m")),
    Kind(
      name: "p3.mov", filter: "scale=out_color_matrix=bt709,format=yuv420p10",
      options: tagged("bt709", "smpte432", "bt709"), losses: [deep]),
    Kind(
      name: "bt2020.mkv", filter: "scale=out_color_matrix=bt2020,format=yuv420p10",
      options: tagged("bt2020nc", "bt2020", "bt2020-10"), losses: [deep]),
    Kind(name: "full.mkv", filter: "scale=out_color_matrix=bt601:out_range=pc,format=yuvj420p"),
    Kind(name: "rgb.mkv", filter: "format=gbrp", options: "-c:v libx264rgb -crf 4"),
    Kind(name: "motion.avi", filter: "format=yuvj420p", options: "-c:v mjpeg -q:v 1"),
    highRange("smpte2084"), highRange("arib-std-b67"),
    transparent("vp9.webm", "yuva420p", "-c:v libvpx-vp9 -auto-alt-ref 0 -crf 4 -b:v 0"),
    transparent("vp8.mkv", "yuva420p", "-c:v libvpx -auto-alt-ref 0 -crf 4 -b:v 1M"),
    transparent("prores.mov", "yuva444p10", "-c:v prores_ks -profile:v 4444", [deep]),
    transparent("animation.mov", "argb", "-c:v qtrle"),
    transparent("png.apng", "rgba", "-f apng"),
  ]

  /// How far compression and rounding may move a number; tone mapping moves those above 0.7 of white.
  private func isNear(_ found: [Int], _ expected: [Int], within limit: Int = 4) -> Bool {
    found.count == 3 && zip(found, expected).allSatisfy { abs($0 - $1) <= limit }
  }

  private func make(_ kind: Kind) throws {
    try folder.ffmpeg(
      "-f lavfi -i color=0xC83C28:size=\(kind.size):rate=25,format=gbrp -vf \(kind.filter) "
        + "-frames:v 2 \(kind.options) @\(kind.name)")
  }

  @Test(arguments: kinds) func aFilmKeepsItsColors(kind: Kind) throws {
    try make(kind)
    let reader = try folder.reader(kind.name)
    #expect(reader.losses == kind.losses)
    let image = try #require(try reader.next())
    let middle = image[image.width / 2, image.height / 2]
    let read = [middle.red, middle.green, middle.blue].map { Int($0) }
    #expect(isNear(read, kind.expected), "\(read)")
    try folder.copy(kind.name, to: "copy.mp4")
    let copied = try folder.decodedPixel(of: "copy.mp4", x: 32, y: 24)
    #expect(isNear(copied, read), "\(copied)")
  }

  /// Colours of all kinds, on average: a step too dark in each copy would add up.
  @Test func copiesAreNotDarker() throws {
    let (width, height) = (64, 48)
    let pixels = (0..<width * height).flatMap { index -> [UInt8] in
      let (x, y) = (index % width / 8, index / width / 8)
      return [UInt8(40 + 24 * x), UInt8(50 + 30 * y), UInt8(220 - 20 * x)]
    }
    let writer = try FilmWriter(
      folder.path("film.mp4"), width: width, height: height, interval: folder.interval, quality: 1)
    try writer.append(RGBImage(width: width, height: height, pixels: pixels))
    try writer.finish()
    let copy = try folder.firstPicture(of: "film.mp4")
    for channel in 0..<3 {
      let change = stride(from: channel, to: pixels.count, by: 3)
        .reduce(0) { $0 + Int(copy.pixels[$1]) - Int(pixels[$1]) }
      #expect(abs(change) < pixels.count / 3 / 2, "channel \(channel): \(change)")
    }
  }

  /// Rare numbers of ITU-T H.273; H.264 has none for the primaries of EBU Tech. 3213.
  @Test(arguments: [("smpte428", "linear"), ("ebu3213", "log100")])
  func rareTagsAreKept(primaries: String, transfer: String) throws {
    try folder.ffmpeg(
      "-f lavfi -i color=size=64x48 -frames:v 1 -colorspace bt709 -color_primaries \(primaries) "
        + "-color_trc \(transfer) -c:v libvpx-vp9 @film.webm")
    for suffix in [".mp4", ".webm"] {
      let writer = try folder.copy("film.webm", to: "copy" + suffix).writer
      let tags = try folder.entries(
        "stream=color_transfer,color_primaries", of: "copy" + suffix, tracks: "v")
      let isLost = primaries == "ebu3213" && suffix != ".webm"
      #expect(tags == ["\(transfer),\(isLost ? "unknown" : primaries)"], "\(suffix)")
      #expect(writer.losses.isEmpty != isLost, "\(suffix): \(writer.losses)")
    }
  }

  /// A copy shows the same colour in every container, large or small, and says which it is.
  @Test(arguments: [small, large]) func everyContainerSaysItsColors(kind: Kind) throws {
    try make(kind)
    // Animations are RGB.
    for suffix in FilmWriter.fileSuffixes where ![".gif", ".apng"].contains(suffix) {
      try folder.copy(kind.name, to: "copy" + suffix)
      let copied = try folder.decodedPixel(of: "copy" + suffix, x: 32, y: 24)
      #expect(isNear(copied, Self.color), "\(suffix): \(copied)")
      // ffmpeg would show a small film without tags rightly, and a large one wrongly.
      guard kind.name == "sd.mp4" else { continue }
      let tags = try folder.entries(
        "stream=color_space,color_primaries,color_range", of: "copy" + suffix, tracks: "v")
      #expect(tags == ["tv,smpte170m,smpte170m"], "\(suffix): \(tags)")
    }
  }
}
