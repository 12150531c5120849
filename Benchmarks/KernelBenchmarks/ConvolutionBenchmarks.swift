// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

// L = lanes of a vector, pair and single = two output blocks of L channels or one.

func convolutionBenchmarks(_ table: KernelTable) {
  for blocks in [2, 1] {
    for channels in [16, 32, 64, 128] {
      for activation in [VectorActivation.none, .swish] {
        pointwise(table, channels: channels, blocks: blocks, activation)
      }
    }
    for channels in [16, 32, 64] {
      for stride in [1, 2] { square(table, channels: channels, blocks: blocks, stride: stride) }
    }
    picture(table, blocks: blocks)
  }
}

/// 1 × 1, on as many pixels as the engine gives a task: 18 KiB of input.
private func pointwise(
  _ table: KernelTable, channels: Int, blocks: Int, _ activation: VectorActivation
) {
  let pixels = 4608 / channels
  let lanes = table.lanes
  convolution(
    table, "1x1 \(channels) channels\(activation == .swish ? " Swish" : "")", blocks: blocks,
    sources: (0..<channels).map { $0 / lanes * pixels * lanes + $0 % lanes }, step: lanes,
    inputCount: channels * pixels, pixels: pixels, activation)
}

/// 3 × 3, one row of output from three rows of bordered input.
private func square(_ table: KernelTable, channels: Int, blocks: Int, stride: Int) {
  let pixels = 80
  let columns = (pixels - 1) * stride + 3
  let lanes = table.lanes
  let sources = (0..<channels).flatMap { channel in
    (0..<9).map { tap in
      ((channel / lanes * 3 + tap / 3) * columns + tap % 3) * lanes + channel % lanes
    }
  }
  convolution(
    table, "3x3 stride \(stride) \(sources.count) sources", blocks: blocks, sources: sources,
    step: stride * lanes, inputCount: channels * 3 * columns, pixels: pixels, .none)
}

/// 3 × 3 with stride 2 of a picture's three channels side by side, the network's first layer.
private func picture(_ table: KernelTable, blocks: Int) {
  let pixels = 160
  let columns = (pixels - 1) * 2 + 3
  let sources = (0..<3).flatMap { channel in
    (0..<9).map { tap in (tap / 3 * columns + tap % 3) * 3 + channel }
  }
  convolution(
    table, "3x3 stride 2 \(sources.count) sources of a picture", blocks: blocks, sources: sources,
    step: 6, inputCount: 9 * columns, pixels: pixels, .none)
}

private func convolution(
  _ table: KernelTable, _ name: String, blocks: Int, sources: [Int], step: Int, inputCount: Int,
  pixels: Int, _ activation: VectorActivation
) {
  let outputs = blocks * table.lanes
  let run = ConvolutionRun(
    input: floats(inputCount), sources: kept(sources), step: step,
    weights: floats(sources.count * outputs), bias: floats(outputs),
    output: floats(outputs * pixels), blockStride: pixels * table.lanes, pixels: pixels,
    activation: activation)
  let convolve = blocks == 2 ? table.convolvePair : table.convolveSingle
  benchmark(
    table, "\(name) \(blocks == 2 ? "pair" : "single")", .operations,
    work: 2 * pixels * sources.count * outputs
  ) { convolve(run) }
}
