import Geometry

/// The head of YOLOv7-face and YOLOv7-lite: boxes as `YOLO5FaceHead`'s, landmarks as those of
/// YOLO-Pose. Without landmarks it is the head of YOLOv5 and YOLOv7 of one class.
///
/// Its blob holds 21 channels for each anchor, or the first 6:
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
public struct YOLO7FaceHead: Sendable, Hashable {
  /// Channels for each anchor, with landmarks.
  public static let valuesPerAnchor = 21

  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// The box sizes, in input pixels, that the network's values scale.
  public let anchors: [Size]
  /// Whether faces have landmarks.
  public let hasLandmarks: Bool

  /// A head from its parts.
  ///
  /// - Precondition: `stride` is positive and there is at least one anchor.
  public init(stride: Int, anchors: [Size], hasLandmarks: Bool = true) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(!anchors.isEmpty, "a head needs at least one anchor")
    self.stride = stride
    self.anchors = anchors
    self.hasLandmarks = hasLandmarks
  }

  /// The heads of yolov7-lite, yolov7-tiny and yolov7s.
  public static let yolo7Face = [
    (8, [(4, 5), (6, 8), (10, 12)]), (16, [(15, 19), (23, 30), (39, 52)]),
    (32, [(72, 97), (123, 164), (209, 297)]),
  ].map { YOLO7FaceHead(stride: $0, anchors: sizes($1)) }

  /// The `FaceHead` that reads the blob of this name.
  public func reading(_ blob: String) -> FaceHead {
    let width = hasLandmarks ? YOLO7FaceHead.valuesPerAnchor : 6
    @Sendable func value(_ cell: CellValues, _ index: Int) -> Double {
      cell[0, width * cell.anchor + index]
    }
    let scale = Double(stride)
    return FaceHead(
      maps: [FaceHead.Map(blob: blob, channels: width * anchors.count)], stride: stride,
      anchors: anchors, scoring: "σ(objectness) · σ(class)",
      parts: [
        ("objectness", { sigmoid(value($0, 4)) }), ("class", { sigmoid(value($0, 5)) }),
      ],
      limit: { min(value($0, 4), value($0, 5)) }
    ) { cell in
      let (x, y) = (Double(cell.column), Double(cell.row))
      let anchor = anchors[cell.anchor]
      let (width, height) = (2 * sigmoid(value(cell, 2)), 2 * sigmoid(value(cell, 3)))
      return Face(
        score: Float(sigmoid(value(cell, 4)) * sigmoid(value(cell, 5))),
        box: Rectangle(
          center: Point(
            x: (2 * sigmoid(value(cell, 0)) - 0.5 + x) * scale,
            y: (2 * sigmoid(value(cell, 1)) - 0.5 + y) * scale),
          size: Size(
            width: width * width * anchor.width, height: height * height * anchor.height)),
        landmarks: hasLandmarks
          ? Landmarks { number in
            Point(
              x: (2 * value(cell, 6 + 3 * number) - 0.5 + x) * scale,
              y: (2 * value(cell, 7 + 3 * number) - 0.5 + y) * scale)
          } : nil)
    }
  }
}
