import Testing

@testable import Raster

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
    (Array("\0\0\0\u{1C}ftypisom".utf8), .isoMedia),
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
