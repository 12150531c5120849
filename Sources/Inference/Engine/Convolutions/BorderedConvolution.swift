import NCNN

/// A convolution of a copy with a border, in scratch memory.
struct BorderedConvolution: ConvolutionStrategy {
  var convolution: PackedConvolution
  /// The blocks of the input.
  let reads: [Int]
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, _ blocks: [Int], lanes: Int) {
    self.convolution = convolution
    reads = blocks
    chunk = convolution.windows.rowsPerTask
    copy = BorderedCopy(convolution.windows, outputRows: chunk, pixelElements: lanes)
  }

  var kind: String { "convolution \(convolution.windows.kernelText)" }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    copy.offset(of: channel, row: row, column: column)
  }

  var scratchSize: Int { reads.count * copy.blockElements }

  var preparedElements: Int { copy.preparedElements(blocks: reads.count) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let rows = convolution.windows.rows(ofTask: task, chunk: chunk)
    copy.copyBlocks(
      reads, convolution.windows.borderedRows(rows.count), firstRow: rows.lowerBound, executor,
      to: scratch)
    convolution.run(executor, rows, from: copy, at: scratch)
  }
}

extension BorderedCopy {
  /// Copies the first rows of blocks of the arena.
  func copyBlocks(
    _ blocks: [Int], _ rows: Int, firstRow: Int, _ executor: Executor,
    to scratch: UnsafeMutablePointer<Float>
  ) {
    for (position, block) in blocks.enumerated() {
      let input = executor.address(block)
      forEachRow(rows, firstRow: firstRow, in: scratch + position * blockElements, border: 0) {
        $0.update(
          from: input + $1 * windows.inputColumns * pixelElements,
          count: copiedColumns * pixelElements)
      }
    }
  }
}

extension PackedConvolution {
  /// Computes output rows from a bordered copy that begins with the rows under them.
  func run(
    _ executor: Executor, _ rows: Range<Int>, from copy: BorderedCopy,
    at scratch: UnsafePointer<Float>
  ) {
    for row in rows {
      run(
        executor,
        input: scratch + (row - rows.lowerBound) * windows.stride.height * copy.rowElements,
        step: copy.pixelElements * windows.stride.width, firstPixel: row * windows.outputColumns,
        pixels: windows.outputColumns)
    }
  }
}
