// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels
import YOLOFaceNCNN

/// The windows of a convolution or a pooling over a blob with its border.
struct WindowGeometry {
  var inputRows: Int
  var inputColumns: Int
  var outputRows: Int
  var outputColumns: Int
  var kernel: Extent
  var stride: Extent
  var dilation = Extent.one
  var padTop: Int
  var padLeft: Int

  var inputPixels: Int { inputRows * inputColumns }
  var outputPixels: Int { outputRows * outputColumns }

  /// Columns × rows of the kernel.
  var kernelText: String { "\(kernel.width)x\(kernel.height)" }

  /// The columns, as kernels take them.
  var columns: WindowColumns {
    WindowColumns(
      input: inputColumns, output: outputColumns, kernel: kernel.width, stride: stride.width,
      dilation: dilation.width, padLeft: padLeft)
  }

  /// Enough rows for a number of pixels, and no fewer than four; but at most an eighth of all rows. Fewer
  /// where tasks are then more even.
  func rowsPerTask(pixels: Int) -> Int {
    let rows = max(4, (pixels - 1 + outputColumns) / outputColumns)
    return outputRows.evenPart(upTo: max(1, min(rows, (outputRows + 7) / 8)))
  }

  /// The number of tasks of `chunk` rows.
  func taskCount(chunk: Int) -> Int { (outputRows + chunk - 1) / chunk }

  /// The rows of a task: `chunk`, or the rest.
  func rows(ofTask task: Int, chunk: Int) -> Range<Int> {
    task * chunk..<min((task + 1) * chunk, outputRows)
  }

  /// Columns of a bordered copy.
  var borderedColumns: Int {
    (outputColumns - 1) * stride.width + (kernel.width - 1) * dilation.width + 1
  }

  /// Rows of a bordered copy that a number of output rows need.
  func borderedRows(_ rows: Int) -> Int {
    (rows - 1) * stride.height + (kernel.height - 1) * dilation.height + 1
  }

  /// The row of the input that lies some rows below the top of an output row's windows; nil in the border.
  func inputRow(_ outputRow: Int, _ row: Int) -> Int? {
    let inputRow = outputRow * stride.height + row - padTop
    return inputRow >= 0 && inputRow < inputRows ? inputRow : nil
  }
}

extension WindowGeometry {
  /// The windows of a convolution over a blob, C × H × W.
  init(_ operation: Convolution, over shape: [Int]) {
    let size = operation.border.sizes(
      rows: shape[1], columns: shape[2], window: operation.window, stride: operation.stride)
    let sides = operation.border.sides(
      rows: shape[1], columns: shape[2], window: operation.window, stride: operation.stride)
    self.init(
      inputRows: shape[1], inputColumns: shape[2],
      outputRows: (size.rows - operation.window.height) / operation.stride.height + 1,
      outputColumns: (size.columns - operation.window.width) / operation.stride.width + 1,
      kernel: operation.kernel, stride: operation.stride, dilation: operation.dilation,
      padTop: sides.top, padLeft: sides.left)
  }

  /// The windows of a pooling that slide over a blob, C × H × W; nil where they do not slide.
  init?(_ pooling: Pooling, over shape: [Int]) {
    guard case .sliding(let window, let stride, let border, _) = pooling.windows else { return nil }
    let size = pooling.borderedSize(shape)
    let sides = border.sides(rows: shape[1], columns: shape[2], window: window, stride: stride)
    self.init(
      inputRows: shape[1], inputColumns: shape[2],
      outputRows: (size.rows - window.height) / stride.height + 1,
      outputColumns: (size.columns - window.width) / stride.width + 1,
      kernel: window, stride: stride, padTop: sides.top, padLeft: sides.left)
  }

  /// One window that covers a whole blob, C × H × W.
  init(whole shape: [Int]) {
    self.init(
      inputRows: shape[1], inputColumns: shape[2], outputRows: 1, outputColumns: 1,
      kernel: Extent(width: shape[2], height: shape[1]), stride: .one,
      padTop: 0, padLeft: 0)
  }

  /// Whether there is a window for each pixel of the blob.
  var coverInput: Bool { (outputRows, outputColumns) == (inputRows, inputColumns) }

  /// Whether no window lies wholly outside of the blob.
  var allReachInput: Bool {
    padTop < kernel.height && padLeft < kernel.width
      && (outputRows - 1) * stride.height - padTop < inputRows
      && (outputColumns - 1) * stride.width - padLeft < inputColumns
  }
}

extension Int {
  /// The size of parts, from half of `limit` to `limit`, that leaves the busier of two threads the least of
  /// this number; the largest of those.
  func evenPart(upTo limit: Int) -> Int {
    func busier(_ part: Int) -> Int { ((self + part - 1) / part + 1) / 2 * part }
    return ((limit + 1) / 2...limit).reversed().min { busier($0) < busier($1) } ?? limit
  }
}
