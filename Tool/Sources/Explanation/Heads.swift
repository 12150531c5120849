// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceDecoding
@_spi(Tool) import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

/// What the heads give for every cell, and the times of the network's steps.
struct HeadCells {
  /// A head's candidate with at least the lowest score of the page.
  struct Proposal {
    var head: Int
    var candidate: Candidate
  }

  let heads: [HeadReport]
  /// The proposals by head, anchor, row and column.
  private let proposals: [Proposal]
  let steps: [StepTime]

  private static let repetitions = 9

  init(of input: RGBImage, by detector: FaceDetector) throws {
    var times = MedianTimes()
    times.startRun()
    let readings = try detector.readings(of: input) { times.add($0) }
    for _ in 1..<Self.repetitions {
      times.startRun()
      try detector.engine.run(
        picture: input.pixels, rows: input.height, columns: input.width,
        timer: { times.add($0) }
      ) { _ in }.get()
    }
    let network = detector.engine.network
    let shapes = try ShapeInference(
      network, inputs: [detector.recipe.input: [3, input.height, input.width]]
    ).shapes
    let fields = ReceptiveFieldInference(of: network, shapes: shapes)
    heads = try zip(detector.recipe.heads, readings).map {
      try HeadReport($0, $1, fields[$0.blobs[0]])
    }
    proposals = readings.enumerated().flatMap { number, reading in
      reading.candidates.filter { $0.face.score >= Explanation.lowestScore }
        .map { Proposal(head: number, candidate: $0) }
    }
    steps = times.steps
  }

  /// The best `count` proposals, still by head, anchor, row and column, and the number of all.
  func best(_ count: Int) -> (kept: [Proposal], total: Int) {
    let scores = proposals.map(\.candidate.face.score)
    let order = proposals.indices.sorted { scores[$0] > scores[$1] }
    return (order.prefix(count).sorted().map { proposals[$0] }, proposals.count)
  }
}

/// A head and what it gives for its cells.
struct HeadReport: Encodable, Sendable {
  /// A number for every proposal, 0 to 1.
  struct Quantity: Encodable, Sendable {
    var name: String
    /// Anchors × rows × columns of fp32.
    var values: Base64
  }

  var blobs: [String]
  var stride, rows, columns: Int
  /// The size of a cell in input pixels.
  var cellWidth, cellHeight: Double
  /// The width and height of each anchor.
  var anchors: [[Double]]
  /// How the score follows from a cell's values.
  var scoring: String
  /// What a cell's values decode to: for each its name, and its formula for the first cell.
  var decoding: [[String]]
  /// The score, then the numbers that it is made of.
  var quantities: [Quantity]
  /// The input pixels that each row of cells sees, the first and the last in turn, and each column of
  /// them; absent where that is the whole input or not known.
  var seenRows, seenColumns: [Int]?

  /// The cells of an input of at least this side are described, for the reader may choose a larger one.
  private static let leastSide = 1280

  init(_ head: FaceHead, _ reading: HeadReading, _ field: ReceptiveField) throws {
    (blobs, stride) = (head.blobs, head.stride)
    (rows, columns) = (reading.grid.rows, reading.grid.columns)
    let cell = head.cellSize(in: reading.grid)
    (cellWidth, cellHeight) = (cell.width, cell.height)
    anchors = head.anchors.map { [$0.width, $0.height] }
    scoring = head.scoring
    let grid = CellGrid(rows: 1, columns: 1, inputSize: reading.grid.inputSize)
    let zeros = head.shapes(grid).map {
      (shape: $0, values: [Float](repeating: 0, count: $0.reduce(1, *)))
    }
    decoding = try head.decoding(of: (0, 0, 0), in: zeros, grid).map { [$0.name, $0.formula] }
    quantities = reading.quantities.map { Quantity(name: $0.name, values: Base64($0.values)) }
    if case .windows(let windows, let across, _) = field {
      let count = max(rows, columns, Self.leastSide / stride)
      seenRows = (0..<count).flatMap { [windows[$0].lowerBound, windows[$0].upperBound] }
      seenColumns = (0..<count).flatMap { [across[$0].lowerBound, across[$0].upperBound] }
    }
  }
}

/// The candidates with the best scores, decoded, in network input pixels.
struct CandidateReport: Encodable, Sendable {
  /// How many reach the lowest score, kept here or not.
  var total: Int
  /// The lowest score of those kept.
  var lowestScore: Double
  /// Head, anchor, row and column of each.
  var cells: [Int]
  /// The score of each, fp32.
  var scores: Base64
  /// Left, top, width and height of each; fp64.
  var boxes: Base64
  /// x and y of each one's landmarks, NaN where it has none; fp64.
  var landmarks: Base64

  init(_ candidates: (kept: [HeadCells.Proposal], total: Int)) {
    let faces = candidates.kept.map(\.candidate.face)
    total = candidates.total
    lowestScore =
      faces.count < total
      ? Double(faces.map(\.score).min() ?? 0) : Double(Explanation.lowestScore)
    cells = candidates.kept.flatMap {
      [$0.head, $0.candidate.anchor, $0.candidate.row, $0.candidate.column]
    }
    scores = Base64(faces.map(\.score))
    boxes = Base64(faces.flatMap { [$0.box.x, $0.box.y, $0.box.width, $0.box.height] })
    landmarks = Base64(
      faces.flatMap { face in
        face.landmarks?.points.flatMap { [$0.x, $0.y] }
          ?? Array(repeating: .nan, count: 2 * Landmarks.names.count)
      })
  }
}
