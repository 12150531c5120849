// SPDX-License-Identifier: Apache-2.0

/// Where the windows of a row of output columns lie in the input's rows.
public struct WindowColumns {
  /// Columns of the input.
  public var input: Int
  /// Columns of the output, one for each window.
  public var output: Int
  /// Columns of a window.
  public var kernel: Int
  /// Input columns from one window to the next.
  public var stride: Int
  /// Input columns from one column of a window to its next; 1 in a pooling.
  public var dilation: Int
  /// Columns of the border on the left.
  public var padLeft: Int

  /// Makes columns from their parts.
  @_alwaysEmitIntoClient
  public init(input: Int, output: Int, kernel: Int, stride: Int, dilation: Int = 1, padLeft: Int) {
    self.input = input
    self.output = output
    self.kernel = kernel
    self.stride = stride
    self.dilation = dilation
    self.padLeft = padLeft
  }

  /// The columns of the window that begins at `left`, but for those in the border.
  @_alwaysEmitIntoClient @inline(__always)
  func inside(from left: Int) -> Range<Int> {
    let first = max(left, 0)
    return first..<max(first, min(left &+ kernel, input))
  }
}
