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
      "bench", "--size", "64x32", "--iterations", "4", "--threads", "2", "--isa", "baseline",
      "--json")
    #expect(run.status == 0 && run.errors == "")
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
    let run = try tool.run("bench", "--size", "64x32", "--iterations", "1", "--precision", "int8")
      .succeeded()
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasSuffix("1 thread, 64x32, 1 iterations"))
    #expect(lines[0].contains(", int8, "))
    #expect(lines[1].hasPrefix("milliseconds "))
    #expect(lines.last?.contains("GFLOP/s") == true)
  }

  @Test func refusesWrongUsage() throws {
    let mistakes = tool.falseUsage(
      of: "bench",
      table: """
        --iterations 1
        --iterations 1000000
        --iterations 0 | --iterations 0: give a number from 1 to 1000000.
        --iterations 1000001 | --iterations 1000001: give a number from 1 to 1000000.
        --size 64x96
        --size 32768x32768 | --size 32768x32768: give at most
        """)
    #expect(mistakes == [])
    // The model says which sizes it takes.
    let run = try tool.run("bench", "--size", "100x96")
    #expect(run.status == 64 && run.output == "" && run.errors.contains("--size 100x96: "))
  }
}
