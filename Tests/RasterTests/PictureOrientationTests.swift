// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFaceRaster

/// Where the orientation stands, in files put together by hand. What the places say is ExifTool's and Pillow's
/// reading of the same.
@Suite struct PictureOrientationTests {
  static func xmp(_ orientation: Int) -> [UInt8] {
    Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="\(orientation)"/></rdf:RDF>
      """.utf8)
  }

  static func exif(_ orientation: Int) -> [UInt8] {
    Array("Exif\0\0".utf8)
      + exifContent(orientation: UInt8(orientation), isLittleEndian: orientation % 2 == 0)
  }

  /// As ImageMagick writes it, in lines of 36 bytes.
  static func hexadecimal(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let lines = stride(from: 0, to: digits.count, by: 36).map { digits[$0...].prefix(36).joined() }
    return Array("\n\(name)\n      \(bytes.count)\n\(lines.joined(separator: "\n"))\n".utf8)
  }

  typealias Chunk = (type: String, content: [UInt8])

  static func text(_ keyword: String, _ text: [UInt8]) -> Chunk {
    ("tEXt", Array("\(keyword)\0".utf8) + text)
  }

  static func deflatedText(_ keyword: String, _ text: [UInt8]) -> Chunk {
    ("zTXt", Array("\(keyword)\0\0".utf8) + zlibStored(text))
  }

  static func international(_ keyword: String, _ text: [UInt8], isDeflated: Bool = false) -> Chunk {
    let flag = isDeflated ? "\u{1}\0" : "\0\0"
    return (
      "iTXt", Array("\(keyword)\0\(flag)en\0Wort\0".utf8) + (isDeflated ? zlibStored(text) : text)
    )
  }

  private func orientation(_ before: [Chunk], after: [Chunk] = []) throws -> Int {
    let png = HandmadePNG(
      width: 2, height: 1, colorType: .gray, data: [0, 1, 2], chunksBeforeData: before,
      chunksAfterData: after)
    return try Picture.decodeStored(png.bytes).orientation.rawValue
  }

  /// What exiv2 0.27.6 has written into a PNG for `set Exif.Image.Orientation Short 6`.
  static let exiv2: [UInt8] = [
    0x78, 0xDA, 0xE3, 0x4A, 0xAD, 0xC8, 0x4C, 0xE3, 0x52, 0x00, 0x03, 0x63, 0x23, 0x2E, 0x13, 0x53,
    0x73, 0x0B, 0x33, 0x4B, 0x33, 0x33, 0x03, 0x20, 0x30, 0xB1, 0x34, 0xB1, 0x34, 0x4A, 0x04, 0x32,
    0x2C, 0x0C, 0x20, 0xC0, 0x10, 0x88, 0x8C, 0x80, 0xA4, 0x31, 0x84, 0x0D, 0x06, 0x66, 0x06, 0x28,
    0x80, 0x0B, 0x00, 0x8A, 0xC0, 0x0F, 0x91,
  ]

  static let places: [Chunk] = [
    ("zTXt", Array("Raw profile type exif\0\0".utf8) + exiv2), ("eXIf", exif(6)),
    ("eXIf", exifContent(orientation: 6, isLittleEndian: false)),
    text("Raw profile type exif", hexadecimal("exif", exif(6))),
    text("Raw profile type APP1", hexadecimal("generic profile", exif(6))),
    deflatedText("Raw profile type APP1", hexadecimal("APP1", exif(6))),
    deflatedText(
      "Raw profile type APP1",
      hexadecimal("APP1", Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp(6))),
    deflatedText("Raw profile type xmp", hexadecimal("xmp", xmp(6))),
    international("Raw profile type exif", hexadecimal("exif", exif(6)), isDeflated: true),
    international("XML:com.adobe.xmp", xmp(6)),
    international("XML:com.adobe.xmp", xmp(6), isDeflated: true),
  ]

  @Test(arguments: places.indices) func everyPlaceOfAPNGIsHeard(index: Int) throws {
    #expect(try orientation([Self.places[index]]) == 6)
    #expect(try orientation([], after: [Self.places[index]]) == 6)
  }

  @Test func placesAreBelievedInOrder() throws {
    let ordered = [
      ("eXIf", Self.exif(8)),
      Self.text("Raw profile type exif", Self.hexadecimal("exif", Self.exif(7))),
      Self.deflatedText("Raw profile type APP1", Self.hexadecimal("APP1", Self.exif(6))),
      Self.international("XML:com.adobe.xmp", Self.xmp(5)),
      Self.text("Raw profile type xmp", Self.hexadecimal("xmp", Self.xmp(4))),
    ]
    for first in ordered.indices {
      let rest = Array(ordered[first...])
      #expect(try orientation(rest) == 8 - first)
      #expect(try orientation(rest.reversed()) == 8 - first)
      #expect(try orientation([rest[0]] + rest, after: [("eXIf", [])]) == 8 - first)
    }
  }

  /// Each is followed by XMP that says 5.
  @Test func brokenPlacesArePassedOver() throws {
    let exif = Self.hexadecimal("exif", Self.exif(6))
    let name = "Raw profile type exif"
    let broken: [Chunk] = [
      ("eXIf", []), ("eXIf", Self.exif(0)), ("eXIf", Self.exif(9)),
      ("eXIf", Array(Self.exif(6).prefix(20))),
      ("tEXt", Array(name.utf8)), ("tEXt", []), ("zTXt", []), ("iTXt", []),
      ("zTXt", Array("\(name)\0".utf8)),
      ("iTXt", Array("\(name)\0\0\0en".utf8)), ("iTXt", Array("\(name)\0".utf8)),
      ("zTXt", Array("\(name)\0\u{1}".utf8) + zlibStored(exif)),
      ("zTXt", Array("\(name)\0\0".utf8) + zlibStored(exif).dropLast()),
      ("zTXt", Array("\(name)\0\0".utf8) + zlibStored(exif).dropLast() + [0]),
      Self.text(name, Array(exif.dropLast(2))), Self.text(name, exif + [0x67]), Self.text(name, []),
      Self.text(name, Self.exif(6)), Self.text(name + " ", exif),
      Self.text("raw profile type exif", exif),
    ]
    for (index, place) in broken.enumerated() {
      #expect(
        try orientation([place, Self.international("XML:com.adobe.xmp", Self.xmp(5))]) == 5,
        "\(index)")
    }
  }

  /// Behind a text that expands too far, what is deflated is not heard; what is in plain text is.
  @Test func bombsArePassedOver() throws {
    let name = "Raw profile type exif"
    func zeros(megabytes: Int) -> Chunk {
      ("zTXt", Array("\(name)\0\0".utf8) + Self.hugeText(megabytes: megabytes))
    }
    let exif = Self.hexadecimal("exif", Self.exif(6))
    #expect(try orientation([zeros(megabytes: 1)] + Self.places[..<1]) == 6)
    #expect(try orientation([zeros(megabytes: 9)] + Self.places[..<1]) == 1)
    #expect(try orientation([zeros(megabytes: 9), Self.text(name, exif)]) == 6)
  }

  /// Zeros as zlib's data, in blocks of 64 KiB with the fixed codes of RFC 1951, 3.2.6: one literal, and then
  /// 258 bytes from a byte before, which take 13 bits.
  private static func hugeText(megabytes: Int) -> [UInt8] {
    var (bytes, pending, count): ([UInt8], UInt32, UInt32) = ([0x78, 0x01], 0, 0)
    func append(_ bits: UInt32, _ length: UInt32) {
      pending |= bits << count
      count += length
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }
    append(0b011, 3)
    // The literal 0 is 00110000; length 258, symbol 285, is 11000101; distance 1 is 00000.
    append(0b0000_1100, 8)
    for _ in 0..<megabytes * 1_000_000 / 258 {
      append(0b1010_0011, 8)
      append(0, 5)
    }
    append(0, 7 + 8)
    return bytes
  }

  private typealias Segment = (marker: UInt8, content: [UInt8])

  private func jpeg(_ segments: [Segment]) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    for (marker, content) in segments {
      bytes += [0xFF, 0xFF, marker] + bigEndian(content.count + 2)[2...] + content
    }
    return bytes + [0xFF, 0xDA, 0, 2]
  }

  private static let xap = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

  @Test func segmentsOfAJPEGAreHeard() {
    let exif: Segment = (0xE1, Self.exif(6))
    let xmp: Segment = (0xE1, Self.xap + Self.xmp(5))
    let other: Segment = (0xE0, Array("JFIF\0".utf8))
    let cases: [([Segment], Int)] = [
      ([other, exif], 6), ([xmp], 5), ([xmp, other, exif], 6), ([(0xE1, Self.exif(9)), xmp], 5),
      ([(0xE2, Self.exif(6))], 1), ([(0xE1, Array(Self.exif(6).dropFirst(6)))], 1), ([], 1),
    ]
    for (segments, expected) in cases {
      let bytes = jpeg(segments)
      #expect(StatedOrientation(jpeg: bytes).orientation.rawValue == expected)
      for count in bytes.indices { _ = StatedOrientation(jpeg: Array(bytes[..<count])) }
    }
    #expect(StatedOrientation(jpeg: jpeg([]) + jpeg([exif])).orientation == .up)
  }

  private typealias Named = (name: String, content: [UInt8])

  private func webP(_ chunks: [Named]) -> [UInt8] {
    var bytes = Array("RIFF????WEBP".utf8)
    for (name, content) in chunks {
      bytes += Array(name.utf8) + bigEndian(content.count).reversed() + content
      if content.count % 2 == 1 { bytes.append(0) }
    }
    return bytes
  }

  @Test func chunksOfAWebPAreHeard() {
    let (exif, xmp): (Named, Named) = (("EXIF", Self.exif(6)), ("XMP ", Self.xmp(5)))
    let cases: [([Named], Int)] = [
      ([("VP8 ", [1, 2, 3]), exif], 6), ([xmp], 5), ([xmp, exif], 6), ([("EXIF", [1]), xmp], 5),
      ([("EXIF", Array(Self.exif(6).dropFirst(6)))], 6), ([], 1),
    ]
    for (chunks, expected) in cases {
      let bytes = webP(chunks)
      #expect(StatedOrientation(webP: bytes).orientation.rawValue == expected)
      for count in bytes.indices { _ = StatedOrientation(webP: Array(bytes[..<count])) }
    }
  }

  /// The sidecar is the later word, the first sidecar that says it the one that counts, and what disagrees is said.
  @Test func believesTheSidecarFirst() {
    func packet(_ number: Int?) -> [UInt8] {
      let stated = number.map { "t:Orientation='\($0)'" } ?? ""
      return Array(
        "<r:RDF xmlns:r='r' xmlns:t='http://ns.adobe.com/tiff/1.0/'><r:D \(stated)/></r:RDF>".utf8)
    }
    let identifier = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let content = identifier + packet(1)
    let jpeg = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
    var stated = StatedOrientation(jpeg: jpeg)
    stated.hear(sidecar: packet(nil))
    #expect(stated.orientation == .up && stated.dispute == nil)
    stated.hear(sidecar: packet(6))
    stated.hear(sidecar: packet(3))
    #expect(stated.orientation == .right)
    #expect(stated.dispute == "the sidecar says 6, XMP says 1")
    stated = StatedOrientation()
    stated.hear(sidecar: packet(8))
    #expect(stated.orientation == .left && stated.dispute == nil)
  }
}
