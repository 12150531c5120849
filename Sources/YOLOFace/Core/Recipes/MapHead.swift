// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

/// The values of one proposal's cell, in blobs of channels × rows × columns.
struct CellValues {
  let maps: [[Float]]
  let grid: CellGrid
  let anchor, row, column: Int

  /// A channel's value at the cell.
  subscript(map: Int, channel: Int) -> Double {
    Double(maps[map][(channel * grid.rows + row) * grid.columns + column])
  }

  /// The box whose left, upper, right and lower side have these distances from a point, both in units of `scale`
  /// network input pixels.
  ///
  /// - Parameters:
  ///   - center: the point.
  ///   - map: the map of the distances.
  ///   - first: the channel of the first of them.
  ///   - scale: the unit.
  func box(around center: Point2D, map: Int, from first: Int = 0, scale: Double) -> Box {
    Box(
      corner: Point2D(
        x: (center.x - self[map, first]) * scale, y: (center.y - self[map, first + 1]) * scale),
      opposite: Point2D(
        x: (center.x + self[map, first + 2]) * scale, y: (center.y + self[map, first + 3]) * scale))
  }

  /// Whether all channels are finite at the cell.
  fileprivate var areFinite: Bool {
    maps.indices.allSatisfy { map in
      (0..<maps[map].count / grid.count).allSatisfy { self[map, $0].isFinite }
    }
  }
}

/// The channels of points of which each has a visibility, too.
let withVisibility = (0..<10).map { $0 / 2 * 3 + $0 % 2 }

extension FaceHead {
  /// A head that reads what its network's last convolutions give: the level's maps.
  ///
  /// - Parameters:
  ///   - level: the maps, and what proposals start from.
  ///   - dividesInput: whether the cells divide the input evenly.
  ///   - scoring: how a score follows from a cell's values, in a few words.
  ///   - parts: the numbers that a score is made of, if it is made of several.
  ///   - limit: a raw confidence that is below the threshold's where the score cannot reach it.
  ///   - numbers: the equations of `face` in words; channels are counted from a proposal's first of each map.
  ///   - confidence: a number that is computed from several, decoded.
  ///   - face: a proposal's face, in network input pixels; nil where it has none.
  init(
    _ level: HeadLevel, dividesInput: Bool = false, scoring: String,
    parts: [(name: String, value: @Sendable (CellValues) -> Double)] = [],
    limit: @escaping @Sendable (CellValues) -> Double,
    numbers: [DecodedNumbers],
    confidence: @escaping @Sendable (CellValues) -> DecodedValue? = { _ in nil },
    face: @escaping @Sendable (CellValues) -> Face?
  ) {
    let count = level.anchors.count
    let numbers = numbers.filter { level.hasPoints || !$0.areOfPoints }
    @Sendable func forEach(_ maps: [[Float]], _ grid: CellGrid, _ body: (CellValues) -> Void) {
      for anchor in 0..<count {
        for row in 0..<grid.rows {
          for column in 0..<grid.columns {
            body(CellValues(maps: maps, grid: grid, anchor: anchor, row: row, column: column))
          }
        }
      }
    }
    self.init(
      blobs: level.maps.map { $0.blob }, stride: level.stride, anchors: level.anchors,
      dividesInput: dividesInput, scoring: scoring,
      shapes: { grid in level.maps.map { [$0.channels, grid.rows, grid.columns] } },
      confidences: { values, grid in
        parts.map { part in
          var numbers: [Float] = []
          forEach(values, grid) { numbers.append(Float(part.value($0))) }
          return Confidence(name: part.name, values: numbers)
        }
      },
      decoding: { values, grid, cell in
        let place = CellValues(
          maps: values, grid: grid, anchor: cell.anchor, row: cell.row, column: cell.column)
        let face = face(place)
        return numbers.flatMap {
          $0.decoded(
            (cell.column, cell.row),
            size: grid.cellSize(stride: level.stride, dividesInput: dividesInput),
            anchor: level.anchor(cell.anchor, in: grid, dividesInput: dividesInput), face: face
          ) { map, channel in
            Float(place[map, level.maps[map].channels / count * cell.anchor + channel])
          }
        } + [confidence(place)].compactMap { $0 }
      }
    ) { values, grid, threshold, body in
      forEach(values, grid) { cell in
        guard threshold.admits(logit: Float(limit(cell))), cell.areFinite else { return }
        guard let face = face(cell), face.score >= threshold.score, face.isFinite else { return }
        body(Candidate(face: face, anchor: cell.anchor, row: cell.row, column: cell.column))
      }
    }
  }
}

extension FaceHead {
  /// A head whose score is one confidence.
  ///
  /// - Parameters:
  ///   - level: the maps, and what proposals start from.
  ///   - dividesInput: whether the cells divide the input evenly.
  ///   - confidence: in which form the confidence is; by default the recipe's.
  ///   - name: the confidence's name.
  ///   - value: the confidence as the network gives it.
  ///   - numbers: the equations of `face` in words.
  ///   - face: a proposal's face of a score, in network input pixels; nil where it has none.
  init(
    _ level: HeadLevel, dividesInput: Bool = false, confidence: ConfidenceForm? = nil,
    score name: String, _ value: @escaping @Sendable (CellValues) -> Double,
    numbers: [DecodedNumbers], face: @escaping @Sendable (CellValues, _ score: Float) -> Face?
  ) {
    let confidence = confidence ?? level.confidence
    self.init(
      level, dividesInput: dividesInput, scoring: confidence.formula(name),
      limit: { confidence.logit(value($0)) }, numbers: numbers,
      confidence: { confidence.decoded("score", value($0)) },
      face: { face($0, Float(confidence.probability(value($0)))) })
  }
}

extension Face {
  /// False where an exponential made a side infinite.
  fileprivate var isFinite: Bool {
    let corners = [box.minX, box.minY, box.maxX, box.maxY]
    return (corners + (landmarks?.points.flatMap { [$0.x, $0.y] } ?? [])).allSatisfy { $0.isFinite }
  }
}
