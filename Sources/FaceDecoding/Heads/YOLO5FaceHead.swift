import Geometry

/// One output of the network: a grid of cells, each of which proposes one face per anchor.
///
/// An anchor in a cell has 16 raw values t:
///
///     0 … 3    box: tx, ty, tw, th
///     4        objectness
///     5 … 14   landmarks: x, y of right eye, left eye, nose, right mouth corner, left mouth corner
///     15       class
///
/// which decode, with σ the logistic function, to network input pixels:
///
///     box centre  (2 σ(t) − 0.5 + cell) · stride
///     box size    (2 σ(t))² · anchor
///     landmark    t · anchor + cell · stride
///     score       σ(objectness) · σ(class), or σ(objectness)
///
/// Boxes are YOLOv5's, landmarks those of YOLO5Face (Qi et al., "YOLO5Face: Why Reinventing a Face
/// Detector", 2021, https://arxiv.org/abs/2105.12931).
public struct DetectionHead: Sendable, Hashable {
  /// Raw values per anchor and cell.
  public static let valuesPerAnchor = 16
  /// Where among the 16 values the objectness is.
  public static let objectnessIndex = 4
  /// Where among the 16 values the first landmark's x is.
  public static let landmarksIndex = 5
  /// Where among the 16 values the class is.
  public static let classIndex = 15

  /// Input pixels from one cell to the next, in both directions.
  public let stride: Int
  /// The box sizes, in input pixels, that the network's values scale.
  public let anchors: [Size]

  /// A head from its stride and anchors.
  ///
  /// - Precondition: `stride` is positive and there is at least one anchor.
  public init(stride: Int, anchors: [Size]) {
    precondition(stride > 0, "a detection head needs a positive stride, not \(stride)")
    precondition(!anchors.isEmpty, "a detection head needs at least one anchor")
    self.stride = stride
    self.anchors = anchors
  }

  /// The three heads of the YOLOFace models, in the order of the network's outputs: small, medium
  /// and large faces.
  public static let yoloFace = [
    DetectionHead(
      stride: 8,
      anchors: [
        Size(width: 4, height: 5), Size(width: 8, height: 10), Size(width: 13, height: 16),
      ]),
    DetectionHead(
      stride: 16,
      anchors: [
        Size(width: 23, height: 29), Size(width: 43, height: 55), Size(width: 73, height: 105),
      ]),
    DetectionHead(
      stride: 32,
      anchors: [
        Size(width: 146, height: 217), Size(width: 231, height: 300), Size(width: 335, height: 433),
      ]),
  ]

  /// The face that one anchor of one cell proposes, in network input pixels.
  ///
  /// - Parameters:
  ///   - values: the 16 raw values.
  ///   - anchor: an index into `anchors`.
  ///   - column: the cell's column, from the left.
  ///   - row: the cell's row, from the top.
  ///   - threshold: the lowest score wanted, and how to score.
  /// - Returns: nil where the score is below the threshold, or a value is NaN or infinite.
  public func decode(
    _ values: SIMD16<Float>, anchor: Int, column: Int, row: Int, threshold: ScoreThreshold
  ) -> Face? {
    let isFinite = all((values - values) .== 0)
    guard isFinite, threshold.admits(objectness: values[DetectionHead.objectnessIndex]) else {
      return nil
    }
    let t = SIMD16<Double>(values)
    let objectness = sigmoid(t[DetectionHead.objectnessIndex])
    let score =
      switch threshold.rule {
      case .objectnessTimesClass: Float(objectness * sigmoid(t[DetectionHead.classIndex]))
      case .objectness: Float(objectness)
      }
    guard score >= threshold.score else { return nil }

    let (x, y, stride) = (Double(column), Double(row), Double(stride))
    let anchor = anchors[anchor]
    let (relativeWidth, relativeHeight) = (2 * sigmoid(t[2]), 2 * sigmoid(t[3]))
    let box = Rectangle(
      center: Point(
        x: (2 * sigmoid(t[0]) - 0.5 + x) * stride, y: (2 * sigmoid(t[1]) - 0.5 + y) * stride),
      size: Size(
        width: relativeWidth * relativeWidth * anchor.width,
        height: relativeHeight * relativeHeight * anchor.height))
    func landmark(_ number: Int) -> Point {
      let index = DetectionHead.landmarksIndex + 2 * number
      return Point(
        x: t[index] * anchor.width + x * stride, y: t[index + 1] * anchor.height + y * stride)
    }
    return Face(
      score: score, objectness: Float(objectness), box: box,
      landmarks: Landmarks(
        rightEye: landmark(0), leftEye: landmark(1), nose: landmark(2),
        rightMouth: landmark(3), leftMouth: landmark(4)))
  }

  /// Decodes a whole output and appends the candidates that reach the threshold, in network input
  /// pixels, by anchor, then row, then column.
  ///
  /// - Parameters:
  ///   - output: the blob of C × H × W = anchors × (rows · columns) × 16 raw values.
  ///   - columns: cells per row: the input's width divided by `stride`.
  ///   - rows: rows of cells: the input's height divided by `stride`.
  ///   - threshold: the lowest score wanted, and how to score.
  ///   - candidates: where they are appended. Cells with a NaN or infinite value are left out.
  /// - Throws: `DetectionHeadError`, before anything is appended, where the grid is impossible or
  ///   the output has not the number of values that the grid asks for.
  public func appendCandidates(
    from output: Span<Float>, columns: Int, rows: Int, threshold: ScoreThreshold,
    to candidates: inout [Face]
  ) throws(DetectionHeadError) {
    let expected = try valueCount(columns: columns, rows: rows)
    guard output.count == expected else {
      throw .outputCount(expected: expected, found: output.count)
    }
    var first = 0
    for anchor in anchors.indices {
      for row in 0..<rows {
        for column in 0..<columns {
          if threshold.admits(objectness: output[first + DetectionHead.objectnessIndex]) {
            var values = SIMD16<Float>()
            for index in values.indices { values[index] = output[first + index] }
            if let face = decode(
              values, anchor: anchor, column: column, row: row, threshold: threshold)
            {
              candidates.append(face)
            }
          }
          first += DetectionHead.valuesPerAnchor
        }
      }
    }
  }

  /// The number of raw values for a grid of cells.
  private func valueCount(columns: Int, rows: Int) throws(DetectionHeadError) -> Int {
    guard columns >= 1, rows >= 1 else { throw .grid(columns: columns, rows: rows) }
    var count = DetectionHead.valuesPerAnchor
    for factor in [anchors.count, rows, columns] {
      let (product, overflow) = count.multipliedReportingOverflow(by: factor)
      if overflow { throw .grid(columns: columns, rows: rows) }
      count = product
    }
    return count
  }
}

/// Why an output cannot be decoded.
public enum DetectionHeadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A grid without cells, or with more than can be counted.
  case grid(columns: Int, rows: Int)
  /// The output has not anchors × rows × columns × 16 values.
  case outputCount(expected: Int, found: Int)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .grid(let columns, let rows):
      "detection head of \(columns) × \(rows) cells: each side must be at least 1, and the number "
        + "of values must be countable"
    case .outputCount(let expected, let found):
      "detection head output of \(found) values, expected \(expected)"
    }
  }
}
