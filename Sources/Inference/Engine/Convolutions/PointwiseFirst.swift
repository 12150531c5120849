/// A 1 × 1 convolution and another one of its result, which stays in scratch memory, with a border.
struct PointwiseFirst: ConvolutionStrategy {
  var convolution: PackedConvolution
  let pointwise: DirectConvolution
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, after pointwise: DirectConvolution) {
    self.convolution = convolution
    self.pointwise = pointwise
    chunk = max(1, min(8, (convolution.windows.outputRows + 7) / 8))
    copy = BorderedCopy(
      convolution.windows, outputRows: chunk, pixelElements: pointwise.convolution.lanes)
  }

  var kind: String { "1x1 + \(convolution.windows.kernelText)" }

  var reads: [Int] { pointwise.reads }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func outerBytes(_ plan: Plan) -> Int { weightBytes + pointwise.weightBytes }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    copy.offset(of: channel, row: row, column: column)
  }

  private var blockCount: Int { pointwise.convolution.blockCount }

  var scratchSize: Int { blockCount * copy.blockElements }

  var preparedElements: Int {
    blockCount * copy.rows
      * (copy.rowElements * pointwise.convolution.sources.count + BorderedCopy.rowCost)
  }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let windows = convolution.windows
    let rows = windows.rows(ofTask: task, chunk: chunk)
    let copied = windows.borderedRows(rows.count)
    for block in 1..<max(1, blockCount) {
      copy.forEachRow(
        copied, firstRow: rows.lowerBound, in: scratch + block * copy.blockElements, border: 0
      ) { _, _ in }
    }
    let lanes = executor.plan.lanes
    copy.forEachRow(copied, firstRow: rows.lowerBound, in: scratch, border: 0) { inner, inputRow in
      pointwise.convolution.run(
        executor, input: executor.arena.start + inputRow * windows.inputColumns * lanes,
        step: lanes, output: inner, pixels: copy.copiedColumns
      ) { $0 * copy.blockElements }
    }
    convolution.run(executor, rows, from: copy, at: scratch)
  }
}
