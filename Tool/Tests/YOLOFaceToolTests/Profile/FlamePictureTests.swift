// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceTool

/// The picture of a synthetic run of 1,560 µs, so that a microsecond is a pixel.
struct FlamePictureTests {
  private func step(
    _ name: String, _ microseconds: Double, ofRoof share: Double
  ) -> ProfileReport.Step {
    ProfileReport.Step(
      name: name, kind: "convolution 1x1", shape: name < "c" ? "8x40x30" : "8x20x15",
      layers: [name], multiplyAdds: 1, bytes: 1, microseconds: microseconds,
      share: microseconds / 1560, medianMicroseconds: microseconds, isMemoryBound: false,
      shareOfRoof: share)
  }

  private func report() -> ProfileReport {
    func stage(_ name: String, _ microseconds: Double) -> ProfileReport.Stage {
      ProfileReport.Stage(
        name: name, microseconds: microseconds, share: microseconds / 1560,
        medianMicroseconds: microseconds)
    }
    return ProfileReport(
      machine: "machine", instructionSet: "baseline", threads: 1, model: "model", precision: .fp32,
      image: nil, width: 128, height: 96, inputWidth: 64, inputHeight: 64, repetitions: 1,
      peakGigaflops: 1, bandwidths: [],
      stages: [
        stage("letterbox", 200), stage("network", 1000), stage("decode", 300), stage("nms", 60),
      ],
      steps: [
        step("a", 100, ofRoof: 0.1), step("b", 500, ofRoof: 0.5), step("c", 1.5, ofRoof: 0.9),
        step("d", 398.5, ofRoof: 7),
      ], sum: 1560, whole: 1560, untimed: 1560)
  }

  private func boxes(_ picture: SVG, top: Double) throws -> [SVGElement] {
    try picture.elements("rect").filter { $0["y"] == top }
  }

  /// Each is a pixel narrower than its time, for the gap before the next.
  @Test func widthsAreMedians() throws {
    let picture = flamePicture(of: report())
    func widths(_ top: Double) throws -> [Double] {
      try boxes(picture, top: top).map { $0["width"] }
    }
    #expect(try widths(535) == [1559])
    #expect(try widths(494) == [199, 999, 299, 59])
    #expect(try widths(453) == [599, 399])
    #expect(try widths(92) == [99, 499, 1.5, 397.5])
    #expect(try boxes(picture, top: 92).map { $0["x"] } == [220, 320, 820, 821.5])
  }

  /// A step that something disturbed in the run of the table is as wide as its median, and hatched.
  @Test func outliersAreHatched() throws {
    var report = report()
    report.steps[1].microseconds = 8800
    report.stages[1].microseconds += 8300
    let steps = try boxes(flamePicture(of: report), top: 92)
    #expect(steps.map { $0["width"] } == [99, 499, 499, 1.5, 397.5])
    #expect(
      steps.map { $0.attributes["fill"] == "url(#hatch)" } == [false, false, true, false, false])
    #expect(steps[2].hint == "b, convolution 1x1: 0.500 ms, 8.800 ms in the run of the table")
  }

  @Test func colorsShowSharesOfTheRoof() throws {
    let picture = flamePicture(of: report())
    // The swatches of the legend, from the left.
    let legend = try boxes(picture, top: 48).map { $0.attributes["fill"] }
    #expect(legend.count == 7 && Set(legend).count == 7)
    let steps = try boxes(picture, top: 92).map { $0.attributes["fill"] }
    #expect(steps == [legend[0], legend[2], legend[4], legend[4]])
  }

  @Test func labelsBoxesThatAreWideEnough() throws {
    let picture = flamePicture(of: report())
    let label = try picture.place(of: "b, convolution 1x1: 0.500 ms")
    #expect((320..<820).contains(label.x) && (92..<452).contains(label.y))
    #expect((20..<220).contains(try picture.place(of: "letterbox: 0.200 ms").x))
    #expect(try picture.elements("text").allSatisfy { !$0.content.hasPrefix("c, ") })
  }

  @Test func drawsATimeOfZero() throws {
    var report = report()
    report.steps = []
    for index in report.stages.indices { report.stages[index].medianMicroseconds = 0 }
    #expect(try boxes(flamePicture(of: report), top: 535).map { $0["width"] } == [0])
  }
}
