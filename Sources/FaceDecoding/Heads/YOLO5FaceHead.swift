// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// The head of the YOLO5Face family: each of a grid of cells proposes one face per anchor.
///
/// Its blob holds anchors × cells × 16 raw values t:
///
///     0 … 3    box: tx, ty, tw, th
///     4        objectness
///     5 … 14   landmarks: x, y of right eye, left eye, nose, right mouth corner, left mouth corner
///     15       class
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     box centre  (2 σ(t) − 0.5 + cell) · stride
///     box size    (2 σ(t))² · anchor
///     landmark    t · anchor + cell · stride
///     score       σ(objectness) · σ(class), or σ(objectness)
///
/// Boxes are YOLOv5's, landmarks those of YOLO5Face (Qi et al., "YOLO5Face: Why Reinventing a Face
/// Detector", 2021, https://arxiv.org/abs/2105.12931).
public struct YOLO5FaceHead: Sendable, Hashable {
  /// Raw values per anchor and cell.
  @_spi(Tool) public static let valuesPerAnchor = 16
  /// The index of the objectness among the 16 values.
  @_spi(Tool) public static let objectnessIndex = 4
  /// The index of the first landmark's x among the 16 values.
  @_spi(Tool) public static let landmarksIndex = 5
  /// The index of the class among the 16 values.
  @_spi(Tool) public static let classIndex = 15

  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// The box sizes, in input pixels, that the network's values scale.
  public let anchors: [Size2D]
  /// How the score follows from the two confidences.
  public let scoreRule: ScoreRule

