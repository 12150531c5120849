// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceFilms

/// Containers made by hand, of what ISO/IEC 14496-12 and RFC 9559 say.
struct PictureCropTests {
  private let folder = FilmFolder()

  private func crops(_ bytes: [UInt8]) throws -> [PictureCrop] {
    try folder.write(bytes, to: "film")
    return PictureCrop.all(in: folder.path("film"))
  }

  private func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    return number(8 + content.count) + Array(type.utf8) + content
  }

  private func track(_ handler: String, aperture: [Int]? = nil) -> [UInt8] {
    let entry =
      [UInt8](repeating: 0, count: 24) + number(320, bytes: 2) + number(180, bytes: 2)
      + [UInt8](repeating: 0, count: 50)
    let clap = aperture.map { box("clap", $0.flatMap { number($0) }) } ?? []
    let description = box("stsd", number(0) + number(1), box("avc1", entry, box("pasp"), clap))
    return box(
      "trak", box("tkhd"),
      box(
        "mdia", box("hdlr", number(0) + number(0) + Array(handler.utf8)),
        box("minf", box("stbl", description))))
  }

  private let cut = PictureCrop(left: 50, top: 10, right: 30, bottom: 10)

  /// Of 320 × 180 pixels 240 × 160 are shown, whose middle is 10 to the right; -5/2 is half a pixel off.
  @Test func readsACleanAperture() throws {
    let aperture = [480, 2, 160, 1, 10, 1, 0, 1]
    let index = box(
      "moov", track("soun"), track("vide"), track("vide", aperture: aperture),
      track("vide", aperture: [315, 1, 180, 1, -5, 2, 0, 1]))
    // After pictures whose size has 64 bits.
    let pictures = number(1) + Array("mdat".utf8) + number(20, bytes: 8) + [1, 2, 3, 4]
    #expect(
      try crops(box("ftyp") + pictures + index) == [PictureCrop(), cut, PictureCrop(right: 5)])
    for aperture in [
      [9, 0, 9, 0, 0, 0, 0, 0], [321, 1, 180, 1, 0, 1, 0, 1], [9, 1, 9, 1, 999, 1, -999, 1],
    ] {
      #expect(try crops(box("moov", track("vide", aperture: aperture))) == [PictureCrop()])
    }
  }

  /// An element, with a size of four bytes unless it is unknown.
  private func element(_ id: Int, _ content: [UInt8], isOpen: Bool = false) -> [UInt8] {
    let name = number(id, bytes: 4).drop { $0 == 0 }
    return name + (isOpen ? [0xFF] : number(1 << 28 | content.count)) + content
  }

  @Test func readsPixelCrop() throws {
    let crop = element(0x54CC, [50]) + element(0x54DD, number(30, bytes: 8)) + element(0x54AA, [10])
    let video = element(0xE0, crop + element(0x54BB, [10]))
    let sized = element(0xE0, element(0x54B0, [1, 64]))
    let tracks = [element(0x83, [2]), element(0x83, [1]) + video, sized + element(0x83, [1])]
    let segment =
      element(0xEC, [0, 0]) + element(0x1654_AE6B, tracks.flatMap { element(0xAE, $0) })
    let film = element(0x1A45_DFA3, []) + element(0x1853_8067, segment, isOpen: true)
    #expect(try crops(film) == [cut, PictureCrop(hasDisplaySize: true)])
    for end in film.indices { _ = try crops(Array(film[..<end])) }
  }

  /// Sizes of nothing, of more than there is, and of more than a number holds.
  @Test(
    arguments: [
      [0, 0, 0, 0], [0, 0, 0, 7], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1],
    ] as [[UInt8]])
  func aHostileSizeEnds(size: [UInt8]) throws {
    let full = [UInt8](repeating: 0xFF, count: 8)
    #expect(try crops(size + Array("free".utf8) + full).isEmpty)
    #expect(try crops(box("moov", size + Array("trak".utf8) + full)).isEmpty)
    #expect(try crops([0x1A, 0x45, 0xDF, 0xA3, 0x01] + full).isEmpty)
  }
}
