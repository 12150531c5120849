// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

extension FaceFamily {
  /// SCRFD: each cell proposes faces by their distances from the cell's corner.
  ///
  /// Its blobs hold, for each of the cell's proposals in turn,
  ///
  ///     1 channel     t, the score's
  ///     4 channels    l, t, r, b
  ///     10 channels   x, y of right eye, left eye, nose, right mouth corner, left mouth corner; or no
  ///                   such blob
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box         from (cell − (l, t)) · stride to (cell + (r, b)) · stride, cell being (column, row)
  ///     landmark    (cell + (x, y)) · stride
  ///
  /// Guo et al., "Sample and Computation Redistribution for Efficient Face Detection", 2021,
  /// https://arxiv.org/abs/2105.04714.
  public static let scrfd = FaceFamily(
    "scrfd", name: "SCRFD", proposals: .counted,
    maps: [Map(.scores, 1), Map(.boxes, 4), Map(.points, 10)],
    forms: [levels(8, 16, 32, proposals: 2), levels(8, 16, 32, 64, 128, proposals: 1)],
    feed: { recipe, _ in
      recipe.mean = [127.5, 127.5, 127.5]
      recipe.divisor = 128
      recipe.fill = 0
    }
  ) { level in
    let scale = Double(level.stride)
    return FaceHead(
      level, score: "score", { $0[0, $0.anchor] },
      numbers: [.init(.sides, "(C ∓ t) · S", in: 1), .init(.points, "(C + t) · S", in: 2)]
    ) { cell, score in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let left = 10 * cell.anchor
      return Face(
        score: score,
        box: cell.box(around: Point2D(x: x, y: y), map: 1, from: 4 * cell.anchor, scale: scale),
        landmarks: level.landmarks { number in
          Point2D(
            x: (x + cell[2, left + 2 * number]) * scale,
            y: (y + cell[2, left + 2 * number + 1]) * scale)
        })
    }
  }
}
