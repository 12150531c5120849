// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceAnalysis
import YOLOFaceGeometry

struct RationalTimeTests {
  private func time(_ value: Int, _ timescale: Int32) throws -> RationalTime {
    try RationalTime(value: value, timescale: Int(timescale))
  }

  @Test(arguments: [0, -1, 1 << 31, .min, .max])
  func timescalesAreThoseOfCoreMedia(timescale: Int) {
    #expect(throws: ValueError.self) { try RationalTime(value: 1, timescale: timescale) }
  }

  @Test func comparesFractions() throws {
    #expect(try time(1, 2) == time(300, 600))
    #expect(try time(-1, 2) == time(-300, 600))
    #expect(try time(0, 7) == time(0, 3))
    #expect(try time(1, 3) != time(333_333_333, 1_000_000_000))
    #expect(try time(333_333_333, 1_000_000_000) < time(1, 3))
    #expect(try time(-1, 3) < time(-333_333_333, 1_000_000_000))
    // These two are the same Double.
    #expect(try time(.max - 1, 1) < time(.max, 1))
    #expect(try time(.min, 1) < time(.min, 2))
    #expect(try time(.max, .max) < time(.max, .max - 1))
  }

  @Test func equalTimesHashAlike() throws {
    let times: Set = [try time(1, 2), try time(300, 600), try time(2, 4), try time(-1, 2)]
    #expect(times.count == 2)
    #expect(try Set([time(0, 1), time(0, 30000)]).count == 1)
  }

  @Test func addsExactly() throws {
    let sum = try time(1001, 30000).adding(time(1001, 30000))
    #expect(sum.value == 2002 && sum.timescale == 30000)
    // 1/4 + 1/6 = 5/12
    let mixed = try time(1, 4).adding(time(1, 6))
    #expect(mixed.value == 5 && mixed.timescale == 12)
    #expect(try time(1, 4).subtracting(time(1, 6)) == time(1, 12))
    #expect(try time(1, 6).subtracting(time(1, 4)) == time(-1, 12))
    // A thousand frames, one after the other, without any error.
    var total = RationalTime(seconds: 0)
    for _ in 0..<1000 { total = try total.adding(time(1001, 30000)) }
    #expect(try total == time(1_001_000, 30000))
    #expect(total.timescale == 30000)
  }

  /// 2³¹ − 1 is prime, so its least common multiple with 2 does not fit a timescale; a sum may in
  /// lowest terms.
  @Test func reducesWhereItMust() throws {
    let odd = try time(1, .max)
    #expect(throws: ValueError.self) { try time(1, 2).adding(odd) }
    #expect(throws: ValueError.self) { try time(1, 2).subtracting(odd) }
    // 1/(2 · 1,073,741,824) is beyond; with 1/3 + 1/6 the multiple is small. 1/2³⁰ − 1/(3 · 2²⁹):
    // the common multiple 3 · 2³⁰ is too large, the difference (3 − 2) / (3 · 2³⁰) as well; with
    // 4/2³⁰ − 2/(3 · 2²⁹) it is 8/(3 · 2³⁰) = 1/(3 · 2²⁷).
    let reduced = try time(4, 1 << 30).subtracting(time(2, 3 << 29))
    #expect(reduced.value == 1 && reduced.timescale == 3 << 27)
  }

  @Test func overflowIsAnError() throws {
    let last = try time(.max, 1)
    #expect(throws: ValueError.self) { try last.adding(time(1, 1)) }
    #expect(throws: ValueError.self) { try time(.min, 1).subtracting(last) }
    #expect(try last.subtracting(last) == RationalTime(seconds: 0))
    // The sum fits only in lowest terms.
    #expect(try time(.max, 2).adding(time(.max, 2)) == last)
    #expect(try time(.min, 1).subtracting(time(.min, 1)).value == 0)
  }

  @Test func secondsAndDescription() throws {
    #expect(try time(1001, 30000).seconds == 1001.0 / 30000)
    #expect(try time(-3, 2).seconds == -1.5)
    #expect(try time(3, 2).description == "3/2 s")
  }
}
