// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

extension FaceFamily {
  /// MediaPipe's BlazeFace: a cell proposes faces around its middle, all in the same way.
  ///
  /// Its blobs hold, for each of the cell's proposals in turn,
  ///
  ///     1 channel     t, the score's
  ///     16 channels   x, y, width, height, and x, y of six points
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box centre  (cell + 0.5) · stride + (x, y), cell being (column, row)
  ///     box size    (width, height)
  ///
  /// MediaPipe bounds t to ±100, which changes no score that a threshold tells from 0 or 1, and drops boxes without
  /// an area, as this head does. It then averages boxes that overlap, weighted by their scores, where here the best
  /// of them stays. The six points, two of which are ears, have one for the mouth's middle but none for its corners,
  /// so they are no `Landmarks`: faces have a box alone.
  ///
  /// Bazarevsky et al., "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs", 2019,
  /// https://arxiv.org/abs/1907.05047; https://github.com/google-ai-edge/mediapipe.
  public static let blazeFace = FaceFamily(
    "blazeFace", name: "BlazeFace", proposals: .counted,
    maps: [Map(.scores, 1), Map(.boxes, valuesPerBox)],
    // Short range, a phone's back camera, and full range.
    forms: [
      levels(8, proposals: 2) + levels(16, proposals: 6),
      levels(16, proposals: 2) + levels(32, proposals: 6), levels(4, proposals: 1),
    ],
    feed: { recipe, levels in
      recipe.mean = [127.5, 127.5, 127.5]
      recipe.divisor = 127.5
      recipe.fill = 0
      let side = levels.count == 1 ? 192 : 16 * levels[0].stride
      recipe.size = .fixed(Letterbox.InputSize(width: side, height: side))
    }
  ) { level in
    let scale = Double(level.stride)
    return FaceHead(
      level, score: "score", { $0[0, $0.anchor] },
      numbers: [.init(.center, "(C + 0.5) · S + t", in: 1), .init(.size, "t", in: 1, from: 2)]
    ) { cell, score in
      let first = valuesPerBox * cell.anchor
      let size = Size2D(width: cell[1, first + 2], height: cell[1, first + 3])
      guard size.width > 0, size.height > 0 else { return nil }
      return Face(
        score: score,
        box: Box(
          center: Point2D(
            x: (Double(cell.column) + 0.5) * scale + cell[1, first],
            y: (Double(cell.row) + 0.5) * scale + cell[1, first + 1]), size: size))
    }
  }
}

/// Channels for each proposal's box and points.
private let valuesPerBox = 16
