// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

struct BenchTests {
  private let tool = Tool()

  private struct Report: Decodable {
    struct Statistics: Decodable { var min, median, p90: Double }
    var instructionSet, model, precision: String
    var threads, width, height, iterations: Int
    var milliseconds, withResize: Statistics
    var samples: [Double]
    var stages: [String: Statistics]
    var gigaflops, peakGigaflops, shareOfPeak, peakMemoryMiB: Double
  }

  @Test func printsMeasurements() throws {
    let run = try tool.run(
      line: "bench --size 64x32 --iterations 4 --threads 2 --isa baseline --json"
    ).succeeded()
    #expect(run.errors == "")
    let report = try run.output.decoded(as: Report.self)
    #expect(report.instructionSet == "baseline")
    #expect((report.model, report.precision) == ("yoloface-n-0.5.param", "fp32"))
    #expect((report.width, report.height) == (64, 32))
    #expect((report.threads, report.iterations) == (2, 4))
    let sorted = report.samples.sorted()
    try #require(sorted.count == 4)
    #expect(report.milliseconds.min == sorted[0])
    #expect(report.milliseconds.median == sorted[2])
    #expect(report.milliseconds.p90 == sorted[3])
    #expect(report.withResize.min > report.milliseconds.min)
    #expect(Set(report.stages.keys) == ["resize", "network", "decode", "nms"])
    #expect(report.stages.values.allSatisfy { $0.min > 0 && $0.min <= $0.median })
    #expect(report.stages["network"].map { $0.min < sorted[0] } == true)
    #expect(report.gigaflops > 0 && report.peakMemoryMiB > 1)
    let share = report.gigaflops / report.peakGigaflops / 2
    #expect(abs(report.shareOfPeak - share) <= 1e-9 * share)
  }

  @Test func printsATable() throws {
    let run = try tool.run(line: "bench --size 64x32 --iterations 1 --precision int8").succeeded()
    let table = #/.*, int8, .*1 thread, 64x32, 1 iterations\nmilliseconds (.*\n)*.*GFLOP\/s.*\n/#
    #expect(run.output.wholeMatch(of: table) != nil, "\(run.output)")
  }

  @Test func refusesWrongUsage() throws {
    tool.expectUsage(
      of: "bench",
      table: """
        --iterations 1 / 1000000
        --iterations 0 / 1000001 | give a number from 1 to 1000000.
        --size 64x96
        --size 32768x32768 | --size 32768x32768: give at most
        """)
    // The model says which sizes it takes.
    try tool.expectRuns("bench --size 100x96 | 64 --size 100x96: ")
  }
}
