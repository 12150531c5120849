// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFaceRaster

@Suite struct ExifOrientationTests {
  private func orientation(_ bytes: [UInt8]) -> Orientation? {
    // A slice does not begin at 0.
    exifOrientation(([1, 2, 3] + bytes)[3...])
  }

  @Test(arguments: [false, true], 1...8)
  func findsTheTag(isLittleEndian: Bool, value: Int) {
    let content = exifContent(orientation: UInt8(value), isLittleEndian: isLittleEndian)
    #expect(orientation(content)?.rawValue == value)
    #expect(orientation(Array("Exif\0\0".utf8) + content)?.rawValue == value)
  }

  /// TIFF 6.0, section 2: BYTE, LONG and their signed forms stand at the value's beginning, too.
  @Test(
    arguments: [(1, [6]), (6, [6]), (8, [0, 6]), (4, [0, 0, 0, 6]), (9, [0, 0, 0, 6])]
      as [(UInt8, [UInt8])])
  func takesAnyInteger(type: UInt8, value: [UInt8]) {
    let big: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, type, 0, 0, 0, 1]
    #expect(orientation(big + value + [0, 0, 0]) == .right)
    let little: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, type, 0, 1, 0, 0, 0]
    #expect(orientation(little + value.reversed() + [0, 0, 0]) == .right)
  }

  @Test func findsTheTagAfterOthers() {
    var content = exifContent(orientation: 8, isLittleEndian: false)
    content[9] = 2
    content.insert(contentsOf: [0x01, 0x0F, 0, 2, 0, 0, 0, 4, 65, 66, 67, 0], at: 10)
    #expect(orientation(content) == .left)
  }

  @Test func takesNothingFromATruncatedStructure() {
    let content = exifContent(orientation: 6, isLittleEndian: true)
    let end = 20  // of the value itself; what follows is padding and the next directory
    for count in 0..<end { #expect(orientation(Array(content[..<count])) == nil, "\(count) bytes") }
    #expect(orientation(Array(content[..<end])) == .right)
  }

  @Test(arguments: [
    (0, 0x4A),  // byte order
    (2, 43),  // magic number
    (4, 0xFF), (7, 0xFF),  // offset of the directory
    (8, 0),  // no entries
    (12, 5), (12, 2), (12, 0),  // RATIONAL, ASCII, none
    (14, 2),  // two values
    (18, 0), (18, 9), (19, 1),  // not 1…8
  ])
  func takesNothingFromAMalformedStructure(offset: Int, value: UInt8) {
    var content = exifContent(orientation: 6, isLittleEndian: true)
    content[offset] = value
    #expect(orientation(content) == nil)
  }
}
