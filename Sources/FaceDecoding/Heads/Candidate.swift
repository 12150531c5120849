import Geometry

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
  func cellSize(stride: Int, dividesInput: Bool) -> Size {
    guard dividesInput, let inputSize else {
      return Size(width: Double(stride), height: Double(stride))
    }
    return Size(
      width: Double(inputSize.width) / Double(columns),
      height: Double(inputSize.height) / Double(rows))
  }

  /// A grid of `rows` × `columns` cells.
  public init(rows: Int, columns: Int, inputSize: Letterbox.InputSize? = nil) {
    self.rows = rows
    self.columns = columns
    self.inputSize = inputSize
  }
}

/// A face that one anchor of one cell proposes.
public struct Candidate: Sendable, Hashable {
  /// The face, in network input pixels.
  public var face: Face
  /// The anchor that the proposal starts from, an index into the head's anchors.
  public var anchor: Int
  /// The cell's row, from the top.
  public var row: Int
  /// The cell's column, from the left.
  public var column: Int

  /// A candidate from its parts.
  public init(face: Face, anchor: Int, row: Int, column: Int) {
    self.face = face
    self.anchor = anchor
    self.row = row
    self.column = column
  }
}
