import Files
import Foundation
import TestSupport
import Testing

@testable import Raster

@Suite struct PictureTests {
  static let png = HandmadePNG(width: 2, height: 1, colorType: .gray, data: [0, 1, 2])

  @Test func readsAPNGWhateverItsName() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "picture.jpg").path
      try Data(Self.png.bytes).write(to: URL(filePath: path))
      #expect(try Picture.read(path: path).pixels == [1, 1, 1, 2, 2, 2])
    }
  }

  @Test func compositesTransparencyOverWhite() throws {
    let png = HandmadePNG(width: 1, height: 1, colorType: .grayAlpha, data: [0, 10, 0])
    #expect(try Picture.decode(png.bytes).pixels == [255, 255, 255])
  }

  /// As an APNG says (https://www.w3.org/TR/png-3/#11acTL), and a WebP (RFC 9649, 2.7.1); a chunk after the pixels
  /// says nothing.
  @Test func knowsWhetherMoreFollow() throws {
    let control: (String, [UInt8]) = ("acTL", [0, 0, 0, 2, 0, 0, 0, 0])
    var png = Self.png
    png.chunksAfterData = [control]
    #expect(try !Picture.decodeStored(png.bytes).isAnimated)
    png.chunksBeforeData = [control]
    #expect(try Picture.decodeStored(png.bytes).isAnimated)
    for (flags, isAnimated) in [(0x10, false), (0x12, true)] as [(UInt8, Bool)] {
      let head = Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, flags]
      #expect(Picture.isAnimated(head) == isAnimated)
      #expect(!Picture.isAnimated(head.dropLast()))
    }
  }

  @Test func namesThePicture() throws {
    let truncated = Array(Self.png.bytes.dropLast(20))
    #expect(throws: PictureError.self) { try Picture.decode(truncated) }
    let error = #expect(throws: PictureError.self) { try Picture.decode(truncated, name: "-") }
    #expect(error?.source == "-")
    let missing = #expect(throws: FileError.self) { try Picture.read(path: "/no/such/picture") }
    #expect(missing?.path == "/no/such/picture")
  }

  @Test func keepsItsLimits() throws {
    var limits = Picture.Limits()
    limits.maximumPixels = 1
    #expect(
      throws: PictureError(source: "-", reason: .tooLarge(.pixels(width: 2, height: 1, limit: 1)))
    ) { try Picture.decode(Self.png.bytes, name: "-", limits: limits) }
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "long.gif").path
      try Data(count: 21).write(to: URL(filePath: path))
      limits.maximumFileBytes = 20
      let error = #expect(throws: FileError.self) { try Picture.read(path: path, limits: limits) }
      #expect(error?.exceedsLimit == true)
    }
  }

  /// No number for a limit, and no size, stops the process.
  @Test(arguments: [Int.max, 0, -1, Int.min]) func takesAnyLimit(limit: Int) {
    var limits = Picture.Limits()
    (limits.maximumPixels, limits.maximumSide, limits.maximumFileBytes) = (limit, limit, limit)
    for side in [1, 1 << 20, Int.max] {
      let fits = limit == .max && side == 1
      #expect((limits.excess(ofWidth: side, height: side) == nil) == fits)
    }
    let decoded = Result { try Picture.decode(Self.png.bytes, limits: limits) }
    #expect((try? decoded.get())?.width == (limit == .max ? 2 : nil))
  }

  /// The PNG reader explains this damage better than "an unknown format" would.
  @Test func leavesADamagedSignatureToPNG() {
    let error = #expect(throws: PictureError.self) {
      try Picture.decode([0x89] + Array("PNG\n\u{1A}\n".utf8))
    }
    #expect(
      error?.description
        == "<bytes>: not a PNG: this looks like a PNG whose signature was damaged, as by a text-mode transfer"
    )
  }

  #if JPEG && WebP
    static let formats = "PNG, JPEG or WebP"
  #elseif JPEG
    static let formats = "PNG or JPEG"
  #elseif WebP
    static let formats = "PNG or WebP"
  #else
    static let formats = "PNG"
  #endif

  @Test func namesTheFormatsOfTheBuild() {
    #expect(Picture.formats == Self.formats)
    let suffixes = ["PNG": [".png"], "JPEG": [".jpg", ".jpeg"], "WebP": [".webp"]]
    for (name, suffixes) in suffixes {
      let isRead = Self.formats.contains(name)
      #expect(suffixes.allSatisfy { Picture.fileSuffixes.contains($0) == isRead })
    }
  }

  #if !JPEG
    @Test func explainsHowToTurnJPEGOn() {
      let error = #expect(throws: PictureError.self) {
        try Picture.decode([0xFF, 0xD8, 0xFF, 0xE0], name: "a.jpg")
      }
      #expect(
        error?.description
          == "a.jpg: found JPEG, expected \(Self.formats); to read JPEG, build with the package's trait JPEG "
          + "(it needs libjpeg-turbo's development package, libjpeg-dev on Debian and Ubuntu)")
    }
  #endif

  #if !WebP
    @Test func explainsHowToTurnWebPOn() {
      let error = #expect(throws: PictureError.self) {
        try Picture.decode(Array("RIFF1234WEBPVP8 ".utf8), name: "a.webp")
      }
      #expect(
        error?.description
          == "a.webp: found WebP, expected \(Self.formats); to read WebP, build with the package's "
          + "trait WebP (it needs libwebp-dev on Debian and Ubuntu)")
    }
  #endif

  static let others: [([UInt8], String)] = [
    (Array("GIF89a".utf8), "GIF"),
    (Array("BM1234".utf8), "BMP"),
    (Array("MM\0*".utf8), "TIFF"),
    (Array("\0\0\0\u{18}ftypheic".utf8), "HEIC"),
    (Array("\0\0\0\u{1C}ftypavif".utf8), "AVIF"),
    ([0xFF, 0x0A], "JPEG XL"),
    (Array("%PDF-1.7".utf8), "PDF"),
  ]

  @Test(arguments: others)
  func namesAFormatThatIsNotRead(bytes: [UInt8], name: String) {
    let error = #expect(throws: PictureError.self) { try Picture.decode(bytes, name: "a.png") }
    #expect(error?.source == "a.png")
    #expect(
      error?.description == "a.png: found \(name), expected \(Self.formats); "
        + "convert it, for example with ImageMagick")
  }

  @Test func namesAFilm() {
    let film = Array("\0\0\0\u{1C}ftypisom".utf8)
    let error = #expect(throws: PictureError.self) { try Picture.decode(film, name: "a.mp4") }
    #expect(error?.description.contains("ffmpeg -i FILM") == true)
  }

  @Test func namesWhatIsNotAPicture() {
    let text = #expect(throws: PictureError.self) { try Picture.decode(Array("hello".utf8)) }
    #expect(text?.description == "<bytes>: found an unknown format, expected \(Self.formats)")
    let empty = #expect(throws: PictureError.self) { try Picture.decode([]) }
    #expect(empty?.description == "<bytes>: found an empty file, expected \(Self.formats)")
  }
}

