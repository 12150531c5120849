// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC
import YOLOFaceNCNN

extension FaceFamily {
  /// DBFace: each cell that is a peak of the scores proposes the face whose middle lies in it.
  ///
  /// Its blobs hold
  ///
  ///     1 channel     t, the score's
  ///     4 channels    exp(…), the box's sides: left, upper, right, lower
  ///     10 channels   x of right eye, left eye, nose, right mouth corner, left mouth corner, then y of the same
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box         from (cell − (left, upper)) · stride to (cell + (right, lower)) · stride, cell being (column, row)
  ///     landmark    (cell + e(4 · (x, y))) · stride, e(v) being v · exp(1) between −1 and 1, else ±exp(|v|)
  ///
  /// A peak is a cell none of whose eight neighbours scores higher. Blue, green and red have means and divisors of
  /// their own.
  ///
  /// https://github.com/dlunion/DBFace.
  public static let dbFace = FaceFamily(
    "dbFace", name: "DBFace", maps: [Map(.scores, 1), Map(.boxes, 4), Map(.points, 10)],
    forms: [levels(4)],
    note: ", with the points, and the sides of boxes by an exponential function",
    feed: { recipe, _ in
      recipe.planes = .bgr
      recipe.mean = [0.47, 0.447, 0.408].map { 255 * $0 }
      recipe.divisors = [0.278, 0.274, 0.289].map { 255 * $0 }
      recipe.divisor = 255
      recipe.fill = 0
    },
    // Without points, or with other sides, the maps could be those of many detectors.
    accepts: { recipe, levels, network in
      recipe.findsLandmarks
        && network.layers.contains { layer in
          layer.outputs.first == recipe.levels[0].boxes
            && layer.operation.as(UnaryOp.self) == .exponential
        }
    }
  ) { level in
    let scale = Double(level.stride)
    return FaceHead(
      level, score: "score", { $0[0, 0] },
      numbers: [
        .init(.sides, "(C ∓ t) · S", in: 1),
        .init(.points, "(C + e(4 t)) · S", in: 2, order: [0, 5, 1, 6, 2, 7, 3, 8, 4, 9]),
      ]
    ) { cell, score in
      guard cell.isPeak(of: 0) else { return nil }
      let (x, y) = (Double(cell.column), Double(cell.row))
      return Face(
        score: score,
        box: cell.box(around: Point2D(x: x, y: y), map: 1, scale: scale),
        landmarks: level.landmarks { number in
          Point2D(
            x: (x + exponential(4 * cell[2, number])) * scale,
            y: (y + exponential(4 * cell[2, number + 5])) * scale)
        })
    }
  }
}

/// An exponential function of both signs, which is linear around 0.
private func exponential(_ value: Double) -> Double {
  if abs(value) < 1 { return value * exp(1) }
  return value > 0 ? exp(value) : -exp(-value)
}

extension CellValues {
  /// Whether no neighbour has a higher value in a map of one channel.
  fileprivate func isPeak(of map: Int) -> Bool {
    let rows = max(0, row - 1)...min(grid.rows - 1, row + 1)
    let columns = max(0, column - 1)...min(grid.columns - 1, column + 1)
    let value = maps[map][row * grid.columns + column]
    return rows.allSatisfy { row in
      columns.allSatisfy { !(maps[map][row * grid.columns + $0] > value) }
    }
  }
}
