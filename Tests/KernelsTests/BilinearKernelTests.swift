// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct BilinearKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available)
  func interpolatesBetweenFourPixels(_ table: KernelTable) throws {
    let lanes = table.lanes
    // The last sample is at the end, where there is no second pixel.
    let columns = [
      BilinearSample(first: 0, second: 1, weight: 0), .init(first: 0, second: 1, weight: 0.25),
      .init(first: 1, second: 2, weight: 0.875), .init(first: 2, second: 3, weight: 0.5),
      .init(first: 4, second: 4, weight: 1),
    ]
    for weight: Float in [0, 0.125, 0.75, 1] {
      let (upper, lower) = (memory.numbers(5 * lanes), memory.numbers(5 * lanes))
      let output = memory.output(columns.count * lanes)
      table.resizeBilinear(
        upper, lower, weight,
        UnsafeBufferPointer(start: memory.place(columns), count: columns.count), output.start)
      let expected = (0..<columns.count * lanes).map { index in
        let (column, lane) = (columns[index / lanes], index % lanes)
        func between(_ row: UnsafeMutablePointer<Float>) -> Float {
          row[column.first * lanes + lane] * (1 - column.weight)
            + row[column.second * lanes + lane] * column.weight
        }
        return between(upper) * (1 - weight) + between(lower) * weight
      }
      #expect(try output.values() == expected, "weight \(weight)")
    }
  }
}
