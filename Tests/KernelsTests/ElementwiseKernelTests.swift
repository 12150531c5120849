// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct ElementwiseKernelTests {
  private let memory = Memory()

  private static let operations: [(VectorArithmetic, @Sendable (Float, Float) -> Float)] = [
    (.add, { $0 + $1 }), (.subtract, { $0 - $1 }), (.multiply, { $0 * $1 }),
    (.divide, { $0 / $1 }), (.maximum, { $1 > $0 ? $1 : $0 }), (.minimum, { $1 < $0 ? $1 : $0 }),
    (.weightedSum(first: 0.5, second: -3), { 0.5 * $0 - 3 * $1 }),
    (.leak, { $0 < 0 ? $0 * $1 : $0 }),
  ]

  /// Either operand may be one pixel that serves all. The larger and the smaller of a number and NaN are the first.
  @Test(arguments: KernelTable.available)
  func combinesTwoOperands(_ table: KernelTable) throws {
    let lanes = table.lanes
    for (arithmetic, plain) in Self.operations {
      for (firstStep, secondStep) in [(lanes, lanes), (lanes, 0), (0, lanes)] {
        for pixels in [1, 2, 5, 16] {
          let (first, second) = (memory.numbers(pixels * lanes), memory.numbers(pixels * lanes))
          first[0] = .nan
          if arithmetic != .leak { second[1] = .nan }
          let output = memory.output(pixels * lanes)
          table.combine(
            (UnsafePointer(first), firstStep), (UnsafePointer(second), secondStep), arithmetic,
            pixels, output.start)
          let expected = (0..<pixels * lanes).map { index in
            let (pixel, lane) = (index / lanes, index % lanes)
            return plain(first[pixel * firstStep + lane], second[pixel * secondStep + lane])
          }
          // Divisions by zero are among them, and 0 / 0.
          let results = try output.values()
          try #require(largestDifference(of: results, from: expected) == 0, "\(arithmetic)")
        }
      }
    }
  }

  @Test(arguments: KernelTable.available)
  func overwritesAnOperand(_ table: KernelTable) throws {
    let count = 5 * table.lanes
    let values = memory.randomNumbers(count)
    let output = memory.output(count, initially: values)
    let operand = (UnsafePointer(output.start), table.lanes)
    table.combine(operand, operand, .multiply, 5, output.start)
    #expect(try output.values() == values.map { $0 * $0 })
  }
}
