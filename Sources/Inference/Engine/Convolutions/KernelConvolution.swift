/// A convolution as the kernels run it, in fp32 or int8, wherever they read its input from.
protocol KernelConvolution {
  /// What the input holds.
  associatedtype Element: BlockElement
  var windows: Windows { get }
  /// The element that stands for 0 in the input, also in its border.
  var zero: Element { get }
  /// The blocks of the output.
  var blocks: [Int] { get }
  var weightBytes: Int { get }
  /// How a profile calls the convolution, before its kernel's size.
  static var name: String { get }
  /// The fewest pixels for which a task takes more than four rows.
  static var taskPixels: Int { get }
  /// The most pixels of a number of input blocks that stay in an L1 cache of 32 KiB while all output
  /// blocks read them, in multiples of the widest tile.
  func cachedPixels(ofBlocks count: Int) -> Int
  /// Runs all output blocks over neighbouring pixels, into the arena.
  ///
  /// - Parameter step: elements from one pixel of the input to the next.
  func run(
    _ executor: Executor, input: UnsafePointer<Element>, step: Int, firstPixel: Int, pixels: Int)
}

extension KernelConvolution {
  /// Enough rows that a task has `taskPixels`, and no fewer than four, so that few input rows are
  /// copied twice; but at most an eighth of all rows.
  var rowsPerTask: Int { windows.rowsPerTask(pixels: Self.taskPixels) }
}

extension Windows {
  /// Enough rows for a number of pixels, and no fewer than four; but at most an eighth of all rows.
  func rowsPerTask(pixels: Int) -> Int {
    max(1, min(max(4, (pixels - 1 + outputColumns) / outputColumns), (outputRows + 7) / 8))
  }

  /// The number of tasks of `chunk` rows.
  func taskCount(chunk: Int) -> Int { (outputRows + chunk - 1) / chunk }

  /// The rows of a task: `chunk`, or the rest.
  func rows(ofTask task: Int, chunk: Int) -> Range<Int> {
    task * chunk..<min((task + 1) * chunk, outputRows)
  }
}
