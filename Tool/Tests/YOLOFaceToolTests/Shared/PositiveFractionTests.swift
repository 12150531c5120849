// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceAnalysis

@testable import YOLOFaceTool

struct PositiveFractionTests {
  @Test(arguments: [
    ("25", 25, 1), ("29.97", 2997, 100), ("30000/1001", 30000, 1001), ("0.001", 1, 1000),
    ("2147483647", 2_147_483_647, 1), ("1/2147483647", 1, 2_147_483_647), ("010", 10, 1),
    ("0.000000001", 1, 1_000_000_000), ("2.50", 250, 100),
  ])
  func readsNumbersExactly(text: String, numerator: Int32, denominator: Int32) throws {
    let fraction = try #require(PositiveFraction(argument: text))
    #expect(fraction.numerator == numerator && fraction.denominator == denominator)
    #expect(PositiveFraction(argument: fraction.description)?.numerator == numerator)
  }

  @Test(arguments: [
    "", "0", "0.0", "-1", "+1", "1/0", "0/1", "-1/-1", "1/", "/1", "/", "1/2/3", ".", "1.", ".5",
    "1.5/2", "1.2.3", "1e3", "nan", "inf", "0x10", " 1", "٣", "2147483648", "1/2147483648",
    "0.0000000001", "99999999999999999999", "1.99999999999999999999",
  ])
  func refusesOtherText(text: String) {
    #expect(PositiveFraction(argument: text) == nil)
  }

  @Test func isATimeAndTheTimeBetweenFrames() throws {
    let rate = try #require(PositiveFraction(argument: "30000/1001"))
    #expect(try rate.seconds == RationalTime(value: 30000, timescale: 1001))
    #expect(try rate.interval == RationalTime(value: 1001, timescale: 30000))
  }

  /// A third of a second has no finite decimals, yet three of them are exactly a second.
  @Test(arguments: [
    (3, 3, Int64(1), Int64(0)), (1, 3, 0, 333_333_333_333_333_333),
    (11, 10, 1, 100_000_000_000_000_000), (0, 7, 0, 0),
    (4_294_967_297, 2_147_483_647, 2, 1_396_983_862),
    (.max, 1, .max, 0),
  ])
  func isADuration(value: Int, timescale: Int, seconds: Int64, attoseconds: Int64) throws {
    let duration = try RationalTime(value: value, timescale: timescale).duration
    #expect(duration.components == (seconds, attoseconds))
  }
}
