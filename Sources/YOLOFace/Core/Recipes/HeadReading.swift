import FaceDecoding
import Inference
import Raster

/// All that a head says of a picture, cell by cell.
public struct HeadReading: Sendable {
  /// The cells over the input.
  public let grid: CellGrid
  /// The candidates of all cells whose values are finite, in network input pixels, by anchor, row and column.
  public let candidates: [Candidate]
  /// Numbers from 0 to 1 for every proposal: the score, NaN where a value is not finite, then the
  /// numbers that it is made of.
  public let quantities: [FaceHead.Confidence]

  fileprivate init(
    of head: FaceHead, in blobs: [(shape: [Int], values: [Float])], _ grid: CellGrid
  ) throws(FaceHeadError) {
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

extension Engine {
  /// What each head of a recipe says of a letterboxed picture.
  ///
  /// - Parameters:
  ///   - input: the network's input, of a size that the recipe allows.
  ///   - recipe: the one that the engine was made with.
  ///   - timer: receives the time of each step of the network.
  public func readings(
    of input: RGBImage, _ recipe: ModelRecipe, timer: ((StepTime) -> Void)? = nil
  ) throws(InferenceError) -> Result<[HeadReading], FaceHeadError> {
    var readings: [HeadReading] = []
    var refusal: FaceHeadError?
    try run(
      picture: input.pixels, rows: input.height, columns: input.width, timer: timer
    ) { outputs throws(InferenceError) in
      for head in recipe.heads where refusal == nil {
        let grid = head.grid(inputWidth: input.width, inputHeight: input.height)
        let blobs = try outputs.blobs(of: head)
        do throws(FaceHeadError) {
          readings.append(try HeadReading(of: head, in: blobs, grid))
        } catch {
          refusal = error
        }
      }
    }.get()
    return refusal.map { .failure($0) } ?? .success(readings)
  }
}
