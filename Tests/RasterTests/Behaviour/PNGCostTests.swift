// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceRaster

/// The cost of a PNG is bounded by what it declares, whatever it holds: 0.3 s of processor time for
/// each megabyte and each ten million pixels.
@Suite struct PNGCostTests {
  /// Twice the bound, for slower processors; a bomb that is inflated takes eight times the bound.
  private func isCheap(_ png: [UInt8], pixels: Int) -> Bool {
    let allowed = 0.3 * (Double(png.count) / 1e6 + Double(pixels) / 1e7)
    return processorTime { _ = try? Picture.decode(png) } < 2 * allowed + 0.1
  }

  @Test(arguments: costly.keys.sorted())
  func costsNoMoreThanItDeclares(name: String) throws {
    let png = try #require(Self.costly[name])
    let bytes = png.bytes
    #expect(isCheap(bytes, pixels: png.width * png.height))
    let image = try Picture.decode(bytes)
    #expect((image.width, image.height) == (png.width, png.height))
    #expect(image[0, 0] == image[image.width - 1, image.height - 1])
  }

  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func theCorporaCostNoMoreThanTheyDeclare() throws {
    for folder in ["png/hostile", "png/pngsuite/png"] {
      for name in SharedData.names(in: folder) {
        let bytes = try SharedData.bytes("\(folder)/\(name)")
        #expect(isCheap(bytes, pixels: 0), "\(name)")
      }
    }
  }

  /// Eight by eight pixels.
  private static let small = HandmadePNG(
    width: 8, height: 8, colorType: .rgb, data: [UInt8](repeating: 0, count: 8 * 25))

  /// Four gigabytes of zeros, compressed: a block of deflate whose codes are so short (RFC 1951,
  /// 3.2.7) that each zero byte expands to four times 258 of them.
  private static let zeros: [UInt8] =
    [0x78, 0xDA, 0xEC, 0xC1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A]
    + [UInt8](repeating: 0, count: 4_000_000)

  /// Pictures that hold more than they claim, and some with more chunks than they need.
  private static let costly: [String: HandmadePNG] = {
    var costly: [String: HandmadePNG] = [:]
    func bomb(_ name: String, _ change: (inout HandmadePNG) -> Void = { _ in }) {
      var png = small
      png.compressedData = [zeros]
      change(&png)
      costly["\(name) behind the last row"] = png
    }
    func add(_ type: String, _ content: [UInt8], times count: Int, isBefore: Bool = true) {
      var png = small
      let chunks = Array(repeating: (type, content), count: count)
      if isBefore { png.chunksBeforeData = chunks } else { png.chunksAfterData = chunks }
      let place = isBefore ? "before" : "after"
      costly["\(count) \(type) of \(content.count) bytes \(place) the data"] = png
    }
    bomb("RGB")
    bomb("16 bits") { ($0.bitDepth, $0.colorType) = (16, .rgba) }
    bomb("interlaced") { $0.isInterlaced = true }
    bomb("palette") {
      ($0.bitDepth, $0.colorType) = (1, .palette)
      $0.chunksBeforeData = [("PLTE", [1, 2, 3]), ("tRNS", [7])]
    }
    bomb("grey with tRNS") {
      $0.colorType = .gray
      $0.chunksBeforeData = [("tRNS", [0, 0])]
    }
    for length in [1_000_000, 500] {
      bomb("in pieces of \(length)") {
        $0.compressedData = stride(from: 0, to: zeros.count, by: length).map {
          Array(zeros[$0...].prefix(length))
        }
      }
    }
    bomb("as many pixels as it may") {
      ($0.width, $0.height, $0.bitDepth, $0.colorType) = (1600, 1600, 16, .rgba)
      $0.isInterlaced = true
      $0.chunksBeforeData = [("eXIf", exifContent(orientation: 6, isLittleEndian: true))]
    }
    let starts: [(String, [UInt8])] = [
      ("iCCP", Array("p\0\0".utf8)), ("zTXt", Array("k\0\0".utf8)),
      ("iTXt", Array("k\0\u{1}\0\0\0".utf8)), ("fdAT", [0, 0, 0, 1]), ("eXIf", []),
    ]
    for (type, start) in starts {
      for isBefore in [true, false] { add(type, start + zeros, times: 1, isBefore: isBefore) }
    }
    let exif = exifContent(orientation: 1, isLittleEndian: true)
    let long = Array(exif.prefix(8)) + [0xFF, 0xFF] + [UInt8](repeating: 1, count: 300_000)
    for (type, content) in [
      ("IDAT", []), ("tRNS", [0, 1, 0, 1, 0, 1]), ("eXIf", []), ("eXIf", exif), ("eXIf", long),
      ("tEXt", []), ("prVt", []), ("sPLT", []), ("fcTL", bigEndian(0)),
    ] as [(String, [UInt8])] { add(type, content, times: 1_000_000 / (12 + content.count)) }
    add("IDAT", [], times: 1_000_000 / 12, isBefore: false)
    add("eXIf", exif, times: 1_000_000 / (12 + exif.count), isBefore: false)
    return costly
  }()
}
