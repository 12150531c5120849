import Inference
import YOLOFace

/// The raw values of every cell of every head, as a detection sees them, and the times of the steps
/// that it took.
struct HeadCells {
  /// What one head says of its cells.
  struct Confidences {
    var grid: Grid
    /// Anchors × rows × columns; NaN where the network gave no number.
    var objectness, classes: [Float]
  }

  /// A cell's proposal that is worth decoding.
  struct Proposal {
    var head, anchor, row, column: Int
    var score: Float
    var values: SIMD16<Float>
  }

  private(set) var heads: [Confidences]
  /// By head, anchor, row and column.
  private var proposals: [Proposal] = []
  private(set) var steps: [StepTime]

  /// How often the network is run to find the median time of each step.
  private static let repetitions = 9

  init(of input: RGBImage, by detector: FaceDetector) throws {
    let outputs = detector.recipe.outputs
    var heads = outputs.map { output in
      let grid = Grid(of: input, stride: output.head.stride)
      let empty = [Float](
        repeating: .nan, count: output.head.anchors.count * grid.rows * grid.columns)
      return Confidences(grid: grid, objectness: empty, classes: empty)
    }
    var proposals: [Proposal] = []
    let threshold = ScoreThreshold(Explanation.lowestScore)
    var times = MedianTimes()
    for repetition in 0..<Self.repetitions {
      times.startRun()
      let isLast = repetition == Self.repetitions - 1
      try detector.engine.run(
        picture: input.pixels, rows: input.height, columns: input.width,
        timer: { times.add($0) }
      ) { blobs in
        try detector.forEachCell(of: blobs, input, from: isLast ? -.infinity : .infinity) {
          number, anchor, row, column, values in
          let grid = heads[number].grid
          let cell = (anchor * grid.rows + row) * grid.columns + column
          heads[number].objectness[cell] = values[DetectionHead.objectnessIndex]
          heads[number].classes[cell] = values[DetectionHead.classIndex]
          let face = outputs[number].head.decode(
            values, anchor: anchor, column: column, row: row, threshold: threshold)
          if let face {
            proposals.append(
              Proposal(
                head: number, anchor: anchor, row: row, column: column, score: face.score,
                values: values))
          }
        }
      }
    }
    self.heads = heads
    self.proposals = proposals
    steps = times.steps
  }

  /// The best proposals, still by head, anchor, row and column, and how many there are in all.
  func best(_ count: Int) -> (kept: [Proposal], total: Int) {
    let order = proposals.indices.sorted { a, b in
      let (first, second) = (proposals[a].score, proposals[b].score)
      return first == second ? a < b : first > second
    }
    return (order.prefix(count).sorted().map { proposals[$0] }, proposals.count)
  }
}

/// A head and the confidences of its cells.
struct HeadReport: Encodable, Sendable {
  var blob: String
  var stride, rows, columns: Int
  /// Width and height of each.
  var anchors: [[Double]]
  /// Raw values, anchors × rows × columns of fp32.
  var objectness, classes: Base64

  init(_ output: ModelRecipe.Output, _ cells: HeadCells.Confidences) {
    blob = output.blob
    stride = output.head.stride
    rows = cells.grid.rows
    columns = cells.grid.columns
    anchors = output.head.anchors.map { [$0.width, $0.height] }
    objectness = Base64(cells.objectness)
    classes = Base64(cells.classes)
  }
}

/// The proposals of best score, as the network gave them.
struct CandidateReport: Encodable, Sendable {
  /// How many reach the lowest score, kept here or not.
  var total: Int
  /// The lowest score of those kept.
  var lowestScore: Double
  /// Head, anchor, row and column of each.
  var cells: [Int]
  /// 16 raw values of each, fp32.
  var values: Base64

  init(_ candidates: (kept: [HeadCells.Proposal], total: Int)) {
    let kept = candidates.kept
    total = candidates.total
    lowestScore =
      kept.count < total
      ? Double(kept.map(\.score).min() ?? 0) : Double(Explanation.lowestScore)
    cells = kept.flatMap { [$0.head, $0.anchor, $0.row, $0.column] }
    values = Base64(
      kept.flatMap { proposal in proposal.values.indices.map { proposal.values[$0] } })
  }
}
