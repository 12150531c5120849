import Raster
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

  private func report(whole: Double = 1560) -> ProfileReport {
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
      ], sum: 1560, whole: whole, untimed: 1560)
  }

  /// The lengths of runs of one colour in a row of pixels, except white ones.
  private func widths(_ picture: RGBImage, row y: Int) -> [(color: Color, width: Int)] {
    var runs: [(color: Color, width: Int)] = []
    for x in 0..<picture.width {
      let color = picture[x, y]
      if x > 0, picture[x - 1, y] == color {
        runs[runs.count - 1].width += 1
      } else {
        runs.append((color, 1))
      }
    }
    return runs.filter { $0.color != .white }
  }

  /// Each is a pixel narrower than its time, for the gap before the next.
  @Test func widthsAreTimes() throws {
    let picture = flamePicture(of: report())
    #expect(picture.width == 1600 && picture.height == 640)
    // Just below the top edge of each row, where no label is.
    #expect(widths(picture, row: 536).map(\.width) == [1559])
    #expect(widths(picture, row: 495).map(\.width) == [199, 999, 299, 59])
    #expect(widths(picture, row: 454).map(\.width) == [599, 399])
    // The third step begins at 800 and ends at 801.5, which is drawn as 802.
    #expect(widths(picture, row: 93).map(\.width) == [99, 499, 2 + 397])
  }

  @Test func coloursShowSharesOfTheRoof() throws {
    let picture = flamePicture(of: report())
    let colors = [270, 500, 1000].map { picture[$0, 93] }
    // The swatches of the legend, from the left.
    let steps = widths(picture, row: 49).filter { $0.width == 28 }.map(\.color)
    #expect(steps.count == 5)
    #expect(colors == [steps[0], steps[2], steps[4]])
  }

  @Test func labelsBoxesThatAreWideEnough() throws {
    let picture = flamePicture(of: report())
    func hasLetters(_ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
      columns.contains { x in rows.contains { y in picture[x, y] == .black } }
    }
    #expect(hasLetters(220..<320, 92..<452) && hasLetters(320..<820, 92..<452))
    #expect(hasLetters(20..<220, 494..<534) && hasLetters(220..<820, 453..<493))
    #expect(!hasLetters(820..<822, 92..<452))
  }

  @Test func drawsATimeOfZero() { #expect(flamePicture(of: report(whole: 0)).width == 1600) }
}
