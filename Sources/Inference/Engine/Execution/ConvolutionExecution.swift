import Kernels
import NCNN

extension Executor {
  /// Computes one task of a convolution.
  func convolve(
    _ step: ConvolutionStep, task: Int, scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    if case .blocks = step.source {
      let first = task * step.chunk
      let pixels = min(step.chunk, step.windows.outputRows * step.windows.outputColumns - first)
      convolve(
        step, input: arena.start + first * lanes, step: lanes, firstPixel: first, pixels: pixels)
      return
    }
    let firstRow = task * step.chunk
    let rows = min(step.chunk, step.windows.outputRows - firstRow)
    var channels = lanes
    switch step.source {
    case .blocks: break
    case .upsampled(_, let coarse, let columns):
      computeUpsampled(step, coarse, columns, firstRow: firstRow, rows: rows, scratch: scratch)
      convolve(
        step, input: arena.start + firstRow * step.windows.outputColumns * lanes, step: lanes,
        firstPixel: firstRow * step.windows.outputColumns,
        pixels: rows * step.windows.outputColumns,
        accumulates: true)
      return
    case .bordered(let blocks):
      copyBordered(step, blocks, firstRow: firstRow, rows: rows, to: scratch)
    case .winograd(let blocks, let tile):
      copyBordered(step, blocks, firstRow: firstRow, rows: rows, to: scratch)
      convolveTiles(step, tile, blocks.count, firstRow: firstRow, rows: rows, scratch: scratch)
      return
    case .pointwise(_, let prelude):
      computeBordered(step, prelude, firstRow: firstRow, rows: rows, to: scratch)
      channels = prelude.lanes
    case .interleaved, .picture:
      channels = copyInterleaved(step, firstRow: firstRow, rows: rows, to: scratch)
    case .depthwise(let blocks, let parameters):
      computeDepthwise(step, blocks, parameters, firstRow: firstRow, rows: rows, to: scratch)
      convolve(
        step, input: scratch, step: lanes, firstPixel: firstRow * step.windows.outputColumns,
        pixels: rows * step.windows.outputColumns)
      return
    }
    let rowElements = step.borderedColumns * channels * step.windows.stride.height
    for row in 0..<rows {
      convolve(
        step, input: scratch + row * rowElements, step: channels * step.windows.stride.width,
        firstPixel: (firstRow + row) * step.windows.outputColumns,
        pixels: step.windows.outputColumns)
    }
  }

  /// Runs all output blocks over neighbouring pixels, into the arena.
  private func convolve(
    _ step: ConvolutionStep, input: UnsafePointer<Float>, step pixelStep: Int, firstPixel: Int,
    pixels: Int, accumulates: Bool = false
  ) {
    convolve(
      step, input: input, step: pixelStep, output: arena.start + firstPixel * plan.lanes,
      pixels: pixels, accumulates: accumulates
    ) { plan.blockOffsets[$0] }
  }

  private func convolve(
    _ step: ConvolutionStep, input: UnsafePointer<Float>, step pixelStep: Int,
    output: UnsafeMutablePointer<Float>, pixels: Int, accumulates: Bool = false,
    blockOffset: (Int) -> Int
  ) {
    let length = step.pixelsPerRun(of: pixels)
    for start in stride(from: 0, to: pixels, by: length) {
      for group in step.outputs {
        let first = blockOffset(group.block)
        let second = group.partner.map(blockOffset)
        let run = ConvolutionRun(
          input: input + start * pixelStep, sources: sources + step.sources,
          sourceCount: step.sourceCount, step: pixelStep, weights: weights.start + group.weights,
          bias: weights.start + group.bias, output: output + first + start * step.lanes,
          blockStride: second.map { $0 - first } ?? 0,
          pixels: min(length, pixels - start), accumulates: accumulates,
          activation: step.activation)
        if second != nil {
          kernels.convolvePair(run)
        } else if step.lanes == plan.lanes {
          kernels.convolveSingle(run)
        } else {
          kernels.convolveHalf?(run)
        }
      }
    }
  }

  /// Computes the part of a task's sums that comes from a blob of half the width and height, and
  /// writes each of its pixels to 2 × 2 pixels of the sums.
  private func computeUpsampled(
    _ step: ConvolutionStep, _ coarse: ConvolutionStep, _ columns: [Int], firstRow: Int, rows: Int,
    scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    let rowElements = coarse.windows.outputColumns * lanes
    let blockSize = step.chunk / 2 * rowElements
    convolve(
      coarse, input: arena.start + firstRow / 2 * rowElements, step: lanes, output: scratch,
      pixels: rows / 2 * coarse.windows.outputColumns
    ) { $0 * blockSize }
    columns.withUnsafeBufferPointer { columns in
      var source = UnsafePointer(scratch)
      for group in step.outputs {
        for position in 0..<group.blockCount {
          for row in 0..<rows {
            kernels.gatherPixels(
              GatherRun(
                row: source + row / 2 * rowElements, columns: columns,
                output: address(group[position]) + (firstRow + row) * columns.count * lanes))
          }
          source += blockSize
        }
      }
    }
  }

