// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// How some of a network's blobs become candidates: a grid of cells over the input, each of which
/// proposes one face for each anchor.
///
/// A recipe lists the heads of a network. `shapes` and `propose` are all that a head needs to run; a
/// `Gate` makes it fast.
public struct FaceHead: Sendable {
  /// The names of the blobs that it reads.
  public let blobs: [String]
  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// The sizes, in input pixels, that a cell's proposals start from, one for each proposal; in a
  /// family without anchors, the cell's own size.
  public let anchors: [Size2D]
  /// Whether the cells divide the input evenly, so that they are smaller than the stride where the
  /// input is no multiple of it.
  public let dividesInput: Bool
  /// How a score follows from a cell's values, in a few words for people to read.
  public let scoring: String
  /// How to find the cells with a high score without computing all values; nil where the blobs are
  /// computed whole.
  public let gate: Gate?

  /// The shape that each blob must have for a grid.
  public let shapes: @Sendable (CellGrid) -> [[Int]]
  /// Calls a function with each candidate, by anchor, row and column.
  let propose:
    @Sendable (_ values: [[Float]], CellGrid, ScoreThreshold, _ body: (Candidate) -> Void) -> Void
  /// What the scores are made of, for people to read.
  let confidences: @Sendable (_ values: [[Float]], CellGrid) -> [Confidence]
  /// What a proposal's values decode to, for people to read.
  let decoding:
    @Sendable (
      _ values: [[Float]], CellGrid, _ cell: (anchor: Int, row: Int, column: Int)
    ) -> [DecodedValue]

  /// A head from its parts.
  ///
  /// - Parameters:
  ///   - blobs: the names of the blobs that it reads.
  ///   - stride: input pixels from one cell to the next.
  ///   - anchors: the sizes that proposals start from, in input pixels, one for each proposal of a
  ///     cell.
  ///   - dividesInput: whether the cells divide the input evenly; otherwise they are as large as
  ///     the stride.
  ///   - scoring: how a score follows from a cell's values, in a few words.
  ///   - gate: how to find the cells with a high score without computing all values.
  ///   - shapes: the shape of each blob for a grid of cells; `propose` gets no others.
  ///   - confidences: numbers that the scores are made of, besides the scores themselves.
  ///   - decoding: what each of a proposal's values decodes to, by the equations of `propose`.
  ///   - propose: calls a function with each candidate whose score reaches the threshold, by
  ///     anchor, then row, then column, in network input pixels. It takes the values of the blobs,
  ///     each in the order of its axes. A cell with a NaN or infinite value gives no candidate.
  /// - Precondition: `stride` is positive, there is at least one blob and one anchor, and with a gate
  ///   only one blob.
  public init(
    blobs: [String], stride: Int, anchors: [Size2D], dividesInput: Bool = false, scoring: String,
    gate: Gate? = nil,
    shapes: @escaping @Sendable (CellGrid) -> [[Int]],
    confidences: @escaping @Sendable (_ values: [[Float]], CellGrid) -> [Confidence] = { _, _ in []
    },
    decoding:
      @escaping @Sendable (
        _ values: [[Float]], CellGrid, _ cell: (anchor: Int, row: Int, column: Int)
      ) -> [DecodedValue] = { _, _, _ in [] },
    propose:
      @escaping @Sendable (
        _ values: [[Float]], CellGrid, ScoreThreshold, _ body: (Candidate) -> Void
      ) -> Void
  ) {
    precondition(!blobs.isEmpty, "a head reads at least one blob")
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(!anchors.isEmpty, "a head needs at least one anchor")
    precondition(gate == nil || blobs.count == 1, "a head with a gate reads one blob")
    (self.blobs, self.stride, self.anchors) = (blobs, stride, anchors)
    (self.dividesInput, self.scoring, self.gate) = (dividesInput, scoring, gate)
    (self.shapes, self.propose) = (shapes, propose)
    (self.confidences, self.decoding) = (confidences, decoding)
  }
}

extension FaceHead {
  /// A number from 0 to 1 for every proposal of every cell, by anchor, row and column; NaN where
  /// the network's value is NaN.
  public struct Confidence: Sendable {
    /// What it is called.
    public let name: String
    /// Anchors × rows × columns of them.
    public let values: [Float]

    /// A confidence from its parts.
    public init(name: String, values: [Float]) { (self.name, self.values) = (name, values) }
  }

