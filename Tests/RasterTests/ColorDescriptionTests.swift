// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceUntrusted

@testable import YOLOFaceRaster

@Suite struct ColorDescriptionTests {
  typealias Chunk = (type: String, content: [UInt8])

  /// Linear samples; Display P3's primaries and white (SMPTE EG 432-1), times 100,000; cICP of HLG.
  static let sound: [Chunk] = [
    ("cICP", [9, 18, 0, 1]), ("mDCV", Array(1...24)), ("cLLI", Array(1...8)),
    ("iCCP", Array("ICC profile\0\0".utf8) + deflated(profile("RGB "))), ("sRGB", [1]),
    ("gAMA", bigEndian(100_000)),
    ("cHRM", [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000].flatMap(bigEndian)),
  ]

  /// A profile of version 4 without colours, as copies have it: what is declared, and the name "ICC" twice
  /// (ISO 15076-1, 7.2, 7.3 and 10.15).
  static func profile(_ space: String) -> [UInt8] {
    let name = Array(
      "mluc\0\0\0\0\0\0\0\u{1}\0\0\0\u{C}enUS\0\0\0\u{6}\0\0\0\u{1C}\0I\0C\0C\0\0".utf8)
    let tags = ["desc", "cprt"].flatMap { Array($0.utf8) + bigEndian(156) + bigEndian(36) }
    return header(space, version: 4, size: 192) + bigEndian(2) + tags + name
  }

  private static func header(_ space: String, version: UInt8, size: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(0..<4, with: bigEndian(size))
    bytes[8] = version
    bytes.replaceSubrange(16..<20, with: space.utf8)
    bytes.replaceSubrange(24..<30, with: [0x07, 0xD0, 0, 1, 0, 1])
    bytes.replaceSubrange(36..<40, with: "acsp".utf8)
    return bytes
  }

  private func png(_ chunks: [Chunk], _ type: HandmadePNG.ColorType = .rgb) -> HandmadePNG {
    HandmadePNG(
      width: 1, height: 1, colorType: type, data: type == .rgb ? [0, 1, 2, 3] : [0, 9],
      chunksBeforeData: chunks)
  }

  private func copy(_ bytes: [UInt8]) throws -> [UInt8] {
    let stored = try Picture.decodeStored(bytes)
    return try PNG.encode(stored.image, color: stored.color)
  }

  private func chunks(_ bytes: [UInt8]) -> [Chunk] {
    PNGChunks(bytes).map { ($0.type.description, Array($0.content)) }.filter {
      !["IHDR", "IDAT"].contains($0.type)
    }
  }

  @Test func copiesKeepTheChunks() throws {
    let original = png(Self.sound).bytes
    let copy = try copy(original)
    #expect(chunks(copy).elementsEqual(Self.sound, by: ==))
    #expect(PNGChunks(copy).allSatisfy { $0.isSound })
    #expect(try Picture.decode(copy) == Picture.decode(original))
    #expect(try Picture.decodeStored(copy).color == Picture.decodeStored(original).color)
  }

  @Test func copiesKeepNothingElse() throws {
    let profiles = [
      zlibStored(Self.profile("CMYK")), zlibStored(Self.profile("GRAY")),
      zlibStored(Array(Self.profile("RGB ").dropLast())),
      zlibStored(Self.profile("RGB ")).dropLast(3),
      [UInt8](repeating: 1, count: 8_000_000),
    ]
    let others: [Chunk] =
      [
        ("gAMA", [0, 0, 1]), ("cHRM", []), ("sRGB", [1, 2]), ("cICP", [1]), ("iCCP", [0, 0]),
        ("iCCP", Array("P3".utf8)), ("tEXt", Array("Comment\0secret".utf8)),
        ("eXIf", exifContent(orientation: 1, isLittleEndian: true)),
      ] + profiles.map { ("iCCP", Array("P3\0\0".utf8) + $0) }
    #expect(try chunks(copy(png(others).bytes)).isEmpty)
    var bytes = png([("gAMA", bigEndian(100_000))]).bytes
    bytes[33 + 8 + 4] ^= 1
    #expect(try chunks(copy(bytes)).isEmpty, "a wrong checksum")
    var late = png([("PLTE", [1, 2, 3]), ("gAMA", bigEndian(100_000))])
    late.chunksAfterData = [("sRGB", [0])]
    #expect(try chunks(copy(late.bytes)).isEmpty)
    #expect(try chunks(copy(png([("sRGB", [1]), ("sRGB", [2])]).bytes)).map(\.content) == [[1]])
  }

  /// Neither a profile's name nor what follows it comes along.
  @Test func copiesKeepAProfileAlone() throws {
    let secret = Array("secret".utf8)
    let hiding: Chunk = ("iCCP", secret + [0, 0] + zlibStored(Self.profile("RGB ") + secret))
    let copy = try copy(png([hiding]).bytes)
    var allowance = 1000
    let chunk = try #require(PNGChunks(copy).first { $0.type == "iCCP" })
    #expect(chunk.keyword?.description == "ICC profile")
    #expect(chunk.text(allowance: &allowance).map(Array.init) == Self.profile("RGB "))
  }

