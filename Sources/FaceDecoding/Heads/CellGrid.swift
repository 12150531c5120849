// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// Rows and columns of a head's cells.
public struct CellGrid: Sendable, Hashable {
  /// How many rows of cells there are.
  public let rows: Int
  /// How many cells a row has.
  public let columns: Int
  /// The input that they cover, in pixels; nil where only their number matters.
  public let inputSize: Letterbox.InputSize?

  /// How many cells there are.
  public var count: Int { rows * columns }

  /// A cell's size in input pixels: the stride, or where the cells divide the input evenly, their
  /// share of it.
  package func cellSize(stride: Int, dividesInput: Bool) -> Size2D {
    guard dividesInput, let inputSize else {
      return Size2D(width: Double(stride), height: Double(stride))
    }
    return Size2D(
      width: Double(inputSize.width) / Double(columns),
      height: Double(inputSize.height) / Double(rows))
  }

  /// A grid of `rows` × `columns` cells.
  public init(rows: Int, columns: Int, inputSize: Letterbox.InputSize? = nil) {
    (self.rows, self.columns, self.inputSize) = (rows, columns, inputSize)
  }
}
