// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC

extension FaceFamily {
  /// YuNet: each cell proposes one face.
  ///
  /// Its blobs hold
  ///
  ///     1 channel     t, the class's
  ///     1 channel     t, the objectness's
  ///     4 channels    box: tx, ty, tw, th
  ///     10 channels   x, y of right eye, left eye, nose, right mouth corner, left mouth corner
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       √(σ(class) · σ(objectness))
  ///     box centre  (cell + (tx, ty)) · stride, cell being (column, row)
  ///     box size    exp((tw, th)) · stride
  ///     landmark    (cell + (x, y)) · stride
  ///
  /// Wu et al., "YuNet: A Tiny Millisecond-level Face Detector", 2023,
  /// https://doi.org/10.1007/s11633-023-1423-y; https://github.com/ShiqiYu/libfacedetection.train.
  public static let yuNet = FaceFamily(
    "yuNet", name: "YuNet",
    maps: [Map(.scores, 1), Map(.objectness, 1), Map(.boxes, 4), Map(.points, 10)],
    forms: [levels(8, 16, 32)],
    feed: { recipe, _ in
      recipe.planes = .bgr
      recipe.divisor = 1
      recipe.fill = 0
    }
  ) { level in
    let (scale, confidence) = (Double(level.stride), level.confidence)
    @Sendable func probability(_ cell: CellValues, _ map: Int) -> Double {
      min(max(confidence.probability(cell[map, 0]), 0), 1)
    }
    @Sendable func score(_ cell: CellValues) -> Double {
      (probability(cell, 0) * probability(cell, 1)).squareRoot()
    }
    return FaceHead(
      level, scoring: "√(\(confidence.formula("class")) · \(confidence.formula("objectness")))",
      parts: [("class", { probability($0, 0) }), ("objectness", { probability($0, 1) })],
      limit: { cell in
        guard !confidence.isProbability else { return confidence.logit(score(cell)) }
        // √σ(t) is less than σ(max(t, t / 2) + 1.1) for any t, and the score no more than the lower
        // confidence's root.
        let lower = min(cell[0, 0], cell[1, 0])
        return max(lower, lower / 2) + 1.1
      },
      numbers: [
        .init(["class"], confidence.formula("t")),
        .init(["objectness"], confidence.formula("t"), in: 1),
        .init(.center, "(C + t) · S", in: 2), .init(.size, "exp(t) · S", in: 2, from: 2),
        .init(.points, "(C + t) · S", in: 3),
      ]
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      return Face(
        score: Float(score(cell)),
        box: Box(
          center: Point2D(x: (x + cell[2, 0]) * scale, y: (y + cell[2, 1]) * scale),
          size: Size2D(width: exp(cell[2, 2]) * scale, height: exp(cell[2, 3]) * scale)),
        landmarks: level.landmarks { number in
          Point2D(x: (x + cell[3, 2 * number]) * scale, y: (y + cell[3, 2 * number + 1]) * scale)
        })
    }
  }
}
