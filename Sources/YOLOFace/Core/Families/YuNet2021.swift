// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC

extension FaceFamily {
  /// YuNet of 2021: square prior boxes, two classes, landmarks, and the overlap that a box is expected to have.
  ///
  /// Its blobs hold for each anchor, joined or not,
  ///
  ///     14 channels   the box's t; x, y of right eye, left eye, nose, right mouth corner, left mouth corner
  ///     2 channels    background and face
  ///     1 channel     the overlap, 0 to 1
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       √(σ(face − background) · overlap)
  ///     box centre  point + 0.1 · (t0, t1) · anchor, point being the cell's middle
  ///     box size    anchor · exp(0.2 · (t2, t3))
  ///     landmark    point + 0.1 · (x, y) · anchor
  ///
  /// OpenCV's Zoo decodes widths by 0.1 instead of 0.2 and heights by 0.2; the authors' program by 0.2 both, as here.
  ///
  /// https://github.com/ShiqiYu/libfacedetection.train/tree/74f3aa77c63234dd954d21286e9a60703b8d0868.
  public static let yuNet2021 = FaceFamily(
    "yuNet2021", name: "YuNet of 2021", proposals: .anchors,
    maps: [Map(.values, 17, holdsPoints: true)],
    otherMaps: [[Map(.scores, 2), Map(.objectness, 1), Map(.boxes, 14, holdsPoints: true)]],
    forms: [
      levels(
        squares: [(8, [10, 16, 24]), (16, [32, 48]), (32, [64, 96]), (64, [128, 192, 256])])
    ], note: ", joined or not",
    feed: { recipe, _ in
      recipe.planes = .bgr
      recipe.divisor = 1
      recipe.fill = 0
    }
  ) { level in
    let (stride, anchors) = (Double(level.stride), level.anchors)
    let isJoined = level.maps[0].key == .values
    let boxes = isJoined ? 0 : 2
    @Sendable func value(_ cell: CellValues, _ index: Int) -> Double {
      if isJoined { return cell[0, 17 * cell.anchor + index] }
      return switch index {
      case ..<14: cell[2, 14 * cell.anchor + index]
      case ..<16: cell[0, 2 * cell.anchor + index - 14]
      default: cell[1, cell.anchor]
      }
    }
    @Sendable func logit(_ cell: CellValues) -> Double { value(cell, 15) - value(cell, 14) }
    @Sendable func overlap(_ cell: CellValues) -> Double { min(max(value(cell, 16), 0), 1) }
    @Sendable func point(_ cell: CellValues, _ first: Int) -> Point2D {
      let anchor = anchors[cell.anchor]
      return Point2D(
        x: (Double(cell.column) + 0.5) * stride + 0.1 * value(cell, first) * anchor.width,
        y: (Double(cell.row) + 0.5) * stride + 0.1 * value(cell, first + 1) * anchor.height)
    }
    return FaceHead(
      level, scoring: "√(σ(face − background) · overlap)",
      parts: [("class", { sigmoid(logit($0)) }), ("overlap", overlap)],
      // √σ(t) is less than σ(max(t, t / 2) + 1.1) for any t.
      limit: { max(logit($0), logit($0) / 2) + 1.1 },
      numbers: [
        .init(.center, "(C + 0.5) · S + 0.1 t · A", in: boxes),
        .init(.size, "A · exp(0.2 t)", in: boxes, from: 2),
        .init(.points, "(C + 0.5) · S + 0.1 t · A", in: boxes, from: 4),
        .init(["overlap"], "t", in: isJoined ? 0 : 1, from: isJoined ? 16 : 0),
      ], confidence: { ConfidenceForm(isProbability: false).decoded("class", logit($0)) }
    ) { cell in
      let anchor = anchors[cell.anchor]
      return Face(
        score: Float((sigmoid(logit(cell)) * overlap(cell)).squareRoot()),
        box: Box(
          center: point(cell, 0),
          size: Size2D(
            width: anchor.width * exp(0.2 * value(cell, 2)),
            height: anchor.height * exp(0.2 * value(cell, 3)))),
        landmarks: level.landmarks { point(cell, 4 + 2 * $0) })
    }
  }
}
