import Geometry
import Testing

@testable import Raster

@Suite struct ExifOrientationTests {
  /// A picture of 3 × 2 pixels, named by their red value:  1 2 3
  ///                                                       4 5 6
  static let stored = try! RGBImage(
    width: 3, height: 2, pixels: (1...6).flatMap { [UInt8($0), 0, 0] })

  /// Where row 0 and column 0 belong, by the table of Exif 2.32, 4.6.4 A, worked out on paper.
  @Test(arguments: [
    (Orientation.up, [[1, 2, 3], [4, 5, 6]]),  // row 0 on top, column 0 on the left
    (.upMirrored, [[3, 2, 1], [6, 5, 4]]),  // top, right
    (.down, [[6, 5, 4], [3, 2, 1]]),  // bottom, right
    (.downMirrored, [[4, 5, 6], [1, 2, 3]]),  // bottom, left
    (.leftMirrored, [[1, 4], [2, 5], [3, 6]]),  // left, top
    (.right, [[4, 1], [5, 2], [6, 3]]),  // right, top
    (.rightMirrored, [[6, 3], [5, 2], [4, 1]]),  // right, bottom
    (.left, [[3, 6], [2, 5], [1, 4]]),  // left, bottom
  ])
  func turnsUpright(orientation: Orientation, expected: [[Int]]) {
    let upright = Self.stored.upright(from: orientation)
    #expect(upright.width == expected[0].count)
    #expect(upright.height == expected.count)
    #expect(upright.pixels == expected.joined().flatMap { [UInt8($0), 0, 0] })
  }

  private func orientation(_ bytes: [UInt8]) -> Orientation {
    bytes.withUnsafeBufferPointer { exifOrientation(tiff: $0) }
  }

  @Test(arguments: [false, true], 1...8)
  func findsTheTag(isLittleEndian: Bool, value: Int) {
    let content = exifContent(orientation: UInt8(value), isLittleEndian: isLittleEndian)
    #expect(orientation(content).rawValue == value)
  }

  @Test func findsTheTagAfterOthers() {
    let other: [UInt8] = [0x01, 0x0F, 0, 2, 0, 0, 0, 4, 65, 66, 67, 0]
    let content: [UInt8] =
      [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2] + other + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0]
    #expect(orientation(content) == .left)
  }

  @Test func treatsATruncatedStructureAsUpright() {
    let content = exifContent(orientation: 6, isLittleEndian: true)
    let end = 20  // of the value itself; what follows is padding and the next directory
    for count in 0..<end { #expect(orientation(Array(content[..<count])) == .up, "\(count) bytes") }
    #expect(orientation(Array(content[..<end])) == .right)
  }

  @Test(arguments: [
    (0, 0x4A),  // byte order
    (2, 43),  // magic number
    (4, 0xFF), (7, 0xFF),  // offset of the directory
    (8, 0),  // no entries
    (12, 4),  // type LONG
    (14, 2),  // two values
    (18, 0), (18, 9), (19, 1),  // not 1…8
  ])
  func treatsAMalformedStructureAsUpright(offset: Int, value: UInt8) {
    var content = exifContent(orientation: 6, isLittleEndian: true)
    content[offset] = value
    #expect(orientation(content) == .up)
  }
}
