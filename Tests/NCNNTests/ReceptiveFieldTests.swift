// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

/// Windows computed by hand.
struct ReceptiveFieldTests {
  private typealias Reading = PixelWindows.Reading

  @Test func convolutionsWiden() throws {
    let first = try #require(
      PixelWindows.pixels.reading(.window(of: 3, stride: 2, borderBefore: 1)))
    #expect(first[0] == -1...1 && first[5] == 9...11)
    // 3 + 2 · 2 pixels, from −1 − 1 · 2, 2 · 2 apart.
    let second = try #require(first.reading(.window(of: 3, stride: 2, borderBefore: 1)))
    #expect((second.size, second.start, second.jump) == (7, -3, 4))
    #expect(second[-2] == -11...(-5))
    // 7 + 1 · 4 pixels, from −3 without a border, 1 · 4 apart.
    let third = try #require(second.reading(.window(of: 2, stride: 1, borderBefore: 0)))
    #expect((third.size, third.start, third.jump) == (11, -3, 4))
  }

  @Test func upsamplingRepeatsAPattern() throws {
    let cells = try #require(
      PixelWindows.pixels.reading(.window(of: 4, stride: 4, borderBefore: 0)))
    let doubled = try #require(cells.reading(Reading(cells: 2) { $0 / 2...$0 / 2 }))
    #expect((0..<4).map { doubled[$0] } == [0...3, 0...3, 4...7, 4...7])
    #expect((doubled.size, doubled.jump) == (4, 2))
    // Cells 0, 1, 2 are pixels 0…3, 0…3, 4…7; cells −1, 0, 1 are pixels −4…−1, 0…3, 0…3.
    let convolved = try #require(doubled.reading(.window(of: 3, stride: 1, borderBefore: 1)))
    #expect((0..<4).map { convolved[$0] } == [-4...3, 0...7, 0...7, 4...11])
    #expect((convolved.size, convolved.jump, convolved.start) == (8, 2, -4))
    // Every other one of them: all cells are alike again.
    let strided = try #require(convolved.reading(.window(of: 1, stride: 2, borderBefore: 0)))
    #expect((0..<3).map { strided[$0] } == [-4...3, 0...7, 4...11])
    #expect(strided.jump == 4)
  }

  @Test func pathsAreJoined() throws {
    let wide = try #require(PixelWindows.pixels.reading(.window(of: 5, stride: 1, borderBefore: 2)))
    let late = try #require(PixelWindows.pixels.reading(.shifted(by: 4)))
    let both = try #require(wide.joined(with: late))
    #expect(both[0] == -2...4 && both.size == 7)
    let strided = try #require(wide.reading(.window(of: 1, stride: 2, borderBefore: 0)))
    #expect(strided.joined(with: wide) == nil)
    let doubled = try #require(strided.reading(Reading(cells: 2) { $0 / 2...$0 / 2 }))
    // −2…2 and 0, −2…2 and 1, 0…4 and 2.
    let joined = try #require(doubled.joined(with: .pixels))
    #expect((0..<3).map { joined[$0] } == [-2...2, -2...2, 0...4])
  }

  @Test func refusesWhatGrowsTooLarge() throws {
    var windows = PixelWindows.pixels
    var count = 0
    while let next = windows.reading(.window(of: 1 << 20, stride: 1 << 20, borderBefore: 1 << 20)) {
      windows = next
      count += 1
    }
    #expect(count == 1)
    let irregular = Reading(cells: 1021, step: 1019) { $0 * 1019 / 1021...$0 * 1019 / 1021 }
    let once = try #require(PixelWindows.pixels.reading(irregular))
    #expect(once.reading(irregular) == nil)
  }

  /// Also where Int has 32 bits, which are too few for the windows after this one.
  @Test func knowsWindowsBeyond32Bits() throws {
    let far = try #require(
      PixelWindows.pixels.reading(.window(of: 1, stride: 1 << 14, borderBefore: 0))?
        .reading(.window(of: 1 << 20, stride: 1, borderBefore: 1 << 18)))
    let (start, size) = (-(Int64(1) << 32), ((Int64(1) << 20) - 1) << 14 + 1)
    #expect(far.start == Int(clamping: start) && far.size == Int(clamping: size))
    #expect(far[0] == Int(clamping: start)...Int(clamping: start + size - 1))
  }

  @Test(arguments: [(7, 3, 2), (6, 3, 2), (-1, 3, -1), (-3, 3, -1), (-4, 3, -2), (0, 5, 0)])
  func roundsDown(dividend: Int, divisor: Int, quotient: Int) {
    #expect(floorQuotient(dividend, divisor) == quotient)
  }
}
