// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

/// Pixels of a row of one block.
private let pixels = 80

func pixelBenchmarks(_ table: KernelTable) {
  pooling(table, "maximum", .maximum, kernel: 2, stride: 2)
  for kernel in [3, 5, 7] { pooling(table, "maximum", .maximum, kernel: kernel, stride: 1) }
  pooling(table, "average", .average(count: nil), kernel: 3, stride: 1)
  gather(table)
  bilinear(table)
  activation(table, "ReLU", .relu)
  activation(table, "leaky ReLU", .leakyReLU(slope: 0.1))
  activation(table, "sigmoid", .sigmoid)
  activation(table, "Swish", .swish)
  activation(table, "hard Swish", .hardSwish(alpha: 1 / 6, beta: 0.5))
  combination(table, "sum", .add)
  combination(table, "quotient", .divide)
  combination(table, "weighted sum", .weightedSum(first: 0.5, second: 2))
  combination(table, "PReLU", .leak, secondStep: 0)
}

private func pooling(
  _ table: KernelTable, _ name: String, _ summary: WindowSummary, kernel: Int, stride: Int
) {
  let columns = pixels * stride
  let rows = kept((0..<kernel).map { _ in UnsafePointer(floats(columns * table.lanes)) })
  let padLeft = stride == 1 ? kernel / 2 : 0
  let output = floats(pixels * table.lanes)
  benchmark(
    table, "\(name) \(kernel)x\(kernel) stride \(stride)", .values, work: pixels * table.lanes
  ) {
    table.pool(
      rows,
      WindowColumns(
        input: columns, output: pixels, kernel: kernel, stride: stride, padLeft: padLeft), summary,
      output)
  }
}

/// Every pixel twice, as a nearest-neighbour resize by two reads them.
private func gather(_ table: KernelTable) {
  let columns = kept((0..<pixels).map { $0 / 2 })
  let row = floats(pixels / 2 * table.lanes)
  let output = floats(pixels * table.lanes)
  benchmark(table, "gather", .values, work: pixels * table.lanes) {
    table.gatherPixels(row, columns, output)
  }
}

private func activation(_ table: KernelTable, _ name: String, _ activation: VectorActivation) {
  let input = floats(pixels * table.lanes)
  let output = floats(pixels * table.lanes)
  benchmark(table, "activation \(name)", .values, work: pixels * table.lanes) {
    table.activate(input, pixels, activation, output)
  }
}

/// Twice as many columns, each a quarter of a pixel away from one of the input's.
private func bilinear(_ table: KernelTable) {
  let columns = kept(
    (0..<pixels).map { x in
      BilinearSample(
        first: max(0, (x - 1) / 2), second: min((x + 1) / 2, pixels / 2 - 1),
        weight: x % 2 == 0 ? 0.75 : 0.25)
    })
  let (upper, lower) = (floats(pixels / 2 * table.lanes), floats(pixels / 2 * table.lanes))
  let output = floats(pixels * table.lanes)
  benchmark(table, "bilinear", .values, work: pixels * table.lanes) {
    table.resizeBilinear(upper, lower, 0.25, columns, output)
  }
}

/// - Parameter secondStep: 0 where one pixel of the second operand serves all.
private func combination(
  _ table: KernelTable, _ name: String, _ arithmetic: VectorArithmetic, secondStep: Int? = nil
) {
  let (first, second) = (floats(pixels * table.lanes), floats(pixels * table.lanes))
  let output = floats(pixels * table.lanes)
  benchmark(table, name, .values, work: pixels * table.lanes) {
    table.combine(
      (UnsafePointer(first), table.lanes), (UnsafePointer(second), secondStep ?? table.lanes),
      arithmetic, pixels, output)
  }
}