  /// A screen's profile: its texts, its maker, model and number in the header and in tags, bytes that no tag names, and a
  /// tag that is not in it. Curves that share their data still do.
  @Test func aProfileKeepsItsColorsAlone() throws {
    let secret = "secret"
    let (red, curve) = (Array("XYZ \0\0\0\0redredredred".utf8), Array("curv\0\0\0\0\0\0\0\0".utf8))
    let data = red + curve + Array("text\0\0\0\0\(secret)??".utf8)
    let start = 132 + 12 * 7
    let tags: [(String, Int, Int)] = [
      ("desc", start + 32, 16), ("rXYZ", start, 20), ("rTRC", start + 20, 12),
      ("gTRC", start + 20, 12), ("mmod", start + 32, 16), ("bXYZ", 1 << 31, 20),
      ("bTRC", start + 40, 4000),
    ]
    let table = tags.flatMap { Array($0.utf8) + bigEndian($1) + bigEndian($2) }
    var profile = Self.header("RGB ", version: 2, size: start + data.count) + bigEndian(7)
    profile += table + data
    profile.replaceSubrange(48..<54, with: secret.utf8)
    profile.replaceSubrange(80..<86, with: secret.utf8)
    profile.replaceSubrange(100..<106, with: secret.utf8)
    let copy = ColorProfile.colors(of: profile[...])
    #expect(UntrustedText(copy).firstRange(of: secret.utf8) == nil)
    #expect(copy[..<4].elementsEqual(bigEndian(copy.count)) && copy[128..<132] == [0, 0, 0, 5])
    let entries = (0..<5).map { index in
      let entry = copy[(132 + 12 * index)...]
      let place = integer(entry.dropFirst(4).prefix(4))
      return ("\(UntrustedText(entry.prefix(4)))", place, integer(entry.dropFirst(8).prefix(4)))
    }
    #expect(entries.map(\.0) == ["desc", "cprt", "rXYZ", "rTRC", "gTRC"])
    #expect(entries[3].1 == entries[4].1)
    #expect(Array(copy[entries[2].1...].prefix(20)) == red)
    #expect(Array(copy[entries[3].1...].prefix(12)) == curve)
    #expect(ColorProfile.colors(of: copy[...]) == copy)
  }

  /// A profile of grey in a picture of colours is an error.
  @Test func copiesWithAProfileOfGrayAreGray() throws {
    let gray = ("iCCP", Array("grey\0\0".utf8) + zlibStored(Self.profile("GRAY")))
    let copy = try copy(png([gray], .gray).bytes)
    #expect(copy[25] == 0 && chunks(copy).map(\.type) == ["iCCP"])
    #expect(try Picture.decode(copy).pixels == [9, 9, 9])
    let color = try Picture.decodeStored(png([gray, ("gAMA", bigEndian(50_000))], .gray).bytes)
      .color
    let colored = try PNG.encode(
      RGBImage(width: 1, height: 1, fill: .init(red: 1, green: 2, blue: 3)), color: color)
    #expect(colored[25] == 2 && chunks(colored).map(\.type) == ["gAMA"])
  }

  private func jpeg(_ parts: [(Int, Int, [UInt8])]) -> ColorDescription {
    ColorDescription(
      jpeg: [0xFF, 0xD8]
        + parts.flatMap { number, count, part -> [UInt8] in
          let content = Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(count)] + part
          return [0xFF, 0xE2, 0, UInt8(content.count + 2)] + content
        } + [0xFF, 0xDA])
  }

  @Test func takesTheProfileOfAJPEG() throws {
    let profile = Self.profile("RGB ")
    let (a, b) = (Array(profile[..<50]), Array(profile[50...]))
    let whole = jpeg([(1, 1, profile)])
    let written = chunks([UInt8](repeating: 0, count: 8) + whole.bytes)
    #expect(written.map(\.type) == ["iCCP"])
    // The same structure as that of a deflated text.
    let text = pngChunk("zTXt", written[0].content)
    let read = try #require(PNGChunks([UInt8](repeating: 0, count: 8) + text).first { _ in true })
    var allowance = 1000
    #expect(
      read.keyword?.description == "ICC profile" && read.text(allowance: &allowance) == profile[...]
    )
    #expect(allowance == 1000 - profile.count)
    #expect(jpeg([(2, 2, b), (1, 2, a)]) == whole && jpeg([(1, 1, profile + [1])]) == whole)
    for parts in [
      [], [(1, 2, a)], [(1, 2, a), (1, 2, b)], [(1, 2, a), (2, 3, b)], [(0, 1, profile)],
      [(2, 1, profile)], [(1, 0, profile)], [(1, 1, a)], [(1, 1, Self.profile("CMYK"))],
    ] { #expect(!jpeg(parts).hasProfile) }
    #expect(jpeg([(1, 1, Self.profile("GRAY"))]).isGray)
  }

  @Test func takesTheProfileOfAWebP() {
    let profile = Self.profile("RGB ")
    let webP = Array("RIFF????WEBPICCP".utf8) + [192, 0, 0, 0] + profile
    #expect(ColorDescription(webP: webP) == jpeg([(1, 1, profile)]))
    #expect(!ColorDescription(webP: Array(webP.dropLast())).hasProfile)
  }
}
