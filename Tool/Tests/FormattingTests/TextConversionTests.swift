// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceFormatting

struct TextConversionTests {
  private static let encodings: [(String.Encoding, mark: [UInt8])] = [
    (.utf8, []), (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16LittleEndian, []),
    (.utf16LittleEndian, [0xFF, 0xFE]),
    (.utf16BigEndian, []), (.utf16BigEndian, [0xFE, 0xFF]),
  ]

  /// By Foundation's encoders, whole and byte by byte.
  @Test(arguments: encodings.indices, ["", "a", "a\u{FEFF}é 1", "x\u{1F600}\r\n", "\u{1F600}a"])
  func converts(index: Int, text: String) throws {
    let (encoding, mark) = Self.encodings[index]
    let bytes = mark + [UInt8](try #require(text.data(using: encoding)))
    let isKnown = !mark.isEmpty || encoding == .utf8 || !text.hasPrefix("\u{1F600}")
    guard isKnown else { return #expect(utf8Text(bytes) == bytes) }
    #expect(utf8Text(bytes) == Array(text.utf8))
    var conversion = TextConversion()
    let parts = (bytes.map { [$0] } + [[]]).flatMap { conversion.utf8($0) }
    #expect(parts == Array(text.utf8) && conversion.isWhole)
  }

  @Test func halfACharacterIsNotOne() {
    for end: [UInt8] in [[97], [0x3D, 0xD8], [0x3D, 0xD8, 0]] {
      var conversion = TextConversion()
      #expect(conversion.utf8([0xFF, 0xFE, 98, 0] + end) == [98])
      #expect(!conversion.isWhole)
      #expect(utf8Text([0xFF, 0xFE, 98, 0] + end) == Array("b\u{FFFD}".utf8))
    }
  }

  /// In a list whose names end with zero bytes, the first may have one letter.
  @Test func doesNotGuessWhereZerosHaveAMeaning() {
    var conversion = TextConversion(guesses: false)
    #expect(conversion.utf8([97, 0, 98, 0]) == [97, 0, 98, 0])
  }
}
