import NCNN

/// A depthwise convolution and a 1 × 1 convolution of its result, which stays in scratch memory.
struct DepthwiseFirst: RowwiseStrategy {
  var convolution: PackedConvolution
  let depthwise: PackedDepthwise
  /// The blocks of the input.
  let reads: [Int]
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, after depthwise: PackedDepthwise, of blocks: [Int]) {
    self.convolution = convolution
    self.depthwise = depthwise
    reads = blocks
    // Several pixels read each weight.
    let rows = (15 + convolution.windows.outputColumns) / convolution.windows.outputColumns
    chunk = max(convolution.rowsPerTask, min(rows, convolution.windows.outputRows))
  }

  var kind: String { "depthwise + 1x1" }

  func outerBytes(_ plan: Plan) -> Int { convolution.weightBytes + depthwise.weightBytes }

  /// Elements of a block of the depthwise convolution's results.
  private var blockElements: Int { chunk * convolution.windows.outputColumns * depthwise.lanes }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    channel.block * blockElements + channel.lane
  }

  var scratchSize: Int { reads.count * blockElements }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let columns = convolution.windows.outputColumns
    let rows = rows(ofTask: task)
    for (position, block) in reads.enumerated() {
      var output = scratch + position * blockElements
      for row in rows {
        depthwise.run(executor, position, input: executor.address(block), row: row, output: output)
        output += columns * depthwise.lanes
      }
    }
    convolution.run(
      executor, input: scratch, step: depthwise.lanes, firstPixel: rows.lowerBound * columns,
      pixels: rows.count * columns)
  }
}
