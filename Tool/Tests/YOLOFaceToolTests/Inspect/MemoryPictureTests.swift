// SPDX-License-Identifier: Apache-2.0
import Testing

import YOLOFaceNCNN
@_spi(Tool) @testable import YOLOFaceInference
@testable import YOLOFaceTool

struct MemoryPictureTests {
  /// The picture of a plan of these blocks.
  private func picture(
    _ blocks: (kind: String, offset: Int, bytes: Int, steps: ClosedRange<Int>)...
  ) -> SVG {
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

  private func blocks(_ picture: SVG) throws -> [SVGElement] {
    try picture.elements("rect").filter { $0.content.contains("<title>") }
  }

  /// The blocks cover the same share of the plot as the blocks of steps times addresses, but for gaps of a pixel.
  @Test func blocksCoverTheirShare() throws {
    let blocks = try blocks(
      picture(("a", 0, 1024, 0...1), ("b", 0, 512, 2...3), ("c", 512, 256, 3...3)))
    let areas = blocks.map { ($0["width"] + 1) * ($0["height"] + 1) }
    // 2 steps · 1024, 2 · 512 and 1 · 256 bytes.
    #expect(abs(areas[0] / areas[1] - 2) < 1e-3 && abs(areas[1] / areas[2] - 4) < 1e-3)
    #expect(Set(blocks.map { $0.attributes["fill"] }).count == 3)
    #expect(blocks[1].hint == ", b: 512 B, steps 2 to 3")
  }

  /// Low addresses are below high ones, and later steps are to the right.
  @Test func axesPointRightAndUp() throws {
    let blocks = try blocks(picture(("a", 0, 512, 0...0), ("b", 512, 512, 1...1)))
    #expect(blocks[0]["x"] + blocks[0]["width"] + 1 == blocks[1]["x"])
    #expect(blocks[1]["y"] + blocks[1]["height"] + 1 == blocks[0]["y"])
  }

  @Test func drawsAnEmptyPlan() throws { #expect(try blocks(picture()).isEmpty) }
}
