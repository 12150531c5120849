import Kernels

/// Pixels of a row of one block.
private let pixels = 80

func pixelBenchmarks(_ table: KernelTable) {
  pooling(table, kernel: 2, stride: 2)
  for kernel in [3, 5, 7] { pooling(table, kernel: kernel, stride: 1) }
  gather(table)
  activation(table, "ReLU", .relu)
  activation(table, "leaky ReLU", .leakyReLU(slope: 0.1))
  activation(table, "sigmoid", .sigmoid)
  activation(table, "Swish", .swish)
  activation(table, "hard Swish", .hardSwish(alpha: 1 / 6, beta: 0.5))
  sum(table)
}

private func pooling(_ table: KernelTable, kernel: Int, stride: Int) {
  let columns = pixels * stride
  let rows = kept((0..<kernel).map { _ in UnsafePointer(floats(columns * table.lanes)) })
  let padLeft = stride == 1 ? kernel / 2 : 0
  let output = floats(pixels * table.lanes)
  benchmark(
    table, "maximum \(kernel)x\(kernel) stride \(stride)", .values, work: pixels * table.lanes
  ) { table.maximumPooling(rows, columns, kernel, stride, padLeft, output, pixels) }
}

/// Every pixel twice, as the nearest-neighbour resize by two takes them.
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

private func sum(_ table: KernelTable) {
  let (first, second) = (floats(pixels * table.lanes), floats(pixels * table.lanes))
  let output = floats(pixels * table.lanes)
  benchmark(table, "sum", .values, work: pixels * table.lanes) {
    table.add(first, second, pixels, output)
  }
}
