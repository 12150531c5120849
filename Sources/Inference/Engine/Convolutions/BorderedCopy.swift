// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// A copy in scratch memory of the input rows of a task, with a border: blocks × rows × columns ×
/// elements of a pixel.
struct BorderedCopy {
  var windows: WindowGeometry
  /// Output rows of a task.
  var outputRows: Int
  var columns: Int
  /// Rows for a whole task.
  var rows: Int
  /// Elements of a pixel: the channels of a block, or all channels.
  var pixelElements: Int

  /// A copy of the pixels under the windows of some output rows.
  init(_ windows: WindowGeometry, outputRows: Int, pixelElements: Int) {
    self.windows = windows
    self.outputRows = outputRows
    columns = windows.borderedColumns
    rows = windows.borderedRows(outputRows)
    self.pixelElements = pixelElements
  }

  /// A copy of the pixels under the windows of the rows of a task.
  init(_ convolution: some KernelConvolution, pixelElements: Int) {
    self.init(
      convolution.windows, outputRows: convolution.rowsPerTask, pixelElements: pixelElements)
  }

  var rowElements: Int { columns * pixelElements }
  var blockElements: Int { rows * rowElements }

  /// Columns of the input in a row.
  var copiedColumns: Int { max(0, min(windows.inputColumns, columns - windows.padLeft)) }

  /// Where a pixel's channel is.
  func offset(of channel: SourceChannel, row: Int, column: Int) -> Int {
    ((channel.block * rows + row) * columns + column) * pixelElements + channel.lane
  }

  /// What handling a row costs, in elements.
  static let rowCost = 64

  /// What preparing a block costs, in elements.
  var preparedElements: Int { rows * (rowElements + Self.rowCost) }

  /// Copies the first rows of a block of the arena, with a border.
  func copy<Element: BlockElement>(
    _ block: Int, _ rows: Int, firstRow: Int, border: Element, _ executor: Executor,
    to scratch: UnsafeMutablePointer<Element>
  ) {
    let input = executor.address(block).elements(as: Element.self)
    forEachRow(rows, firstRow: firstRow, in: scratch, border: border) {
      $0.copyBytes(
        from: input + $1 * windows.inputColumns * pixelElements,
        count: copiedColumns * pixelElements)
    }
  }

  /// Fills the border in the first rows of a block, and calls a function for each of them that the
  /// input reaches.
  ///
  /// - Parameters:
  ///   - rows: rows to fill; fewer than `self.rows` in the last task.
  ///   - firstRow: the first output row of the task.
  ///   - body: called with where the input's part of the row begins in the copy, and its row.
  @inline(__always)
  func forEachRow<Element>(
    _ rows: Int, firstRow: Int, in block: UnsafeMutablePointer<Element>, border: Element,
    _ body: (_ inner: UnsafeMutablePointer<Element>, _ inputRow: Int) -> Void
  ) {
    let left = windows.padLeft * pixelElements
    let filled = left + copiedColumns * pixelElements
    for row in 0..<rows {
      let target = block + row * rowElements
      guard let inputRow = windows.inputRow(firstRow, row) else {
        target.update(repeating: border, count: rowElements)
        continue
      }
      target.update(repeating: border, count: left)
      (target + filled).update(repeating: border, count: max(0, rowElements - filled))
      body(target + left, inputRow)
    }
  }
}