  /// Computes a task's part of a depthwise convolution, block by block.
  private func computeDepthwise(
    _ step: ConvolutionStep, _ blocks: [Int], _ parameters: DepthwiseParameters, firstRow: Int,
    rows: Int, to scratch: UnsafeMutablePointer<Float>
  ) {
    let rowElements = step.windows.outputColumns * plan.lanes
    for (position, block) in blocks.enumerated() {
      for row in 0..<rows {
        depthwise(
          parameters, position, input: address(block), row: firstRow + row,
          output: scratch + (position * step.chunk + row) * rowElements)
      }
    }
  }

  /// Computes the input rows of a task by a 1 × 1 convolution, with a border of zeros.
  private func computeBordered(
    _ step: ConvolutionStep, _ prelude: ConvolutionStep, firstRow: Int, rows: Int,
    to scratch: UnsafeMutablePointer<Float>
  ) {
    let rowElements = step.borderedColumns * prelude.lanes
    let blockSize = step.borderedRows * rowElements
    for row in 0..<step.borderedRowCount(rows) {
      let target = scratch + row * rowElements
      let inputRow = step.windows.inputRow(firstRow, row)
      for block in 0..<prelude.blockCount {
        clearBorder(step, inputRow, target + block * blockSize, channels: prelude.lanes)
      }
      guard let inputRow else { continue }
      convolve(
        prelude, input: arena.start + inputRow * step.windows.inputColumns * plan.lanes,
        step: plan.lanes,
        output: target + step.windows.padLeft * prelude.lanes, pixels: step.copiedColumns
      ) { $0 * blockSize }
    }
  }

  /// Copies the input rows of a task with a border of zeros.
  private func copyBordered(
    _ step: ConvolutionStep, _ blocks: [Int], firstRow: Int, rows: Int,
    to scratch: UnsafeMutablePointer<Float>
  ) {
    let lanes = plan.lanes
    let rowElements = step.borderedColumns * lanes
    for (position, block) in blocks.enumerated() {
      for row in 0..<step.borderedRowCount(rows) {
        let target = scratch + (position * step.borderedRows + row) * rowElements
        let inputRow = step.windows.inputRow(firstRow, row)
        clearBorder(step, inputRow, target, channels: lanes)
        guard let inputRow else { continue }
        (target + step.windows.padLeft * lanes).update(
          from: address(block) + inputRow * step.windows.inputColumns * lanes,
          count: step.copiedColumns * lanes)
      }
    }
  }

  /// Copies the input rows of a task with a border of zeros, channels innermost, and returns how
  /// many channels there are.
  private func copyInterleaved(
    _ step: ConvolutionStep, firstRow: Int, rows: Int, to scratch: UnsafeMutablePointer<Float>
  ) -> Int {
    var channels = 3
    if case .interleaved(_, let count) = step.source { channels = count }
    for row in 0..<step.borderedRowCount(rows) {
      let target = scratch + row * step.borderedColumns * channels
      let inputRow = step.windows.inputRow(firstRow, row)
      clearBorder(step, inputRow, target, channels: channels)
      guard let inputRow else { continue }
      let inner = target + step.windows.padLeft * channels
      if case .interleaved(let tensor, _) = step.source {
        let size = step.windows.inputRows * step.windows.inputColumns
        tensors[tensor].values.withUnsafeBufferPointer { values in
          for channel in 0..<channels {
            for x in 0..<step.copiedColumns {
              inner[x * channels + channel] =
                values[channel * size + inputRow * step.windows.inputColumns + x]
            }
          }
        }
      } else if case .picture(let normalisation) = step.source, let picture {
        kernels.convertBytes(
          ByteRun(
            bytes: picture + inputRow * step.windows.inputColumns * channels,
            count: step.copiedColumns * channels, mean: normalisation.mean, output: inner))
      }
    }
    return channels
  }

  /// Zeroes a row of a bordered copy: what is left and right of the input's row, or all of it.
  private func clearBorder(
    _ step: ConvolutionStep, _ inputRow: Int?, _ target: UnsafeMutablePointer<Float>,
    channels: Int
  ) {
    let columns = step.borderedColumns
    guard inputRow != nil else { return target.update(repeating: 0, count: columns * channels) }
    target.update(repeating: 0, count: step.windows.padLeft * channels)
    let filled = step.windows.padLeft + step.copiedColumns
    (target + filled * channels).update(repeating: 0, count: (columns - filled) * channels)
  }
}
