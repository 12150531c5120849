// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct ByteDepthwiseKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available, ByteTargets.Form.allCases)
  func sharesColumns(_ table: KernelTable, _ form: ByteTargets.Form) throws {
    var random = SeededGenerator(seed: 6)
    for pixels in [1, 3, 4, 5, 8, 11] {
      for passes in [1, 2] {
        let columns = pixels + 3
        let values = (0..<3 * columns * 16).map { _ in UInt8(random.integer(0...127)) }
        let weights = (0..<passes * 3 * 16 * 3).map { _ in Int8(random.integer(-64...64)) }
        var packed = [Int8](repeating: 0, count: passes * 3 * 128)
        for (index, weight) in weights.enumerated() {
          let (row, place) = index.quotientAndRemainder(dividingBy: 48)
          let start = 128 * row + 4 * (place / 3) + place % 3
          (packed[start], packed[start + 65]) = (weight, weight)
        }
        let bias = (0..<16).map { _ in Int32(random.integer(-9999...9999)) }
        let targets = ByteTargets(form, lanes: table.lanes, blocks: 1, pixels: pixels, memory)
        table.bytes.depthwise(
          ByteDepthwiseRun(
            input: memory.place(values), rowStride: columns * 16, kernelRows: 3, columnGroups: 1,
            stride: 1, passes: passes, sharesColumns: true, weights: memory.place(packed),
            bias: memory.place(bias), target: targets.target, pixels: pixels))
        try targets.requireResults { pixel, channel in
          var sum = bias[channel]
          for (index, weight) in weights.enumerated() where index / 3 % 16 == channel {
            let value = values[(index / 48 % 3 * columns + pixel + index % 3) * 16 + channel]
            sum += Int32(value) * Int32(weight)
          }
          return sum
        }
      }
    }
  }

  @Test(arguments: KernelTable.available, ByteTargets.Form.allCases)
  func convolvesRows(_ table: KernelTable, _ form: ByteTargets.Form) throws {
    var random = SeededGenerator(seed: 4)
    for pixels in [1, 2, 3, 4, 5, 7, 8, 9, 13] {
      for (rows, groups, stride) in [(3, 1, 1), (3, 1, 2), (5, 2, 1), (1, 3, 3)] {
        let columns = (pixels - 1) * stride + 4 * groups
        let values = (0..<rows * columns * 16).map { _ in UInt8(random.integer(0...127)) }
        let weights = (0..<rows * groups * 64).map { _ in Int8(random.integer(-64...64)) }
        let bias = (0..<16).map { _ in Int32(random.integer(-9999...9999)) }
        let targets = ByteTargets(form, lanes: table.lanes, blocks: 1, pixels: pixels, memory)
        table.bytes.depthwise(
          ByteDepthwiseRun(
            input: memory.place(values), rowStride: columns * 16, kernelRows: rows,
            columnGroups: groups, stride: stride, weights: memory.place(weights),
            bias: memory.place(bias), target: targets.target, pixels: pixels))
        try targets.requireResults { pixel, channel in
          var sum = bias[channel]
          for row in 0..<rows {
            for column in 0..<4 * groups {
              let value = values[(row * columns + pixel * stride + column) * 16 + channel]
              let weight = weights[(row * groups + column / 4) * 64 + 4 * channel + column % 4]
              sum += Int32(value) * Int32(weight)
            }
          }
          return sum
        }
      }
    }
  }
}
