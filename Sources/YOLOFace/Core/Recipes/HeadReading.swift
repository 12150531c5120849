// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceRaster

/// All that a head says of a picture, cell by cell.
@_spi(Tool) public struct HeadReading: Sendable {
  /// The cells over the input.
  public let grid: CellGrid
  /// The candidates of all cells whose values are finite, in network input pixels, by anchor, row and column.
  public let candidates: [Candidate]
  /// Numbers from 0 to 1 for every proposal: the score, NaN where a value is not finite, then the
  /// numbers that it is made of.
  public let quantities: [FaceHead.Confidence]

  fileprivate init(
    of head: FaceHead, in blobs: [(shape: [Int], values: [Float])], _ grid: CellGrid
  ) throws(ValueError) {
    candidates = try head.candidates(in: blobs, grid, threshold: ScoreThreshold(0))
    var scores = [Float](repeating: .nan, count: head.anchors.count * grid.count)
    for candidate in candidates {
      let row = candidate.anchor * grid.rows + candidate.row
      scores[row * grid.columns + candidate.column] = candidate.face.score
    }
    quantities =
      [FaceHead.Confidence(name: "score", values: scores)]
      + (try head.confidences(in: blobs, grid))
    self.grid = grid
  }
}

extension FaceDetector {
  /// What each head of the recipe says of a letterboxed picture.
  ///
  /// - Parameters:
  ///   - input: the network's input, of a size that the recipe allows.
  ///   - timer: receives the time of each step of the network.
  @_spi(Tool) public func readings(
    of input: RGBImage, timer: ((StepTime) -> Void)? = nil
  ) throws(DetectionError) -> [HeadReading] {
    var readings: [HeadReading] = []
    try run(on: input, timer: timer) { outputs throws(DetectionError) in
      for head in recipe.heads {
        let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
        let blobs = try outputs.blobs(of: head)
        readings.append(try namingValue(HeadReading(of: head, in: blobs, grid)))
      }
    }
    return readings
  }
}
