// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceInference
import YOLOFaceKernels

struct DepthwiseKernelTests {
  private let memory = Memory()

  @Test(arguments: KernelTable.available)
  func convolves(_ table: KernelTable) throws {
    for (rows, columns, dilation) in [
      (3, 3, 1), (1, 1, 1), (5, 5, 1), (1, 3, 1), (3, 1, 1), (3, 3, 2),
    ] {
      for stride in 1...3 {
        for padding in 0...2 {
          try check(
            table, rows: rows, columns: columns, stride: stride, dilation: dilation,
            padding: padding)
        }
      }
    }
  }

  private func check(
    _ table: KernelTable, rows: Int, columns: Int, stride: Int, dilation: Int, padding: Int
  ) throws {
    for inputColumns in [1, 2, 3, 4, 5, 8, 13] {
      let extent = dilation * (columns - 1) + 1
      guard inputColumns + 2 * padding >= extent else { continue }
      let outputColumns = (inputColumns + 2 * padding - extent) / stride + 1
      for (activation, activate) in exactActivations {
        let lanes = table.lanes
        let inputs = (0..<rows).map { _ in
          UnsafePointer(memory.numbers(inputColumns * lanes))
        }
        let output = memory.output(outputColumns * lanes)
        let run = DepthwiseRun(
          rows: UnsafeBufferPointer(start: memory.place(inputs), count: rows),
          columns: WindowColumns(
            input: inputColumns, output: outputColumns, kernel: columns, stride: stride,
            dilation: dilation, padLeft: padding),
          weights: memory.numbers(rows * columns * lanes),
          bias: memory.numbers(lanes), output: output.start, activation: activation)
        table.depthwise(run)
        try #require(
          try output.values() == plain(run, lanes).map(activate),
          "\(inputColumns) columns, stride \(stride), padding \(padding), \(activation)")
      }
    }
  }

  private func plain(_ run: DepthwiseRun, _ lanes: Int) -> [Float] {
    (0..<run.columns.output * lanes).map { index in
      let (x, lane) = (index / lanes, index % lanes)
      var sum = run.bias[lane]
      for ky in 0..<run.rows.count {
        for kx in 0..<run.columns.kernel {
          let column = x * run.columns.stride + kx * run.columns.dilation - run.columns.padLeft
          guard (0..<run.columns.input).contains(column) else { continue }
          sum +=
            run.weights[(ky * run.columns.kernel + kx) * lanes + lane]
            * run.rows[ky][column * lanes + lane]
        }
      }
      return sum
    }
  }
}
