// SPDX-License-Identifier: Apache-2.0

/// How the cells of a layer's output read those of its inputs; a cell is one position of rows and
/// columns, with all its channels. `ReceptiveFieldInference` follows it back to the pixels.
package enum CellReading {
  /// Each cell is a pixel of the picture.
  case pixels
  /// The whole of the inputs, or of the picture.
  case wholeInput
  /// No input: the elements are stored.
  case nothing
  /// Each element is computed from the one at its place in the first input, wherever that comes from.
  case sameElement
  /// Each cell reads the cell at its place in the first input.
  case sameCell
  /// As `sameElement`, and each reads the whole second input as well.
  case sameElementAndSecondInput
  /// Each element is one of the first input's, at another place.
  case moved
  /// Each cell reads a window of the first input.
  case windows(rows: PixelWindows.Reading, columns: PixelWindows.Reading)
  /// Each cell is the first input's cell this many rows and columns further on.
  case part(firstRow: Int, firstColumn: Int)
  /// Each cell reads the cells at its place in all inputs.
  case joined
  /// The inputs' cells follow each other along rows or columns.
  case inSequence
  /// Each cell reads a window of the first input, in no pattern short enough to follow.
  case irregular
}
