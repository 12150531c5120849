import NCNN

/// The windows of a convolution or a pooling over a blob with its border.
struct Windows {
  var inputRows: Int
  var inputColumns: Int
  var outputRows: Int
  var outputColumns: Int
  var kernel: Extent
  var stride: Extent
  var dilation = Extent(width: 1, height: 1)
  var padTop: Int
  var padLeft: Int

  /// Columns of a bordered copy.
  var borderedColumns: Int {
    (outputColumns - 1) * stride.width + (kernel.width - 1) * dilation.width + 1
  }

  /// Rows of a bordered copy that a number of output rows need.
  func borderedRows(_ rows: Int) -> Int {
    (rows - 1) * stride.height + (kernel.height - 1) * dilation.height + 1
  }

  /// Columns of the input in a row of a bordered copy.
  func copiedColumns(of borderedColumns: Int) -> Int {
    max(0, min(inputColumns, borderedColumns - padLeft))
  }

  /// The row of the input that is copied to a row of a task's bordered copy; nil in the border.
  func inputRow(_ firstRow: Int, _ row: Int) -> Int? {
    let inputRow = firstRow * stride.height + row - padTop
    return inputRow >= 0 && inputRow < inputRows ? inputRow : nil
  }
}

extension Windows {
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
}
