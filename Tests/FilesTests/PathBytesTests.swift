// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@_spi(Tool) @testable import YOLOFaceFiles

struct PathBytesTests {
  /// What is UTF-8 is its own text; of other bytes, no two texts are equal, and each is UTF-8.
  @Test func standForAllBytes() {
    var random = SeededGenerator(seed: 72)
    let pieces: [[UInt8]] = [
      [97], [47], [0xC3, 0xBC], [0xFC], [0xC3], [0xE2, 0x82], [0xF4, 0x8F, 0xBB, 0xBC], [0x80],
      [0xF4, 0x8F, 0xBF, 0xBD], [0xED, 0xA0, 0x80], [0xFF], [0xF0, 0x9F, 0x98, 0x80],
      [0x65, 0xCC, 0x81],
    ]
    var texts: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...5, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      let text = pathText(bytes)
      #expect(systemPath(text) == (bytes + [0]).map { CChar(bitPattern: $0) })
      #expect(texts.updateValue(bytes, forKey: Array(text.utf8)).map { $0 == bytes } != false)
      let isPlain = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0xBB)
      #expect(!isPlain || Array(text.utf8) == bytes)
    }
  }

  @Test func readsAFileInLatin1() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path.utf8 + [UInt8(ascii: "/"), 0xE9]
    #if os(Linux)
      let file = try #require(fopen((path + [0]).map { CChar(bitPattern: $0) }, "w"))
      fputs("content", file)
      fclose(file)
      #expect(try readFile(pathText(path), limit: 9) == Array("content".utf8))
    #endif
    #expect(pathText(path).hasSuffix("/\u{10FEE9}"))
  }

  /// No other file can be written to a full disk; one whose name is too long is alone in that.
  @Test(arguments: [
    (ENOSPC, true), (EDQUOT, true), (EROFS, true), (EIO, true), (ENOTCONN, true),
    (ENAMETOOLONG, false), (EACCES, false), (ENOENT, false), (EFBIG, false), (EPIPE, false),
  ])
  func tellsFaultsOfPlaces(error: Int32, isOfPlace: Bool) {
    #expect(FileError(path: "a", writing: error).isOfPlace == isOfPlace)
  }
}
