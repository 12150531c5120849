// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceRaster

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

  /// The samples are RGBA, of 16 bits where the name says so; they are rounded and composited over white.
  @Test(arguments: suite.filter { !$0.hasPrefix("x") })
  func decodesThePixelsOfPNGSuite(name: String) throws {
    let stem = name.dropLast(".png".count)
    let json = try SharedData.bytes("png/pngsuite/json/\(stem).json")
    let largest = stem.hasSuffix("16") ? 65535 : 255
    let samples = try JSONDecoder().decode([Int].self, from: Data(json))
      .map { ($0 * 255 + largest / 2) / largest }
    let expected = samples.indices.filter { $0 % 4 < 3 }.map { index in
      let alpha = samples[index / 4 * 4 + 3]
      return UInt8((samples[index] * alpha + 255 * (255 - alpha) + 127) / 255)
    }
    let bytes = try SharedData.bytes("png/pngsuite/png/\(name)")
    #expect(try Picture.decodeStored(bytes).image.pixels == expected)
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
