// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct ConvolutionKernelTests {
  private let memory = Memory()

  /// Numbers of pixels around the sizes of all tiles, which hold up to 16.
  private static let pixelCounts = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 13, 16, 17, 25, 31]

  @Test(arguments: KernelTable.available)
  func convolvesOneTwoAndHalfABlock(_ table: KernelTable) throws {
    let lanes = table.lanes
    // Three channels at stride 2, and whole blocks.
    for step in [6, lanes, 2 * lanes, 3 * lanes] {
      try check(table.convolveSingle, lanes: lanes, blocks: 1, step: step)
      if step != 6 { try check(table.convolvePair, lanes: lanes, blocks: 2, step: step) }
    }
    if let half = table.convolveHalf { try check(half, lanes: lanes / 2, blocks: 1, step: lanes) }
  }

  private func check(
    _ convolve: (ConvolutionRun) -> Void, lanes: Int, blocks: Int, step: Int
  ) throws {
    for pixels in Self.pixelCounts {
      for sourceCount in [1, 3, 10] {
        for (activation, activate) in exactActivations {
          for accumulates in [false, true] {
            // Sources overlap, and the second block begins a pixel after the end of the first.
            let sources = memory.place((0..<sourceCount).map { $0 * 5 % 7 })
            let blockStride = (pixels + 1) * lanes
            let old = memory.randomNumbers((blocks - 1) * blockStride + pixels * lanes)
            let output = memory.output(old.count, initially: old)
            let run = ConvolutionRun(
              input: memory.numbers(pixels * step + 7),
              sources: UnsafeBufferPointer(start: sources, count: sourceCount), step: step,
              weights: memory.numbers(sourceCount * blocks * lanes),
              bias: memory.numbers(blocks * lanes), output: output.start,
              blockStride: blockStride, pixels: pixels, accumulates: accumulates,
              activation: activation)
            convolve(run)
            let expected = plain(run, old: old, lanes: lanes, blocks: blocks, activate)
            try #require(
              try output.values() == expected,
              "\(pixels) pixels, \(sourceCount) sources, step \(step), \(activation)")
          }
        }
      }
    }
  }

  private func plain(
    _ run: ConvolutionRun, old: [Float], lanes: Int, blocks: Int, _ activate: (Float) -> Float
  ) -> [Float] {
    var result = old
    for block in 0..<blocks {
      for pixel in 0..<run.pixels {
        for lane in 0..<lanes {
          let place = block * run.blockStride + pixel * lanes + lane
          let channel = block * lanes + lane
          var sum = run.bias[channel] + (run.accumulates ? old[place] : 0)
          for source in 0..<run.sources.count {
            sum +=
              run.weights[source * blocks * lanes + channel]
              * run.input[run.sources[source] + pixel * run.step]
          }
          result[place] = activate(sum)
        }
      }
    }
    return result
  }
}
