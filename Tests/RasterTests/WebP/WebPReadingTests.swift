// SPDX-License-Identifier: Apache-2.0
#if WebP
  import Foundation
  import Testing
  import YOLOFaceRaster

  struct WebPReadingTests {
    private static func path(_ fixture: String) -> String {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/\(fixture).webp").path
    }

    private static func bytes(_ fixture: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(fixture))))
    }

    private func color(_ x: Int, _ y: Int) -> [Int] {
      [20 + 4 * x, 230 - 5 * y, 60 + 2 * x + 2 * y]
    }

    private func expect(
      _ image: RGBImage, tolerance: Int, _ formula: (_ x: Int, _ y: Int) -> [Int]
    ) throws {
      try #require((image.width, image.height) == (45, 37))
      for y in 0..<37 {
        for x in 0..<45 {
          let color = image[x, y]
          let errors = zip([color.red, color.green, color.blue], formula(x, y)).map {
            abs(Int($0) - $1)
          }
          #expect(errors.max()! <= tolerance, "\(x), \(y)")
        }
      }
    }

    @Test func readsLossless() throws {
      try expect(Picture.read(path: Self.path("lossless")), tolerance: 0, color)
    }

    /// Lossy WebP keeps colour at half the resolution and in the range 16 to 235, and rounds thrice.
    @Test func readsLossy() throws {
      try expect(Picture.read(path: Self.path("lossy")), tolerance: 12, color)
    }

    @Test func compositesTransparency() throws {
      try expect(Picture.read(path: Self.path("alpha")), tolerance: 0) { x, y in
        color(x, y).map { ($0 * 5 * x + 255 * (255 - 5 * x) + 127) / 255 }
      }
    }

    @Test func turnsUpright() throws {
      try expect(Picture.read(path: Self.path("orientation-6")), tolerance: 0, color)
    }

    @Test func refusesFilms() throws {
      #expect(throws: PictureError(source: "<bytes>", reason: .animated)) {
        try Picture.decode(try Self.bytes("animated"))
      }
    }

    @Test func refusesLargePictures() throws {
      var limits = Picture.Limits()
      limits.maximumPixels = 45 * 37 - 1
      let bytes = try Self.bytes("lossless")
      #expect(throws: PictureError.self) { try Picture.decode(bytes, limits: limits) }
      limits = Picture.Limits()
      limits.maximumFileBytes = 20
      #expect(throws: PictureError.self) { try Picture.decode(bytes, limits: limits) }
    }

    /// Whatever is cut off or changed, the result is a picture or an error.
    @Test(arguments: ["lossless", "lossy", "alpha", "orientation-6", "animated"])
    func damagedFilesNeverTrap(fixture: String) throws {
      let whole = try Self.bytes(fixture)
      for count in 0..<whole.count { _ = try? Picture.decode(Array(whole.prefix(count))) }
      for index in whole.indices {
        for value in [UInt8(0), 1, 127, 255] {
          var bytes = whole
          bytes[index] = value
          _ = try? Picture.decode(bytes)
        }
      }
      #expect(throws: PictureError.self) {
        try Picture.decode(Array(whole.prefix(whole.count / 2)))
      }
    }

    /// A container that claims more than there is costs no pixel.
    @Test func readsAllRowsWhateverTheContainerClaims() throws {
      var bytes = try Self.bytes("lossless")
      let whole = try Picture.decode(bytes)
      bytes[5] &+= 1
      #expect(try Picture.decode(bytes) == whole)
    }
  }
#endif
