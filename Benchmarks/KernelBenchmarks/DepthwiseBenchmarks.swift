// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

func depthwiseBenchmarks(_ table: KernelTable) {
  for stride in [1, 2] {
    depthwise(table, "3x3 stride \(stride)", kernel: 3, stride: stride)
  }
  depthwise(table, "3x3 stride 1 Swish", kernel: 3, stride: 1, activation: .swish)
  depthwise(table, "5x5 stride 1", kernel: 5, stride: 1)
}

/// One row of 80 output pixels.
private func depthwise(
  _ table: KernelTable, _ name: String, kernel: Int, stride: Int,
  activation: VectorActivation = .none
) {
  let pixels = 80
  let columns = pixels * stride
  let rows = (0..<kernel).map { _ in UnsafePointer(floats(columns * table.lanes)) }
  let run = DepthwiseRun(
    rows: kept(rows),
    columns: WindowColumns(
      input: columns, output: pixels, kernel: kernel, stride: stride, padLeft: kernel / 2),
    weights: floats(kernel * kernel * table.lanes), bias: floats(table.lanes),
    output: floats(pixels * table.lanes), activation: activation)
  benchmark(
    table, "depthwise \(name)", .operations,
    work: 2 * pixels * kernel * kernel * table.lanes
  ) { table.depthwise(run) }
}
