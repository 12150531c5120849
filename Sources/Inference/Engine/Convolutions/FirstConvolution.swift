import Kernels

/// A convolution of the caller's tensor of few channels, which is copied with a border, channels
/// innermost.
struct TensorConvolution: ConvolutionStrategy {
  var convolution: PackedConvolution
  /// The number of the tensor in the plan.
  let tensor: Int
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, tensor: Int, channels: Int) {
    self.convolution = convolution
    self.tensor = tensor
    chunk = convolution.windows.rowsPerTask
    copy = BorderedCopy(convolution.windows, outputRows: chunk, pixelElements: channels)
  }

  var kind: String { "first convolution" }

  var reads: [Int] { [] }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func outerBytes(_ plan: Plan) -> Int { weightBytes + plan.bytes(ofTensors: [tensor]) }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    copy.offset(of: channel, row: row, column: column)
  }

  var scratchSize: Int { copy.blockElements }

  var preparedElements: Int { copy.preparedElements(blocks: 1) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    let windows = convolution.windows
    let rows = windows.rows(ofTask: task, chunk: chunk)
    let channels = copy.pixelElements
    let plane = windows.inputRows * windows.inputColumns
    executor.tensors[tensor].values.withUnsafeBufferPointer { values in
      copy.forEachRow(
        windows.borderedRows(rows.count), firstRow: rows.lowerBound, in: scratch, border: 0
      ) { inner, inputRow in
        for channel in 0..<channels {
          for x in 0..<copy.copiedColumns {
            inner[x * channels + channel] =
              values[channel * plane + inputRow * windows.inputColumns + x]
          }
        }
      }
    }
    convolution.run(executor, rows, from: copy, at: scratch)
  }
}

/// A convolution of the caller's picture, 8-bit RGB, which is copied with a border; the divisor is
/// part of the weights.
struct PictureConvolution: ConvolutionStrategy {
  var convolution: PackedConvolution
  let normalisation: Normalisation
  let copy: BorderedCopy
  /// Output rows of a task.
  let chunk: Int

  init(_ convolution: PackedConvolution, _ normalisation: Normalisation) {
    self.convolution = convolution
    self.normalisation = normalisation
    chunk = convolution.windows.rowsPerTask
    copy = BorderedCopy(convolution.windows, outputRows: chunk, pixelElements: 3)
  }

  var kind: String { "first convolution" }

  var reads: [Int] { [] }

  var taskCount: Int { (convolution.windows.outputRows + chunk - 1) / chunk }

  func outerBytes(_ plan: Plan) -> Int { weightBytes + 3 * convolution.windows.inputPixels }

  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    copy.offset(of: channel, row: row, column: column)
  }

  var inputDivisor: Float { normalisation.divisor }

  var scratchSize: Int { copy.blockElements }

  var preparedElements: Int { copy.preparedElements(blocks: 1) }

  func run(_ executor: Executor, task: Int, scratch: UnsafeMutablePointer<Float>) {
    guard let picture = executor.picture else { return }
    let windows = convolution.windows
    let rows = windows.rows(ofTask: task, chunk: chunk)
    copy.forEachRow(
      windows.borderedRows(rows.count), firstRow: rows.lowerBound, in: scratch, border: 0
    ) { inner, inputRow in
      executor.kernels.convertBytes(
        picture + inputRow * windows.inputColumns * 3, copy.copiedColumns * 3,
        normalisation.mean, inner)
    }
    convolution.run(executor, rows, from: copy, at: scratch)
  }
}