  /// A head from its parts.
  ///
  /// - Precondition: `stride` is positive and there is at least one anchor.
  public init(stride: Int, anchors: [Size2D], scoreRule: ScoreRule = .objectnessTimesClass) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(!anchors.isEmpty, "a head needs at least one anchor")
    (self.stride, self.anchors, self.scoreRule) = (stride, anchors, scoreRule)
  }

  /// The three heads of the YOLOFace models, in the order of the network's outputs: small, medium
  /// and large faces.
  public static let yoloFace = [
    (8, [(4, 5), (8, 10), (13, 16)]), (16, [(23, 29), (43, 55), (73, 105)]),
    (32, [(146, 217), (231, 300), (335, 433)]),
  ].map { YOLO5FaceHead(stride: $0, anchors: sizes($1)) }

  /// The four heads of the family's models with a stride of 64, such as yolov5s6-face.
  package static let fourStrides = [
    (8, [(6, 7), (9, 11), (13, 16)]), (16, [(18, 23), (26, 33), (37, 47)]),
    (32, [(54, 67), (77, 104), (112, 154)]), (64, [(174, 238), (258, 355), (445, 568)]),
  ].map { YOLO5FaceHead(stride: $0, anchors: sizes($1)) }

  /// The two heads of the family's models with BlazeFace's backbone.
  package static let twoStrides = [
    (8, [(5, 6), (10, 13), (21, 26)]), (16, [(55, 72), (225, 304), (438, 553)]),
  ].map { YOLO5FaceHead(stride: $0, anchors: sizes($1)) }

  /// The face that one anchor of one cell proposes, in network input pixels.
  ///
  /// - Parameters:
  ///   - values: the 16 raw values.
  ///   - anchor: an index into `anchors`.
  ///   - column: the cell's column, from the left.
  ///   - row: the cell's row, from the top.
  ///   - threshold: the lowest score wanted.
  /// - Returns: nil where the score is below the threshold, or a value is NaN or infinite.
  public func decode(
    _ values: SIMD16<Float>, anchor: Int, column: Int, row: Int, threshold: ScoreThreshold
  ) -> Face? {
    let isFinite = all((values - values) .== 0)
    guard isFinite, threshold.admits(logit: values[YOLO5FaceHead.objectnessIndex]) else {
      return nil
    }
    let t = SIMD16<Double>(values)
    let objectness = sigmoid(t[YOLO5FaceHead.objectnessIndex])
    let score =
      switch scoreRule {
      case .objectnessTimesClass: Float(objectness * sigmoid(t[YOLO5FaceHead.classIndex]))
      case .objectness: Float(objectness)
      }
    guard score >= threshold.score else { return nil }

    let size = anchors[anchor]
    func point(_ index: Int) -> Point2D {
      Point2D(
        x: landmark(t[index], anchor: size.width, cell: column),
        y: landmark(t[index + 1], anchor: size.height, cell: row))
    }
    return Face(
      score: score,
      box: Box(
        center: Point2D(x: center(t[0], cell: column), y: center(t[1], cell: row)),
        size: Size2D(
          width: side(t[2], anchor: size.width), height: side(t[3], anchor: size.height))),
      landmarks: Landmarks { point(YOLO5FaceHead.landmarksIndex + 2 * $0) })
  }

  /// What each of a proposal's 16 values decodes to, in their order.
  ///
  /// - Parameters:
  ///   - values: the 16 raw values.
  ///   - anchor: an index into `anchors`.
  ///   - column: the cell's column, from the left.
  ///   - row: the cell's row, from the top.
  public func decoding(
    of values: SIMD16<Float>, anchor: Int, column: Int, row: Int
  ) -> [DecodedValue] {
    let face = decode(
      values, anchor: anchor, column: column, row: row, threshold: ScoreThreshold(0))
    let side = Double(stride)
    return YOLO5FaceHead.numbers.flatMap {
      $0.decoded(
        (column, row), size: Size2D(width: side, height: side), anchor: anchors[anchor], face: face
      ) { values[$1] }
    }
  }

  /// The formulas of the 16 values, in their order.
  package static let numbers: [DecodedNumbers] = [
    .init(.center, "(2 σ(t) − 0.5 + C) · S"), .init(.size, "(2 σ(t))² · A", from: 2),
    .init(["objectness"], "σ(t)", from: objectnessIndex),
    .init(.points, "t · A + C · S", from: landmarksIndex),
    .init(["class"], "σ(t)", from: classIndex),
  ]

  private func center(_ t: Double, cell: Int) -> Double {
    (2 * sigmoid(t) - 0.5 + Double(cell)) * Double(stride)
  }

  private func side(_ t: Double, anchor: Double) -> Double {
    let relative = 2 * sigmoid(t)
    return relative * relative * anchor
  }

  private func landmark(_ t: Double, anchor: Double, cell: Int) -> Double {
    t * anchor + Double(cell) * Double(stride)
  }

  /// Decodes a whole output and appends the candidates that reach the threshold, in network input
  /// pixels, by anchor, then row, then column.
  ///
  /// - Parameters:
  ///   - output: the blob of C × H × W = anchors × (rows · columns) × 16 raw values.
  ///   - columns: cells per row: the input's width divided by `stride`.
  ///   - rows: rows of cells: the input's height divided by `stride`.
  ///   - threshold: the lowest score wanted.
  ///   - candidates: where they are appended. Cells with a NaN or infinite value are left out.
  /// - Throws: `ValueError`, before anything is appended, where the grid is impossible or the
  ///   output does not have the number of values that the grid requires.
  public func appendCandidates(
    from output: Span<Float>, columns: Int, rows: Int, threshold: ScoreThreshold,
    to candidates: inout [Face]
  ) throws(ValueError) {
    let grid = CellGrid(rows: rows, columns: columns)
    try grid.require(
      output.count, of: [anchors.count, rows, columns, YOLO5FaceHead.valuesPerAnchor])
    forEachCandidate(in: output, grid, threshold: threshold) { candidates.append($0.face) }
  }

  private func forEachCandidate(
    in output: Span<Float>, _ grid: CellGrid, threshold: ScoreThreshold,
    _ body: (Candidate) -> Void
  ) {
    for anchor in anchors.indices {
      for row in 0..<grid.rows {
        for column in 0..<grid.columns {
          let cell = (anchor * grid.rows + row) * grid.columns + column
          let first = cell * YOLO5FaceHead.valuesPerAnchor
          guard threshold.admits(logit: output[first + YOLO5FaceHead.objectnessIndex]),
            let face = decode(
              SIMD16(output, from: first), anchor: anchor, column: column, row: row,
              threshold: threshold)
          else { continue }
          body(Candidate(face: face, anchor: anchor, row: row, column: column))
        }
      }
    }
  }

  /// The `FaceHead` that reads the blob of this name. Its gate is the objectness: where that is too
  /// low, the other values do not matter.
  public func reading(_ blob: String) -> FaceHead {
    FaceHead(
      blobs: [blob], stride: stride, anchors: anchors, scoring: scoreRule.formula,
      gate: FaceHead.Gate(
        width: YOLO5FaceHead.valuesPerAnchor, index: YOLO5FaceHead.objectnessIndex,
        minimum: { $0.logit },
        face: { values, cell, threshold in
          decode(
            SIMD16(values, from: 0), anchor: cell.anchor, column: cell.column, row: cell.row,
            threshold: threshold)
        }),
      shapes: { [[anchors.count, $0.count, YOLO5FaceHead.valuesPerAnchor]] },
      confidences: { values, _ in confidences(in: values[0]) },
      decoding: { values, grid, cell in
        let output = values[0]
        let place = (cell.anchor * grid.rows + cell.row) * grid.columns + cell.column
        return decoding(
          of: SIMD16(output.span, from: place * YOLO5FaceHead.valuesPerAnchor),
          anchor: cell.anchor, column: cell.column, row: cell.row)
      }
    ) { values, grid, threshold, body in
      let output = values[0]
      forEachCandidate(in: output.span, grid, threshold: threshold, body)
    }
  }

  private func confidences(in values: [Float]) -> [FaceHead.Confidence] {
    [("objectness", YOLO5FaceHead.objectnessIndex), ("class", YOLO5FaceHead.classIndex)].map {
      name, index in
      FaceHead.Confidence(
        name: name,
        values: Swift.stride(from: index, to: values.count, by: YOLO5FaceHead.valuesPerAnchor)
          .map { Float(sigmoid(Double(values[$0]))) })
    }
  }
}

private func sizes(_ sides: [(width: Int, height: Int)]) -> [Size2D] {
  sides.map { Size2D(width: Double($0.width), height: Double($0.height)) }
}

extension SIMD16<Float> {
  /// The values of one proposal, the first of which is at an index.
  fileprivate init(_ values: Span<Float>, from first: Int) {
    self.init()
    for index in indices { self[index] = values[first + index] }
  }
}

/// How a face's score follows from the network's two confidences.
public enum ScoreRule: Sendable, Hashable, CaseIterable {
  /// σ(objectness) · σ(class), as YOLOv5 scores.
  case objectnessTimesClass
  /// σ(objectness) alone.
  case objectness

  fileprivate var formula: String {
    switch self {
    case .objectnessTimesClass: "σ(objectness) · σ(class)"
    case .objectness: "σ(objectness)"
    }
  }
}
