// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct PoolingKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available)
  func summarisesWindows(_ table: KernelTable) throws {
    try check(table, .maximum) { $0.reduce(-.greatestFiniteMagnitude, max) }
    try check(table, .average(count: nil)) { $0.reduce(0, +) / Float($0.count) }
    try check(table, .average(count: 9)) { $0.reduce(0, +) / 9 }
  }

  @Test(arguments: KernelTable.available)
  func ignoresNaN(_ table: KernelTable) throws {
    let lanes = table.lanes
    let input = [Float](repeating: .nan, count: 3 * lanes) + [Float](repeating: -7, count: lanes)
    let rows = memory.place([UnsafePointer(memory.place(input))])
    let output = memory.output(2 * lanes)
    table.pool(
      UnsafeBufferPointer(start: rows, count: 1),
      WindowColumns(input: 4, output: 2, kernel: 2, stride: 2, padLeft: 0), .maximum, output.start)
    let expected = [-Float.greatestFiniteMagnitude, -7].flatMap {
      [Float](repeating: $0, count: lanes)
    }
    #expect(try output.values() == expected)
  }

  private func check(
    _ table: KernelTable, _ summary: WindowSummary, _ plain: ([Float]) -> Float
  ) throws {
    for (rowCount, kernelColumns, stride, padding) in [
      (1, 1, 1, 0), (2, 2, 2, 0), (2, 2, 1, 0), (2, 3, 2, 1), (3, 3, 1, 1), (3, 2, 3, 0),
    ] {
      for inputColumns in [3, 4, 5, 7, 12] {
        let lanes = table.lanes
        let rows = (0..<rowCount).map { _ in UnsafePointer(memory.numbers(inputColumns * lanes)) }
        // Rounded up: the last window may reach beyond the edge.
        let steps = (inputColumns + 2 * padding - kernelColumns + stride - 1) / stride
        let outputColumns = min(steps, (inputColumns + padding - 1) / stride) + 1
        let output = memory.output(outputColumns * lanes)
        table.pool(
          UnsafeBufferPointer(start: memory.place(rows), count: rowCount),
          WindowColumns(
            input: inputColumns, output: outputColumns, kernel: kernelColumns, stride: stride,
            padLeft: padding), summary, output.start)
        let expected = (0..<outputColumns * lanes).map { index in
          let left = index / lanes * stride - padding
          let columns = (left..<left + kernelColumns).filter { (0..<inputColumns).contains($0) }
          return plain(rows.flatMap { row in columns.map { row[$0 * lanes + index % lanes] } })
        }
        try #require(
          try output.values() == expected,
          "\(rowCount) × \(kernelColumns) over \(inputColumns) columns, stride \(stride)")
      }
    }
  }
}
