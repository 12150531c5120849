import Geometry

/// The rows of SSD's detections, as ncnn's DetectionOutput gives them: boxes are decoded, and of those that
/// overlap only the best are left.
///
/// Its blob holds six numbers for each row: class, score, and left, top, right and bottom edge as shares of the
/// input's sides. Rows of class 0, the background, are empty.
///
/// Liu et al., "SSD: Single Shot MultiBox Detector", 2016, https://arxiv.org/abs/1512.02325.
public struct SSDHead: Sendable, Hashable {
  /// The input's longer side, in pixels: all rows belong to one cell that covers it.
  public let stride: Int
  /// How many rows there are.
  public let rows: Int

  /// A head from its parts.
  ///
  /// - Precondition: both numbers are positive.
  public init(stride: Int, rows: Int) {
    precondition(stride > 0, "a head needs a positive stride, not \(stride)")
    precondition(rows > 0, "a head reads at least one row, not \(rows)")
    self.stride = stride
    self.rows = rows
  }

  /// The `FaceHead` that reads the blob of this name.
  public func reading(_ blob: String) -> FaceHead {
    let side = Double(stride)
    return FaceHead(
      blobs: [blob], stride: stride,
      anchors: Array(repeating: Size(width: side, height: side), count: rows),
      scoring: "the score itself", shapes: { _ in [[rows, 6]] }
    ) { values, grid, threshold, body in
      let input = grid.inputSize ?? Letterbox.InputSize(width: stride, height: stride)
      for row in 0..<rows {
        let numbers = values[0][6 * row..<6 * row + 6].map { Double($0) }
        guard numbers.allSatisfy({ $0.isFinite }), numbers[0] > 0, numbers[1] <= 1,
          Float(numbers[1]) >= threshold.score
        else { continue }
        let (width, height) = (Double(input.width), Double(input.height))
        let box = Rectangle(
          corner: Point(x: numbers[2] * width, y: numbers[3] * height),
          opposite: Point(x: numbers[4] * width, y: numbers[5] * height))
        body(
          Candidate(
            face: Face(score: Float(numbers[1]), box: box), anchor: row, row: 0, column: 0))
      }
    }
  }
}
