import Raster
import Testing

@testable import Inference
import NCNN
@testable import YOLOFaceTool

struct MemoryPictureTests {
  private func block(
    _ kind: String, offset: Int, bytes: Int, _ steps: ClosedRange<Int>
  ) -> MemoryPlan.Block {
    MemoryPlan.Block(
      writtenBy: "", kind: kind, offset: offset, bytes: bytes, firstStep: steps.lowerBound,
      lastStep: steps.upperBound, outlivesRun: false)
  }

  private func plan(_ blocks: [MemoryPlan.Block], steps: Int, arena: Int) -> MemoryPlan {
    MemoryPlan(
      instructionSet: "baseline",
      steps: (0..<steps).map { MemoryPlan.Step(name: "\($0)", kind: "", layers: [], liveBytes: 0) },
      blocks: blocks, arenaBytes: arena, unsharedBytes: 0, peakBytes: 0, weightBytes: 0,
      scratchBytes: 0, tensorBytes: 0)
  }

  /// The blocks' colours cover the same share of the plot as the blocks of steps times addresses.
  @Test func blocksCoverTheirShare() {
    let picture = memoryPicture(
      plan(
        [
          block("a", offset: 0, bytes: 1024, 0...1), block("b", offset: 0, bytes: 512, 2...3),
          block("c", offset: 512, bytes: 256, 3...3),
        ], steps: 4, arena: 1024))
    var counts: [UInt32: Int] = [:]
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let color = picture[x, y]
        counts[
          UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue), default: 0] += 1
      }
    }
    let white = counts.removeValue(forKey: 0xFF_FFFF) ?? 0
    let largest = counts.values.sorted(by: >).prefix(3).map(Double.init)
    // 2 steps · 1024, 2 · 512 and 1 · 256 bytes; outlines and the legend's squares are small.
    #expect(abs(largest[0] / largest[1] - 2) < 0.05)
    #expect(abs(largest[1] / largest[2] - 4) < 0.1)
    #expect(white > 0)
  }

  /// Low addresses are below high ones, and later steps are to the right.
  @Test func axesPointRightAndUp() throws {
    let blocks = [
      block("a", offset: 0, bytes: 512, 0...0), block("b", offset: 512, bytes: 512, 1...1),
    ]
    let both = memoryPicture(plan(blocks, steps: 2, arena: 1024))
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
    #expect(first.x + width / 3 < second.x)
    #expect(second.y + height / 4 < first.y)
  }

  @Test func drawsAnEmptyPlan() {
    #expect(memoryPicture(plan([], steps: 0, arena: 0)).width == 1200)
  }
}