@Suite struct PictureFormatTests {
  static let beginnings: [([UInt8], PictureFormat?)] = [
    ([], .empty),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
    ([0x89, 0x50, 0x4E, 0x47, 0x0A, 0x1A, 0x0A], .damagedPNG),
    ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], .jpeg),
    ([0xFF, 0x0A, 0xFA], .jpegXL),
    (Array("\0\0\0\u{0C}JXL \r\n".utf8), .jpegXL),
    (Array("RIFF1234WEBPVP8 ".utf8), .webP),
    (Array("GIF89a".utf8), .gif),
    (Array("BM1234".utf8), .bmp),
    (Array("II*\0\u{08}".utf8), .tiff),
    (Array("MM\0*\0".utf8), .tiff),
    (Array("\0\0\0\u{18}ftypheic".utf8), .heic),
    (Array("\0\0\0\u{18}ftypmif1".utf8), .heic),
    (Array("\0\0\0\u{1C}ftypavif".utf8), .avif),
    (Array("\0\0\0\u{1C}ftypisom".utf8), .film),
    (Array("\0\0\0\u{18}ftypcrx ".utf8), .raw),
    (Array("II*\0\u{10}\0\0\0CR\u{02}".utf8), .raw),
    (Array("RIFF1234AVI LIST".utf8), .film),
    ([0x1A, 0x45, 0xDF, 0xA3], .film),
    (Array("\0\0\0\u{0C}jP  ".utf8), .jpeg2000),
    (Array("8BPS\0\u{01}".utf8), .psd),
    (Array("P6\n1 1\n".utf8), .netpbm),
    (Array("gimp xcf v011".utf8), .xcf),
    (Array("qoif".utf8), .qoi),
    (Array("%PDF-1.7".utf8), .pdf),
    (Array("hello".utf8), nil),
    (Array("RIFF1234WAVE".utf8), nil),
    ([0xFF, 0xD8], nil),
    ([0x89], nil),
  ]

  @Test(arguments: beginnings)
  func isRecognisedByTheFirstBytes(bytes: [UInt8], expected: PictureFormat?) {
    #expect(PictureFormat(of: bytes) == expected)
  }
}
