// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
@_spi(Tool) import YOLOFaceFiles

@testable import YOLOFaceTool

struct NameListTests {
  private let tool = Tool()

  /// The names up to the first invalid one, and whether there is one.
  private func names(_ bytes: [UInt8], separator: UInt8) throws -> (names: [String], fails: Bool) {
    try tool.write(Data(bytes), to: "list")
    let list = try NameList(path: tool.path("list"), separator: separator)
    var names: [String] = []
    while let next = list.next() {
      guard case .success(let name) = next else {
        #expect(list.next() == nil)
        return (names, true)
      }
      names.append(name)
    }
    return (names, false)
  }

  /// Any bytes, some of them in lines longer than the blocks in which they are read.
  @Test(arguments: [UInt8(ascii: "\n"), 0]) func takesAnyBytes(separator: UInt8) throws {
    var random = SeededGenerator(seed: UInt64(separator) + 1)
    let pieces: [[UInt8]] = [[10], [13, 10], [13], [97], [195, 169], [255], [0], [32, 97, 47]]
    for trial in 0..<300 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        bytes += pieces.randomElement(using: &random) ?? []
      }
      // That would be UTF-16.
      if separator == 10, bytes.count > 1, (bytes[0] == 0) != (bytes[1] == 0) { continue }
      let isLong = trial % 50 == 1
      if isLong || trial % 50 == 0 {
        bytes += [UInt8](repeating: 98, count: isLong ? 1 << 19 : 1 << 15) + bytes
      }
      var expected: [String] = []
      var fails = false
      for line in bytes.split(whereSeparator: { $0 == separator || separator == 10 && $0 == 13 }) {
        fails = line.contains(0) || line.count > 1 << 16
        if fails { break }
        expected.append(pathText(line))
      }
      let found = try names(bytes, separator: separator)
      #expect(found.names.elementsEqual(expected) { $0.utf8.elementsEqual($1.utf8) })
      #expect(found.fails == fails)
    }
  }

  @Test func isNoPointerToAList() throws {
    try tool.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", to: "list")
    let list = try NameList(path: tool.path("list"), separator: 10)
    let error = #expect(throws: FileError.self) { try list.next()?.get() }
    #expect(error?.found == "a Git LFS pointer" && list.next() == nil)
  }

  /// A device that never ends.
  @Test(.timeLimit(.minutes(60))) func emptyNamesEnd() throws {
    let list = try NameList(path: "/dev/zero", separator: 0)
    let error = #expect(throws: FileError.self) { try list.next()?.get() }
    #expect(error?.found.hasSuffix("empty names") == true)
    #expect(list.next() == nil)
  }

  /// Lists as programs on Windows save them, by Foundation's encoders, in one piece and byte by byte.
  @Test(
    arguments: [
      (String.Encoding.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, [0xFF, 0xFE]),
      (.utf16BigEndian, [0xFE, 0xFF]),
    ] as [(String.Encoding, [UInt8])])
  func takesAByteOrderMark(encoding: String.Encoding, mark: [UInt8]) throws {
    let expected = [
      "é 1.png", "\u{1F600}.png", "\u{FEFF}a", String(repeating: "\u{1F600}", count: 9999),
    ]
    let text = "\r\n" + expected.joined(separator: "\r\n")
    let bytes = mark + [UInt8](try #require(text.data(using: encoding)))
    let found = try names(bytes, separator: 10)
    #expect(found.names == expected && !found.fails)
    let zeros = try #require("a\0\u{FEFF}b\0".data(using: encoding))
    #expect(try names(mark + zeros, separator: 0).names == ["a", "\u{FEFF}b"])
    let oldEnds = try #require("a\r\rb\r".data(using: encoding))
    #expect(try names([UInt8](oldEnds), separator: 10).names == ["a", "b"])
    let pipe = Pipe()
    let writer = Thread {
      for byte in bytes.prefix(60) { try? pipe.fileHandleForWriting.write(contentsOf: [byte]) }
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    let list = try NameList(
      path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)", separator: 10)
    for name in expected.prefix(2) { #expect(try list.next()?.get() == name) }
  }

  @Test func aListWithHalfACharacterIsRefused() throws {
    for (bytes, whole) in [
      ([0xFF, 0xFE, 97], []), ([0xFF, 0xFE, 97, 0, 0x3D, 0xD8], []),
      ([0xFF, 0xFE, 97, 0, 0x3D], []), ([97, 98, 10, 0], ["ab"]),
    ] as [([UInt8], [String])] {
      let found = try names(bytes, separator: 10)
      #expect(found.names == whole && found.fails)
    }
  }
}