  /// The cells over an input of this size, in pixels; the last row and column may reach over it.
  public func grid(inputWidth: Int, inputHeight: Int) -> CellGrid {
    func cells(_ side: Int) -> Int { side / stride + (side % stride > 0 ? 1 : 0) }
    return CellGrid(
      rows: cells(inputHeight), columns: cells(inputWidth),
      inputSize: Letterbox.InputSize(width: inputWidth, height: inputHeight))
  }

  /// A cell's size, in input pixels.
  public func cellSize(in grid: CellGrid) -> Size2D {
    grid.cellSize(stride: stride, dividesInput: dividesInput)
  }

  /// All candidates, in network input pixels, by anchor, then row, then column.
  ///
  /// - Parameters:
  ///   - outputs: the shape and the values of each of `blobs`, in their order.
  ///   - grid: the cells over the input.
  ///   - threshold: the lowest score wanted.
  /// - Throws: `ValueError` where a blob does not have the shape, or the number of values, that
  ///   the grid requires.
  public func candidates(
    in outputs: [(shape: [Int], values: [Float])], _ grid: CellGrid, threshold: ScoreThreshold
  ) throws(ValueError) -> [Candidate] {
    try require(outputs, grid)
    var candidates: [Candidate] = []
    propose(outputs.map { $0.values }, grid, threshold) { candidates.append($0) }
    return candidates
  }

  /// What the scores are made of, besides the scores themselves.
  ///
  /// - Throws: `ValueError` where a blob does not have the shape, or the number of values, that
  ///   the grid requires.
  public func confidences(
    in outputs: [(shape: [Int], values: [Float])], _ grid: CellGrid
  ) throws(ValueError) -> [Confidence] {
    try require(outputs, grid)
    return confidences(outputs.map { $0.values }, grid)
  }

  /// What each value of one proposal decodes to; empty where the family does not say.
  ///
  /// - Precondition: the anchor is one of `anchors`, and the cell one of the grid.
  /// - Throws: `ValueError` where a blob does not have the shape, or the number of values, that
  ///   the grid requires.
  public func decoding(
    of cell: (anchor: Int, row: Int, column: Int),
    in outputs: [(shape: [Int], values: [Float])], _ grid: CellGrid
  ) throws(ValueError) -> [DecodedValue] {
    precondition(anchors.indices.contains(cell.anchor), "found no anchor \(cell.anchor)")
    precondition(
      (0..<grid.rows).contains(cell.row) && (0..<grid.columns).contains(cell.column),
      "found no cell in row \(cell.row) and column \(cell.column)")
    try require(outputs, grid)
    return decoding(outputs.map { $0.values }, grid, cell)
  }

  /// Refuses blobs whose shapes are not those that the grid requires.
  ///
  /// - Precondition: there is a shape for each of `blobs`.
  /// - Throws: `ValueError` where a shape differs, or the grid has too many cells.
  public func require(_ found: [[Int]], _ grid: CellGrid) throws(ValueError) {
    _ = try grid.valueCount(of: [grid.rows, grid.columns])
    let expected = shapes(grid)
    precondition(expected.count == blobs.count, "a head states the shape of each of its blobs")
    precondition(found.count == blobs.count, "found \(found.count) blobs, expected \(blobs.count)")
    for (blob, (found, expected)) in zip(blobs, zip(found, expected)) where found != expected {
      throw ValueError("found shape \(found) of \(blob), expected \(expected)")
    }
  }

  private func require(
    _ outputs: [(shape: [Int], values: [Float])], _ grid: CellGrid
  ) throws(ValueError) {
    try require(outputs.map { $0.shape }, grid)
    for (shape, values) in outputs { try grid.require(values.count, of: shape) }
  }
}

extension CellGrid {
  /// The number of values of a blob for this grid.
  ///
  /// - Throws: `ValueError` where the grid has no cells, or more than can be counted.
  func valueCount(of shape: [Int]) throws(ValueError) -> Int {
    var (count, isCountable) = (1, rows >= 1 && columns >= 1)
    for size in shape where isCountable {
      let (product, overflow) = count.multipliedReportingOverflow(by: size)
      (count, isCountable) = (product, !overflow)
    }
    guard isCountable else {
      throw ValueError(
        "detection head of \(columns) × \(rows) cells: each side must be at least 1, and the number of values "
          + "must be countable")
    }
    return count
  }

  /// Refuses another number of values than a blob of this shape has.
  func require(_ found: Int, of shape: [Int]) throws(ValueError) {
    let expected = try valueCount(of: shape)
    guard found == expected else {
      throw ValueError("detection head output of \(found) values, expected \(expected)")
    }
  }
}
