// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// A 3 × 3 convolution by Winograd's algorithm, of a copy with a border, in scratch memory. The
/// transformed input, at each position blocks × tiles × L, and the sums, laid out likewise, follow the
/// copy.
struct WinogradConvolution: BorderedStrategy {
  var convolution: PackedConvolution
  /// The blocks of the input.
  let reads: [Int]
  let shape: WinogradTile
  let copy: BorderedCopy
  /// Elements of a block of transformed tiles at one position.
  private let blockTiles: Int
  /// Elements from a position to the next: of the transformed input, and of the sums of two blocks.
  private let inputStride: Int
  private let sumStride: Int

  init(_ convolution: PackedConvolution, _ blocks: [Int], lanes: Int) {
    self.convolution = convolution
    reads = blocks
    let windows = convolution.windows
    shape = WinogradTile(stride: windows.stride.width)
    // Two wide tiles' worth, so that a task's transformed tiles stay in the L2 cache.
    let columns = shape.count(over: windows.outputColumns)
    let tileRows = min((23 + columns) / columns, shape.count(over: windows.outputRows) / 4)
    let chunk = shape.outputSide * max(1, tileRows)
    var copy = BorderedCopy(windows, outputRows: chunk, pixelElements: lanes)
    copy.columns = shape.inputs(over: windows.outputColumns)
    copy.rows = shape.inputs(over: chunk)
    self.copy = copy
    blockTiles = shape.count(over: chunk) * columns * lanes
    inputStride = Self.positionStride(blocks.count * blockTiles)
    sumStride = Self.positionStride(2 * blockTiles)
  }

  /// An odd number of cache lines, so that the positions of one tile are in different sets of a cache.
  private static func positionStride(_ elements: Int) -> Int {
    let line = 16
    return ((elements + line - 1) / line | 1) * line
  }

  var kind: String { "Winograd 3x3" }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    channel.block * blockTiles + channel.lane
  }

  var tile: WinogradTile? { shape }

  var scratchSize: Int {
    reads.count * copy.blockElements + shape.positions * (inputStride + sumStride)
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let rows = rows(ofTask: task)
    for (position, block) in reads.enumerated() {
      copy.copy(
        block, shape.inputs(over: rows.count), firstRow: rows.lowerBound, border: 0, executor,
        to: scratch + position * copy.blockElements)
    }
    let transformed = scratch + reads.count * copy.blockElements
    let sums = transformed + shape.positions * inputStride
    transformInput(executor, rows, scratch, to: transformed)
    for group in convolution.outputs {
      multiply(executor, rows, group, transformed, to: sums)
      transformSums(executor, rows, group, sums)
    }
  }

  private func transformInput(
    _ executor: Executor, _ rows: Range<Int>, _ scratch: UnsafePointer<Float>,
    to transformed: UnsafeMutablePointer<Float>
  ) {
    let tileColumns = shape.count(over: convolution.windows.outputColumns)
    for block in reads.indices {
      for tileRow in 0..<shape.count(over: rows.count) {
        let input = scratch + (block * copy.rows + shape.step * tileRow) * copy.rowElements
        let output =
          transformed + block * blockTiles + tileRow * tileColumns * copy.pixelElements
        executor.kernels.winogradInput(
          shape, (input, rowStride: copy.rowElements), tileColumns,
          (output, positionStride: inputStride))
      }
    }
  }

  /// The products at each position, for one or two output blocks.
  private func multiply(
    _ executor: Executor, _ rows: Range<Int>, _ group: PackedConvolution.OutputGroup,
    _ transformed: UnsafePointer<Float>, to sums: UnsafeMutablePointer<Float>
  ) {
    let tiles =
      shape.count(over: rows.count) * shape.count(over: convolution.windows.outputColumns)
    let weights = convolution.weights.start + group.start.weights
    for position in 0..<shape.positions {
      let run = ConvolutionRun(
        input: transformed + position * inputStride,
        sources: executor.sources(convolution.sources), step: copy.pixelElements,
        weights: weights + position * convolution.sources.count * group.channels.count,
        bias: executor.zeros.start, output: sums + position * sumStride, blockStride: blockTiles,
        pixels: tiles, activation: .none)
      if group.partner != nil {
        executor.kernels.convolvePair(run)
      } else {
        executor.kernels.convolveSingle(run)
      }
    }
  }

  private func transformSums(
    _ executor: Executor, _ rows: Range<Int>, _ group: PackedConvolution.OutputGroup,
    _ sums: UnsafePointer<Float>
  ) {
    let lanes = copy.pixelElements
    let columns = convolution.windows.outputColumns
    let biases = convolution.weights.start + group.start.biases
    for position in 0..<group.blockCount {
      for tileRow in 0..<shape.count(over: rows.count) {
        let row = shape.outputSide * tileRow
        let input = sums + position * blockTiles + tileRow * shape.count(over: columns) * lanes
        let output = executor.address(group[position]) + (rows.lowerBound + row) * columns * lanes
        executor.kernels.winogradOutput(
          shape, (input, positionStride: sumStride), biases + position * lanes,
          convolution.activation,
          (output, rows: min(shape.outputSide, rows.count - row), columns: columns))
      }
    }
  }
}

extension WinogradTile {
  /// Input rows or columns under the tiles that cover a number of outputs.
  fileprivate func inputs(over outputs: Int) -> Int { step * (count(over: outputs) - 1) + side }
}
