// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceTool

struct RooflinePictureTests {
  private func step(
    _ name: String, operationsPerByte: Double, gigaflops: Double
  ) -> ProfileReport.Step {
    ProfileReport.Step(
      name: name, kind: "convolution 1x1", shape: "8x40x30", layers: [name], multiplyAdds: 1,
      bytes: 1, microseconds: 1, share: 1, medianMicroseconds: 1, gigaflops: gigaflops,
      operationsPerByte: operationsPerByte, isMemoryBound: false, shareOfRoof: 0.9)
  }

  /// Powers of ten are as far apart as their labels; the roof is the lower of bandwidth · intensity and the peak.
  @Test func stepsLieWhereTheirNumbersAre() throws {
    let copy = Roofline.Bandwidth(bytes: 1024, gigabytesPerSecond: 10)
    let report = ProfileReport(
      machine: "machine", instructionSet: "baseline", threads: 2, model: "model", precision: .fp32,
      width: 1, height: 1, inputWidth: 64, inputHeight: 64, repetitions: 1, peakGigaflops: 100,
      bandwidths: [copy], stages: [],
      steps: [
        step("a", operationsPerByte: 10, gigaflops: 10),
        step("b", operationsPerByte: 100, gigaflops: 1),
      ], sum: 1, whole: 1, untimed: 1)
    let chart = rooflinePicture(of: report)
    let dots = try chart.elements("circle")
    try #require(dots.count == 2)
    #expect(dots[0].hint == "a, convolution 1x1: 10.0 GFLOP/s, 1.0 µs")
    let columns = try ["10", "100"].map { label in
      try #require(
        try chart.elements("text").first {
          $0.content == label && $0.attributes["text-anchor"] == "middle"
        })["x"]
    }
    #expect(dots.map { $0["cx"] } == columns)
    let rows = try ["10", "1"].map { label in
      try #require(
        try chart.elements("text").first {
          $0.content == label && $0.attributes["text-anchor"] == "end"
        })["y"] - 5
    }
    #expect(dots.map { $0["cy"] } == rows)
    let slope = try #require(try chart.elements("polyline").first { $0["stroke-opacity"] == 0.6 })
    // 0.1 · 10 GFLOP/s is 1, and 10 · 10 the peak.
    #expect(slope.points.map(\.y) == [rows[1], rows[0] - (rows[1] - rows[0])])
    #expect(slope.points[1].x == columns[0])
    _ = try chart.place(of: "peak 100.0")
  }
}
