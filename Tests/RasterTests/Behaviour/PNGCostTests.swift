import Foundation
import TestSupport
import Testing

@testable import Raster

/// The cost of a PNG is bounded by what it declares, whatever it holds: 0.3 s of processor time for
/// each megabyte and each ten million pixels.
@Suite struct PNGCostTests {
  struct Costly: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var png: HandmadePNG
  }

  /// Twice the bound, for slower processors; a bomb that is inflated takes eight times the bound.
  private func isCheap(_ png: [UInt8], pixels: Int) -> Bool {
    let allowed = 0.3 * (Double(png.count) / 1e6 + Double(pixels) / 1e7)
    return processorTime { _ = try? Picture.decode(png) } < 2 * allowed + 0.1
  }

  @Test(arguments: bombs + crowds)
  func costsNoMoreThanItDeclares(costly: Costly) throws {
    let bytes = costly.png.bytes
    #expect(isCheap(bytes, pixels: costly.png.width * costly.png.height))
    let image = try Picture.decode(bytes)
    #expect((image.width, image.height) == (costly.png.width, costly.png.height))
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
  private static func small(_ colorType: HandmadePNG.ColorType = .rgb) -> HandmadePNG {
    let row = [UInt8](repeating: 0, count: 25)
    return HandmadePNG(
      width: 8, height: 8, colorType: colorType, data: Array(repeatElement(row, count: 8).joined()))
  }

  /// Four gigabytes of zeros, compressed: a block of deflate whose codes are so short (RFC 1951,
  /// 3.2.7) that each zero byte expands to four times 258 of them.
  private static let zeros: [UInt8] =
    [0x78, 0xDA, 0xEC, 0xC1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 0x08, 0x0A]
    + [UInt8](repeating: 0, count: 4_000_000)

  /// Pictures that hold more than they claim.
  private static let bombs: [Costly] = {
    func behindTheLastRow(_ name: String, _ change: (inout HandmadePNG) -> Void) -> Costly {
      var png = small()
      png.compressedData = [zeros]
      change(&png)
      return Costly(testDescription: "\(name) behind the last row", png: png)
    }
    func inChunk(_ type: String, _ start: [UInt8], isBefore: Bool) -> Costly {
      var png = small()
      let chunk = (type, start + zeros)
      if isBefore { png.chunksBeforeData = [chunk] } else { png.chunksAfterData = [chunk] }
      return Costly(testDescription: "\(type) \(isBefore ? "before" : "after") IDAT", png: png)
    }
    let texts: [(String, [UInt8])] = [
      ("iCCP", Array("p\0\0".utf8)), ("zTXt", Array("k\0\0".utf8)),
      ("iTXt", Array("k\0\u{1}\0\0\0".utf8)), ("fdAT", [0, 0, 0, 1]), ("eXIf", []),
    ]
    return [
      behindTheLastRow("RGB") { _ in },
      behindTheLastRow("16 bits") { ($0.bitDepth, $0.colorType) = (16, .rgba) },
      behindTheLastRow("interlaced") { $0.isInterlaced = true },
      behindTheLastRow("palette") {
        ($0.bitDepth, $0.colorType) = (1, .palette)
        $0.chunksBeforeData = [("PLTE", [1, 2, 3]), ("tRNS", [7])]
      },
      behindTheLastRow("grey with tRNS") {
        $0.colorType = .gray
        $0.chunksBeforeData = [("tRNS", [0, 0])]
      },
      behindTheLastRow("two IDAT chunks") {
        $0.compressedData = [Array(zeros[..<1_000_000]), Array(zeros[1_000_000...])]
      },
      behindTheLastRow("pieces") {
        $0.compressedData = stride(from: 0, to: zeros.count, by: 500).map {
          Array(zeros[$0..<min($0 + 500, zeros.count)])
        }
      },
      behindTheLastRow("as many pixels as it may") {
        ($0.width, $0.height, $0.bitDepth, $0.colorType) = (1600, 1600, 16, .rgba)
        $0.isInterlaced = true
        $0.chunksBeforeData = [("eXIf", exifContent(orientation: 6, isLittleEndian: true))]
      },
    ] + texts.flatMap { [inChunk($0, $1, isBefore: true), inChunk($0, $1, isBefore: false)] }
  }()

  /// Pictures with more chunks than they need.
  private static let crowds: [Costly] = {
    func crowd(_ type: String, _ content: [UInt8], isBefore: Bool = true) -> Costly {
      var png = small()
      let chunks = Array(repeating: (type, content), count: 1_000_000 / (12 + content.count))
      if isBefore { png.chunksBeforeData = chunks } else { png.chunksAfterData = chunks }
      return Costly(testDescription: "many \(type) \(isBefore ? "before" : "after") IDAT", png: png)
    }
    let exif = exifContent(orientation: 1, isLittleEndian: true)
    return [
      crowd("IDAT", []), crowd("IDAT", [], isBefore: false), crowd("tRNS", [0, 1, 0, 1, 0, 1]),
      crowd("eXIf", []), crowd("eXIf", exif), crowd("eXIf", exif, isBefore: false),
      crowd("eXIf", Array(exif.prefix(8)) + [0xFF, 0xFF] + [UInt8](repeating: 1, count: 300_000)),
      crowd("tEXt", []), crowd("prVt", []), crowd("sPLT", []), crowd("fcTL", bigEndian(0)),
    ]
  }()
}
