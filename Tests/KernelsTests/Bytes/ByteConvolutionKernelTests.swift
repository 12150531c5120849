// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct ByteConvolutionKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available, ByteTargets.Form.allCases)
  func convolvesOneAndTwoBlocks(_ table: KernelTable, _ form: ByteTargets.Form) throws {
    try check(table.bytes.convolveSingle, table, form, blocks: 1)
    if let convolve = table.bytes.convolvePair { try check(convolve, table, form, blocks: 2) }
  }

  private func check(
    _ convolve: (ByteConvolutionRun) -> Void, _ table: KernelTable, _ form: ByteTargets.Form,
    blocks: Int
  ) throws {
    var random = SeededGenerator(seed: 3)
    for pixels in [1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 15, 16, 17, 25, 31] {
      for (sourceCount, pairedCount, step) in [(1, 0, 16), (4, 4, 16), (10, 6, 3), (7, 2, 32)] {
        let offsets = (0..<sourceCount).map { $0 * 5 % 17 }
        // Four products of a quad's pairs fit 16 bits.
        let values = (0..<pixels * step + 24).map { _ in UInt8(random.integer(0...127)) }
        let weights = (0..<sourceCount * blocks * 64).map { _ in Int8(random.integer(-64...64)) }
        // Of each four channels, the weights 0 and 2 of their quads, then 1 and 3.
        let widened = (0..<weights.count).map { index in
          let (odd, pair) = (index % 16 / 8, index % 8)
          return Int16(weights[index / 16 * 16 + pair / 2 * 4 + pair % 2 * 2 + odd])
        }
        let packed =
          table.bytes.arithmetic.widensWeights
          ? UnsafeMutableRawPointer(memory.place(widened)).assumingMemoryBound(to: Int8.self)
          : memory.place(weights)
        let bias = (0..<16 * blocks).map { _ in Int32(random.integer(-9999...9999)) }
        let targets = ByteTargets(form, lanes: table.lanes, blocks: blocks, pixels: pixels, memory)
        convolve(
          ByteConvolutionRun(
            input: memory.place(values),
            sources: UnsafeBufferPointer(start: memory.place(offsets), count: sourceCount),
            pairedCount: pairedCount, step: step, weights: packed,
            bias: memory.place(bias),
            target: targets.target, pixels: pixels))
        try targets.requireResults { pixel, channel in
          let (block, lane) = (channel / 16, channel % 16)
          return (0..<sourceCount).reduce(bias[channel]) { sum, source in
            let start =
              source < pairedCount
              ? ((source / 2 * blocks + block) * 2 + source % 2) * 64 + 4 * lane
              : (source * blocks + block) * 64 + 4 * lane
            return (0..<4).reduce(sum) { sum, byte in
              sum + Int32(values[offsets[source] + pixel * step + byte])
                * Int32(weights[start + byte])
            }
          }
        }
      }
    }
  }
}
