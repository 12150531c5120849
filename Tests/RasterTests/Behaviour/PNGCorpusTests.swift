import Foundation
import TestSupport
import Testing

@testable import Raster

/// Two public collections of PNG files.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct PNGCorpusTests {
  static let suite = SharedData.names(in: "png/pngsuite/png")
  static let hostile = SharedData.names(in: "png/hostile")

  @Test func corporaAreComplete() {
    #expect(Self.suite.filter { !$0.hasPrefix("x") }.count == 161)
    #expect(Self.suite.filter { $0.hasPrefix("x") }.count == 14)
    #expect(Self.hostile.count == 605)
  }

  @Test(arguments: suite.filter { !$0.hasPrefix("x") })
  func decodesThePixelsOfPNGSuite(name: String) throws {
    let bytes = try SharedData.bytes("png/pngsuite/png/\(name)")
    let stem = name.dropLast(".png".count)
    let json = try SharedData.bytes("png/pngsuite/json/\(stem).json")
    let expected = try JSONDecoder().decode([UInt16].self, from: Data(json))
    #expect(try PNG.decodeRGBA(bytes).samples == expected)
    let image = try Picture.decode(bytes)
    #expect(4 * image.width * image.height == expected.count)
  }

  @Test(arguments: suite.filter { $0.hasPrefix("x") })
  func refusesTheInvalidFilesOfPNGSuite(name: String) {
    let path = SharedData.path("png/pngsuite/png/\(name)")
    let error = #expect(throws: PictureError.self) { try Picture.read(path: path) }
    #expect(error?.source == path)
  }

  /// Files that fuzzers found against another decoder give a picture or an error. Most are refused
  /// for the checksum of their header; `FuzzCorpusTests` repairs it.
  @Test(arguments: hostile)
  func survivesHostileFiles(name: String) throws {
    let bytes = try SharedData.bytes("png/hostile/\(name)")
    do throws(PictureError) {
      let image = try Picture.decode(bytes)
      #expect(image.pixels.count == 3 * image.width * image.height)
    } catch {
      #expect(error.source == "<bytes>")
    }
  }
}
