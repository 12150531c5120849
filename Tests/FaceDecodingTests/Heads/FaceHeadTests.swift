// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceGeometry

@Suite struct FaceHeadTests {
  let head = YOLO5FaceHead.yoloFace[0].reading("out")
  let grid = CellGrid(rows: 2, columns: 3)

  /// 3 × (3 · 2) × 16 values; every tenth cell passes the gate.
  let output = (0..<288).map { index in
    index % 160 < 16 ? Float(index % 16) / 8 - 1 : Float(-20)
  }

  @Test(arguments: [(24, 16, 3, 2), (25, 17, 4, 3), (23, 9, 3, 2), (0, 1, 0, 1)])
  func gridsCoverTheInput(width: Int, height: Int, columns: Int, rows: Int) {
    let grid = head.grid(inputWidth: width, inputHeight: height)
    #expect([grid.columns, grid.rows] == [columns, rows])
    #expect(grid.inputSize == Letterbox.InputSize(width: width, height: height))
  }

  @Test func candidatesNameTheirCells() throws {
    let candidates = try head.candidates(
      in: [([3, 6, 16], output)], grid, threshold: ScoreThreshold(0.01))
    #expect(candidates.map { [$0.anchor, $0.row, $0.column] } == [[0, 0, 0], [1, 1, 1]])
    var faces: [Face] = []
    try YOLO5FaceHead.yoloFace[0].appendCandidates(
      from: output.span, columns: 3, rows: 2, threshold: ScoreThreshold(0.01), to: &faces)
    #expect(candidates.map(\.face) == faces)
  }

  @Test func theGateFindsTheSameFaces() throws {
    let gate = try #require(head.gate)
    #expect(gate.width == 16 && gate.index == 4)
    #expect(gate.minimum(ScoreThreshold(0.5)) == ScoreThreshold(0.5).logit)
    let threshold = ScoreThreshold(0.01)
    let values = Array(output[160..<176])
    #expect(
      gate.face(values.span, (anchor: 1, row: 1, column: 1), threshold)
        == (try head.candidates(in: [([3, 6, 16], output)], grid, threshold: threshold))[1].face)
  }

  @Test func confidencesAreProbabilities() throws {
    let confidences = try head.confidences(in: [([3, 6, 16], output)], grid)
    #expect(confidences.map(\.name) == ["objectness", "class"])
    #expect(confidences.allSatisfy { $0.values.count == 18 })
    // σ(−0.5) and σ(0.875), by hand.
    #expect(isClose(Double(confidences[0].values[10]), 0.377_541, tolerance: 1e-6))
    #expect(isClose(Double(confidences[1].values[10]), 0.705_785, tolerance: 1e-6))
  }

  @Test(arguments: [[], [288], [3, 6, 15], [3, 16, 6], [1, 6, 16]])
  func refusesBlobsOfAnotherShape(shape: [Int]) {
    let values = [Float](repeating: 0, count: shape.reduce(1, *))
    let error = ValueError("found shape \(shape) of out, expected [3, 6, 16]")
    #expect(throws: error) {
      try head.candidates(in: [(shape, values)], grid, threshold: ScoreThreshold(0))
    }
    #expect(throws: error) { try head.confidences(in: [(shape, values)], grid) }
  }

  @Test(arguments: [(1, 0), (Int.max, 2), (.max, 1)])
  func refusesGridsThatCannotBeCounted(rows: Int, columns: Int) {
    let outputs = [(shape: [3, columns == 0 ? 0 : .max, 16], values: [Float]())]
    let grid = CellGrid(rows: rows, columns: columns)
    #expect(throws: ValueError.self) {
      try head.candidates(in: outputs, grid, threshold: ScoreThreshold(0))
    }
  }

  @Test(arguments: [0, 287, 289])
  func refusesAsManyValuesAsTheShapeDoesNotHave(count: Int) {
    let values = [Float](repeating: 0, count: count)
    let error = ValueError("detection head output of \(count) values, expected 288")
    #expect(throws: error) {
      try head.candidates(in: [([3, 6, 16], values)], grid, threshold: ScoreThreshold(0))
    }
    #expect(throws: error) { try head.confidences(in: [([3, 6, 16], values)], grid) }
  }

  @Test func headsWithAGateReadOneBlob() async {
    await #expect(processExitsWith: .failure) {
      let gate = FaceHead.Gate(width: 1, index: 0, minimum: { $0.score }, face: { _, _, _ in nil })
      let anchors = [Size2D(width: 8, height: 8)]
      _ = FaceHead(
        blobs: ["a", "b"], stride: 8, anchors: anchors, scoring: "", gate: gate,
        shapes: { _ in [[1], [1]] }
      ) { _, _, _, _ in }
    }
  }
}
