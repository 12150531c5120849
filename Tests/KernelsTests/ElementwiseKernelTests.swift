import Inference
import Kernels
import TestSupport
import Testing

struct ElementwiseKernelTests {
  private let memory = Memory()

  private static let operations: [(VectorArithmetic, @Sendable (Float, Float) -> Float)] = [
    (.add, { $0 + $1 }), (.subtract, { $0 - $1 }), (.multiply, { $0 * $1 }),
    (.divide, { $0 / $1 }), (.maximum, { $1 > $0 ? $1 : $0 }), (.minimum, { $1 < $0 ? $1 : $0 }),
    (.weightedSum(first: 0.5, second: -3), { 0.5 * $0 - 3 * $1 }),
    (.leak, { $0 < 0 ? $0 * $1 : $0 }),
  ]

  /// Either operand may be one pixel that serves all.
  @Test(arguments: KernelTable.available)
  func combinesTwoOperands(_ table: KernelTable) throws {
    let lanes = table.lanes
    for (arithmetic, plain) in Self.operations {
      for (firstStep, secondStep) in [(lanes, lanes), (lanes, 0), (0, lanes)] {
        for pixels in [1, 2, 5, 16] {
          let (first, second) = (memory.numbers(pixels * lanes), memory.numbers(pixels * lanes))
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
  func returnsTheFirstOperandWhereEitherIsNaN(_ table: KernelTable) throws {
    let lanes = table.lanes
    let first = memory.place([Float](repeating: 3, count: lanes))
    let second = memory.place([Float](repeating: .nan, count: lanes))
    for arithmetic in [VectorArithmetic.maximum, .minimum] {
      let output = memory.output(2 * lanes)
      for (index, operands) in [(first, second), (second, first)].enumerated() {
        table.combine(
          (UnsafePointer(operands.0), lanes), (UnsafePointer(operands.1), lanes), arithmetic, 1,
          output.start + index * lanes)
      }
      let results = try output.values()
      #expect(results.prefix(lanes).allSatisfy { $0 == 3 })
      #expect(results.suffix(lanes).allSatisfy { $0.isNaN })
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
