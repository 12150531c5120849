// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceLibC

extension FaceFamily {
  /// YOLOv8-face: each cell proposes one face, the sides of its box as distributions.
  ///
  /// Its blobs, or one that joins them, hold
  ///
  ///     64 channels   16 numbers for each of the left, upper, right and lower side: with their softmax
  ///                   as weights, the mean of 0 … 15 is the side's distance d from the cell's middle
  ///     1 channel     t, the score's
  ///     15 channels   x, y and visibility of right eye, left eye, nose, right mouth corner, left
  ///                   mouth corner
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     score       σ(t)
  ///     box         from (cell + 0.5 − d) · stride to (cell + 0.5 + d) · stride, cell being (column, row)
  ///     landmark    (2 (x, y) + cell) · stride
  ///
  /// https://github.com/derronqi/yolov8-face; the distributions are those of Li et al., "Generalized
  /// Focal Loss", 2020, https://arxiv.org/abs/2006.04388.
  public static let yolo8Face = FaceFamily(
    "yolo8Face", name: "YOLOv8-face",
    maps: [Map(.boxes, 4 * bins), Map(.scores, 1), Map(.points, 15)],
    otherMaps: [
      [Map(.values, 4 * bins + 16, holdsPoints: true)],
      [Map(.values, 4 * bins + 1), Map(.points, 15)],
    ],
    forms: [levels(8, 16, 32), levels(8, 16, 32, 64)], note: ", joined or not",
    accepts: { recipe, levels, _ in
      for (index, level) in levels.enumerated() {
        guard let joined = recipe.levels[index].values else { continue }
        let parts = level.maps.first { $0.blob == joined }?.parts ?? []
        switch parts.map({ $0.channels }) {
        case [4 * bins, 1, 15]: break
        // As Ultralytics exports it.
        case [4 * bins, 1]:
          recipe.levels[index].values = nil
          (recipe.levels[index].boxes, recipe.levels[index].scores) = (parts[0].blob, parts[1].blob)
        default: return false
        }
      }
      return true
    }
  ) { level in
    let scale = Double(level.stride)
    let isJoined = level.maps[0].key == .values
    // The map and the channel of the score, and of the first landmark's x.
    let confidence = isJoined ? (map: 0, channel: 4 * bins) : (map: 1, channel: 0)
    let point = isJoined ? (map: 0, channel: 4 * bins + 1) : (map: 2, channel: 0)
    return FaceHead(
      level, score: "class", { $0[confidence.map, confidence.channel] },
      numbers: [
        .init(.sides, "(C + 0.5 ∓ t) · S", bins: bins),
        .init(.points, "(2 t + C) · S", in: point.map, from: point.channel, order: withVisibility),
      ]
    ) { cell, score in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let sides = (0..<4).map { meanOfBins(cell, from: $0 * bins) }
      return Face(
        score: score,
        box: Box(
          corner: Point2D(x: (x + 0.5 - sides[0]) * scale, y: (y + 0.5 - sides[1]) * scale),
          opposite: Point2D(x: (x + 0.5 + sides[2]) * scale, y: (y + 0.5 + sides[3]) * scale)),
        landmarks: level.landmarks { number in
          Point2D(
            x: (2 * cell[point.map, point.channel + 3 * number] + x) * scale,
            y: (2 * cell[point.map, point.channel + 3 * number + 1] + y) * scale)
        })
    }
  }
}

/// The numbers of each distribution.
private let bins = 16

private func meanOfBins(_ cell: CellValues, from first: Int) -> Double {
  let values = (0..<bins).map { cell[0, first + $0] }
  // Of the largest, so that no exponential overflows.
  let largest = values.reduce(-.infinity, max)
  var (sum, moment) = (0.0, 0.0)
  for (bin, value) in values.enumerated() {
    let weight = exp(value - largest)
    sum += weight
    moment += weight * Double(bin)
  }
  return moment / sum
}
