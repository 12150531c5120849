// SPDX-License-Identifier: Apache-2.0

/// A pair of numbers for the horizontal and the vertical direction.
public struct Extent: Hashable, Sendable {
  /// In columns, ncnn's `w`.
  public var width: Int
  /// In rows, ncnn's `h`.
  public var height: Int

  package static let one = Extent(width: 1, height: 1)

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Reads the sizes of a window: the vertical one defaults to the horizontal one.
  init(
    _ reader: ParameterReader, _ widthKey: Int, _ heightKey: Int, _ name: String,
    default fallback: Int
  ) throws(ModelError) {
    let sizes = 1...(1 << 20)
    width = try reader.integer(widthKey, "\(name)_w", default: fallback, in: sizes)
    height = try reader.integer(heightKey, "\(name)_h", default: width, in: sizes)
  }

  var area: Int { width * height }

  /// What a kernel of this size spans whose samples lie apart.
  func dilated(by dilation: Extent) -> Extent {
    Extent(width: dilation.width * (width - 1) + 1, height: dilation.height * (height - 1) + 1)
  }

  /// The rows and columns of windows of this size over an input, whose size includes its border.
  func windows(
    over size: (rows: Int, columns: Int), of input: [Int], stride: Extent
  ) throws(InferenceError) -> [Int] {
    guard size.rows >= height, size.columns >= width else {
      throw .shape(
        "shape \(input), with its border \(size.rows) × \(size.columns)",
        expected: "at least the window of \(text)")
    }
    return [(size.rows - height) / stride.height + 1, (size.columns - width) / stride.width + 1]
  }
}
