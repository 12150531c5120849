// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFiles

@testable import YOLOFaceRaster

@Suite struct PictureTests {
  static let png = HandmadePNG(width: 2, height: 1, colorType: .gray, data: [0, 1, 2])

  @Test func readsAPNGWhateverItsName() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "picture.jpg").path
      try Data(Self.png.bytes).write(to: URL(filePath: path))
      #expect(try Picture.read(path: path).pixels == [1, 1, 1, 2, 2, 2])
    }
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
    let truncated = Array(Self.png.bytes.dropLast(30))
    let error = #expect(throws: PictureError.self) { try Picture.decode(truncated, name: "-") }
    #expect(error?.source == "-")
    let missing = #expect(throws: FileError.self) { try Picture.read(path: "/no/such/picture") }
    #expect(missing?.path == "/no/such/picture")
    #expect(missing?.found == "no such file or directory")
  }

  @Test func keepsItsLimits() throws {
    var limits = Picture.Limits()
    limits.maximumFileBytes = 20
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "long.gif").path
      try Data(count: 21).write(to: URL(filePath: path))
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

  static let others: [([UInt8], String)] = {
    var others: [([UInt8], String)] = [
      (Array("hello".utf8), "found an unknown format, expected \(formats)"),
      ([], "found an empty file, expected \(formats)"),
      (
        [0x89] + Array("PNG\n\u{1A}\n".utf8),
        "not a PNG: this looks like a PNG whose signature was damaged, as by a text-mode transfer"
      ),
    ]
    let beginnings = [
      "GIF": "GIF89a", "BMP": "BM1234", "TIFF": "MM\0*", "HEIC": "\0\0\0\u{18}ftypheic",
      "AVIF": "\0\0\0\u{1C}ftypavif", "JPEG XL": "\0\0\0\u{0C}JXL ", "PDF": "%PDF-1.7",
    ]
    others += beginnings.map {
      (Array($1.utf8), "found \($0), expected \(formats); convert it, for example with ImageMagick")
    }
    #if !JPEG
      others.append(
        (
          [0xFF, 0xD8, 0xFF, 0xE0],
          "found JPEG, expected \(formats); to read JPEG, build with the package's trait JPEG "
            + "(it needs libjpeg-turbo's development package, libjpeg-dev on Debian and Ubuntu)"
        ))
    #endif
    #if !WebP
      others.append(
        (
          Array("RIFF1234WEBPVP8 ".utf8),
          "found WebP, expected \(formats); to read WebP, build with the package's trait WebP "
            + "(it needs libwebp-dev on Debian and Ubuntu)"
        ))
    #endif
    return others
  }()

  @Test(arguments: others)
  func saysWhatIsNotRead(bytes: [UInt8], message: String) {
    let error = #expect(throws: PictureError.self) { try Picture.decode(bytes, name: "a.png") }
    #expect(error?.description == "a.png: \(message)")
  }

  @Test func namesAFilm() {
    let film = Array("\0\0\0\u{1C}ftypisom".utf8)
    let error = #expect(throws: PictureError.self) { try Picture.decode(film, name: "a.mp4") }
    #expect(error?.description.contains("ffmpeg -i FILM") == true)
  }
}

@Suite struct PictureFormatTests {
  /// One byte for each character.
  static let beginnings: [(String, PictureFormat?)] = [
    ("", .empty), ("\u{89}PNG\r\n\u{1A}\n\0", .png), ("\u{89}PNG\n\u{1A}\n", .damagedPNG),
    ("\u{FF}\u{D8}\u{FF}\u{E0}\0\u{10}", .jpeg), ("\u{FF}\n\u{FA}", .jpegXL),
    ("\0\0\0\u{0C}JXL \r\n", .jpegXL), ("RIFF1234WEBPVP8 ", .webP), ("GIF89a", .gif),
    ("BM1234", .bmp), ("II*\0\u{08}", .tiff), ("MM\0*\0", .tiff), ("\0\0\0\u{18}ftypheic", .heic),
    ("\0\0\0\u{18}ftypmif1", .heic), ("\0\0\0\u{1C}ftypavif", .avif),
    ("\0\0\0\u{1C}ftypisom", .film), ("\0\0\0\u{18}ftypcrx ", .raw),
    ("II*\0\u{10}\0\0\0CR\u{02}", .raw), ("RIFF1234AVI LIST", .film),
    ("\u{1A}E\u{DF}\u{A3}", .film),
    ("\0\0\0\u{0C}jP  ", .jpeg2000), ("8BPS\0\u{01}", .psd), ("P6\n1 1\n", .netpbm),
    ("gimp xcf v011", .xcf), ("qoif", .qoi), ("%PDF-1.7", .pdf), ("hello", nil),
    ("RIFF1234WAVE", nil), ("\u{FF}\u{D8}", nil), ("\u{89}", nil),
  ]

  @Test(arguments: beginnings)
  func isRecognizedByTheFirstBytes(beginning: String, expected: PictureFormat?) {
    #expect(PictureFormat(of: beginning.unicodeScalars.map { UInt8($0.value) }) == expected)
  }
}
