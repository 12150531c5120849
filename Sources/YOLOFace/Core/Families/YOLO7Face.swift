// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

extension FaceFamily {
  /// YOLOv7-face and YOLOv7-lite: boxes as `YOLO5FaceHead`'s, landmarks as those of YOLO-Pose.
  ///
  /// Its blob holds 21 channels for each anchor:
  ///
  ///     0 … 3    box: tx, ty, tw, th
  ///     4, 5     objectness, class
  ///     6 … 20   x, y and visibility of right eye, left eye, nose, right mouth corner, left mouth
  ///              corner
  ///
  /// which decode, with σ the logistic function, to network input pixels:
  ///
  ///     box centre  (2 σ(t) − 0.5 + cell) · stride
  ///     box size    (2 σ(t))² · anchor
  ///     landmark    (2 t − 0.5 + cell) · stride
  ///     score       σ(objectness) · σ(class)
  ///
  /// https://github.com/derronqi/yolov7-face; Maji et al., "YOLO-Pose", 2022,
  /// https://arxiv.org/abs/2204.06806.
  public static let yolo7Face = FaceFamily(
    "yolo7Face", name: "YOLOv7-face", proposals: .anchors,
    maps: [Map(.values, 21, holdsPoints: true)],
    // The anchors of yolov7-lite, yolov7-tiny and yolov7s.
    forms: [
      [
        FamilyRecipe.Level(stride: 8, anchors: [[4, 5], [6, 8], [10, 12]]),
        FamilyRecipe.Level(stride: 16, anchors: [[15, 19], [23, 30], [39, 52]]),
        FamilyRecipe.Level(stride: 32, anchors: [[72, 97], [123, 164], [209, 297]]),
      ]
    ]
  ) { $0.yolo7() }
}

extension HeadLevel {
  /// The head of YOLOv7-face; without landmarks, that of YOLOv5 and YOLOv7 of one class.
  func yolo7() -> FaceHead {
    let (scale, anchors, width) = (Double(stride), anchors, hasPoints ? 21 : 6)
    @Sendable func value(_ cell: CellValues, _ index: Int) -> Double {
      cell[0, width * cell.anchor + index]
    }
    return FaceHead(
      self, scoring: "σ(objectness) · σ(class)",
      parts: [
        ("objectness", { sigmoid(value($0, 4)) }), ("class", { sigmoid(value($0, 5)) }),
      ],
      limit: { min(value($0, 4), value($0, 5)) },
      numbers: [
        .init(.center, "(2 σ(t) − 0.5 + C) · S"), .init(.size, "(2 σ(t))² · A", from: 2),
        .init(["objectness"], "σ(t)", from: 4), .init(["class"], "σ(t)", from: 5),
        .init(.points, "(2 t − 0.5 + C) · S", from: 6, order: withVisibility),
      ]
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let anchor = anchors[cell.anchor]
      let (width, height) = (2 * sigmoid(value(cell, 2)), 2 * sigmoid(value(cell, 3)))
      return Face(
        score: Float(sigmoid(value(cell, 4)) * sigmoid(value(cell, 5))),
        box: Box(
          center: Point2D(
            x: (2 * sigmoid(value(cell, 0)) - 0.5 + x) * scale,
            y: (2 * sigmoid(value(cell, 1)) - 0.5 + y) * scale),
          size: Size2D(
            width: width * width * anchor.width, height: height * height * anchor.height)),
        landmarks: landmarks { number in
          Point2D(
            x: (2 * value(cell, 6 + 3 * number) - 0.5 + x) * scale,
            y: (2 * value(cell, 7 + 3 * number) - 0.5 + y) * scale)
        })
    }
  }
}
