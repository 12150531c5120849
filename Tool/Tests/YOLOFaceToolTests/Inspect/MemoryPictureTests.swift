import Raster
import Testing

@testable import Inference
import NCNN
@testable import YOLOFaceTool

struct MemoryPictureTests {
  /// The picture of a plan of these blocks.
  private func picture(
    _ blocks: (kind: String, offset: Int, bytes: Int, steps: ClosedRange<Int>)...
  ) -> RGBImage {
    let steps = blocks.map { $0.steps.upperBound + 1 }.max() ?? 0
    return memoryPicture(
      MemoryPlan(
        instructionSet: "baseline",
        steps: (0..<steps).map {
          MemoryPlan.Step(name: "\($0)", kind: "", layers: [], liveBytes: 0)
        },
        blocks: blocks.map {
          MemoryPlan.Block(
            writtenBy: "", kind: $0.kind, offset: $0.offset, bytes: $0.bytes,
            firstStep: $0.steps.lowerBound, lastStep: $0.steps.upperBound, outlivesRun: false)
        },
        arenaBytes: blocks.map { $0.offset + $0.bytes }.max() ?? 0, unsharedBytes: 0, peakBytes: 0,
        weightBytes: 0, scratchBytes: 0, tensorBytes: 0))
  }

  /// The blocks' colours cover the same share of the plot as the blocks of steps times addresses.
  @Test func blocksCoverTheirShare() {
    let picture = picture(
      ("a", 0, 1024, 0...1), ("b", 0, 512, 2...3), ("c", 512, 256, 3...3))
    var counts: [[UInt8]: Int] = [:]
    for start in stride(from: 0, to: picture.pixels.count, by: 3) {
      counts[Array(picture.pixels[start..<start + 3]), default: 0] += 1
    }
    let white = counts.removeValue(forKey: [255, 255, 255]) ?? 0
    let largest = counts.values.sorted(by: >).prefix(3).map(Double.init)
    // 2 steps · 1024, 2 · 512 and 1 · 256 bytes; outlines and the legend's squares are small.
    #expect(abs(largest[0] / largest[1] - 2) < 0.05 && abs(largest[1] / largest[2] - 4) < 0.1)
    #expect(white > 0)
  }

  /// Low addresses are below high ones, and later steps are to the right.
  @Test func axesPointRightAndUp() throws {
    let both = picture(("a", 0, 512, 0...0), ("b", 512, 512, 1...1))
    let (width, height) = (both.width, both.height)
    func center(_ color: Color) -> (x: Int, y: Int) {
      var (x, y, count) = (0, 0, 0)
      // The legend is below.
      for row in 0..<height * 4 / 5 {
        for column in 0..<width where both[column, row] == color {
          x += column
          y += row
          count += 1
        }
      }
      return (x / max(1, count), y / max(1, count))
    }
    let first = center(both[width / 4, height * 3 / 5])
    let second = center(both[width * 3 / 4, height / 5])
    #expect(first.x + width / 3 < second.x && second.y + height / 4 < first.y)
  }

  @Test func drawsAnEmptyPlan() { #expect(picture().width == 1200) }
}
