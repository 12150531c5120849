// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

extension FaceFamily {
  /// YOLO26 of one class: each cell proposes one face by the sides of its box.
  ///
  /// Its blobs hold
  ///
  ///     4 channels    the distances d of the left, upper, right and lower side from the cell's middle
  ///     1 channel     t, the score's
  ///     15 channels   x, y and visibility of right eye, left eye, nose, right mouth corner, left mouth
  ///                   corner
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box         from (cell + 0.5 − d) · stride to (cell + 0.5 + d) · stride, cell being (column, row)
  ///     landmark    ((x, y) + cell + 0.5) · stride
  ///
  /// Boxes without an area are dropped, which a network that was trained hardly proposes.
  ///
  /// https://docs.ultralytics.com/models/yolo26.
  public static let yolo26Face = FaceFamily(
    "yolo26Face", name: "YOLO26",
    maps: [Map(.scores, 1), Map(.boxes, 4), Map(.points, 15)], forms: [levels(8, 16, 32)],
    note: ", those without points ending in one output",
    // Without points the maps could be those of many detectors, of which few decode boxes into the blob of the scores.
    accepts: { _, levels, _ in
      levels.allSatisfy { $0.maps.count > 2 || $0.maps[0].output == $0.maps[1].output }
    }
  ) { level in
    let scale = Double(level.stride)
    return FaceHead(
      level, score: "class", { $0[0, 0] },
      numbers: [
        .init(.sides, "(C + 0.5 ∓ t) · S", in: 1),
        .init(.points, "(t + C + 0.5) · S", in: 2, order: withVisibility),
      ]
    ) { cell, score in
      let (x, y) = (Double(cell.column) + 0.5, Double(cell.row) + 0.5)
      guard cell[1, 0] + cell[1, 2] > 0, cell[1, 1] + cell[1, 3] > 0 else { return nil }
      return Face(
        score: score,
        box: cell.box(around: Point2D(x: x, y: y), map: 1, scale: scale),
        landmarks: level.landmarks { number in
          Point2D(x: (x + cell[2, 3 * number]) * scale, y: (y + cell[2, 3 * number + 1]) * scale)
        })
    }
  }
}
