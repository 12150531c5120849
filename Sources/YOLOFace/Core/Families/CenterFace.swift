// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC

extension FaceFamily {
  /// CenterFace: each cell proposes the face whose middle lies in it.
  ///
  /// Its blobs hold
  ///
  ///     1 channel     t, the score's
  ///     2 channels    th, tw: height before width
  ///     2 channels    dy, dx: y before x
  ///     10 channels   y, x of right eye, left eye, nose, right mouth corner, left mouth corner
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box centre  (cell + 0.5 + (dx, dy)) · stride, cell being (column, row)
  ///     box size    exp((tw, th)) · stride
  ///     landmark    the box's corner + (x, y) · box size
  ///
  /// Sizes and offsets have the same form; their order, sizes first, tells them apart. The authors' program moves a
  /// box that reaches over the picture's left or top edge, with its landmarks, inside; here it stays where it is.
  ///
  /// Xu et al., "CenterFace: Joint Face Detection and Alignment Using Face as Point", 2019,
  /// https://arxiv.org/abs/1911.03599; https://github.com/Star-Clouds/CenterFace.
  public static let centerFace = FaceFamily(
    "centerFace", name: "CenterFace",
    maps: [Map(.scores, 1), Map(.boxes, 2), Map(.offsets, 2), Map(.points, 10)],
    forms: [levels(4)],
    feed: { recipe, _ in
      recipe.divisor = 1
      recipe.fill = 0
    }
  ) { level in
    let scale = Double(level.stride)
    return FaceHead(
      level, score: "score", { $0[0, 0] },
      numbers: [
        .init(.center, "(C + 0.5 + t) · S", in: 2, order: [1, 0]),
        .init(.size, "exp(t) · S", in: 1, order: [1, 0]),
        .init(.points, "corner + t · side", in: 3, order: (0..<10).map { $0 ^ 1 }),
      ]
    ) { cell, score in
      let box = Box(
        center: Point2D(
          x: (Double(cell.column) + 0.5 + cell[2, 1]) * scale,
          y: (Double(cell.row) + 0.5 + cell[2, 0]) * scale),
        size: Size2D(width: exp(cell[1, 1]) * scale, height: exp(cell[1, 0]) * scale))
      return Face(
        score: score, box: box,
        landmarks: level.landmarks { number in
          Point2D(
            x: box.x + cell[3, 2 * number + 1] * box.width,
            y: box.y + cell[3, 2 * number] * box.height)
        })
    }
  }
}
