// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@Suite struct YOLO5FaceHeadTests {
  let everything = ScoreThreshold(0)

  @Test func yoloFaceHeads() {
    #expect(YOLO5FaceHead.yoloFace.map(\.stride) == [8, 16, 32])
    #expect(
      YOLO5FaceHead.yoloFace.map { $0.anchors.map(\.width) }
        == [[4, 8, 13], [23, 43, 73], [146, 231, 335]])
    #expect(
      YOLO5FaceHead.yoloFace.map { $0.anchors.map(\.height) }
        == [[5, 10, 16], [29, 55, 105], [217, 300, 433]])
  }

  @Test func needsAStrideAndAnAnchor() async {
    await #expect(processExitsWith: .failure) {
      _ = YOLO5FaceHead(stride: 0, anchors: [Size2D(width: 1, height: 1)])
    }
    await #expect(processExitsWith: .failure) { _ = YOLO5FaceHead(stride: 8, anchors: []) }
    await #expect(processExitsWith: .success) {
      _ = YOLO5FaceHead(stride: 1, anchors: [Size2D(width: 1, height: 1)])
    }
  }

  /// With ln 3 = 1.0986123, σ(ln 3) = ¾ and σ(−ln 3) = ¼, so that by hand, at stride 16, column 5,
  /// row 7, anchor 43 × 55:
  ///
  ///     centre   x (2 · ¾ − ½ + 5) · 16 = 96       y (2 · ¼ − ½ + 7) · 16 = 112
  ///     size     (2 · ¾)² · 43 = 96.75             (2 · ¼)² · 55 = 13.75
  ///     origin   of landmarks (80, 112)
  static let values = SIMD16<Float>(
    1.098_612_3, -1.098_612_3, 1.098_612_3, -1.098_612_3, 1.098_612_3,
    -1, -2, 1, -2, 0, 0.5, -0.5, 1, 2, 3,
    -1.098_612_3)

  static let decoded: [Double] = [
    96, 112, 96.75, 13.75, 0.75, 80 - 43, 112 - 110, 80 + 43, 112 - 110, 80, 112 + 27.5,
    80 - 21.5, 112 + 55, 80 + 86, 112 + 165, 0.25,
  ]

  @Test(arguments: [(ScoreRule.objectnessTimesClass, Float(0.1875)), (.objectness, 0.75)])
  func decodesByHand(rule: ScoreRule, score: Float) throws {
    let face = try #require(
      YOLO5FaceHead.yoloFace[1].scored(by: rule).decode(
        Self.values, anchor: 1, column: 5, row: 7, threshold: ScoreThreshold(0.1)))
    // ln 3 is rounded to Float, 2⁻²⁴ of it: some 10⁻⁵ of a pixel here.
    let expected = Box(x: 96 - 48.375, y: 112 - 6.875, width: 96.75, height: 13.75)
    #expect(isClose(face.box, expected, tolerance: 1e-4))
    let points = face.landmarks!.points.flatMap { [$0.x, $0.y] }
    #expect(points.elementsEqual(Self.decoded[5..<15]))
    #expect(isClose(Double(face.score), Double(score), tolerance: 1e-7))
  }

  /// The same numbers by name, with their formulas.
  @Test func saysWhatEachValueDecodesTo() throws {
    let head = YOLO5FaceHead.yoloFace[1]
    let grid = CellGrid(rows: 8, columns: 6)
    let cell = (anchor: 1, row: 7, column: 5)
    let values = Self.values.indices.map { Self.values[$0] }
    var byCell = [Float](repeating: -20, count: 3 * 48 * 16)
    for (index, value) in values.enumerated() {
      byCell[(48 + 7 * 6 + 5) * 16 + index] = value
    }
    let steps = try head.reading("out").decoding(
      of: cell, in: [(shape: [3, 48, 16], values: byCell)], grid)
    #expect(steps.map(\.raw) == values)
    #expect(steps[0].name == "centre x" && steps[0].formula == "(2 σ(t) − 0.5 + 5) · 16")
    #expect(steps[3].name == "height" && steps[3].formula == "(2 σ(t))² · 55")
    #expect(steps[12].name == "rightMouth y" && steps[12].formula == "t · 55 + 7 · 16")
    #expect(steps.count == Self.decoded.count)
    for (step, value) in zip(steps, Self.decoded) {
      #expect(isClose(step.value, value, tolerance: 1e-4), "\(step.name)")
    }
    #expect(throws: ValueError.self) {
      try head.reading("out").decoding(of: cell, in: [(shape: [3, 48, 15], values: byCell)], grid)
    }
  }

  @Test func scoreBelowTheThresholdIsNoFace() {
    func isFound(_ threshold: Float, rule: ScoreRule = .objectnessTimesClass) -> Bool {
      YOLO5FaceHead.yoloFace[1].scored(by: rule).decode(
        Self.values, anchor: 1, column: 5, row: 7, threshold: ScoreThreshold(threshold)) != nil
    }
    // The objectness, 0.75, passes; the product, 0.1875, decides.
    #expect(isFound(0.187) && !isFound(0.188))
    #expect(isFound(0.749, rule: .objectness) && !isFound(0.751, rule: .objectness))
    #expect(isFound(-1) && !isFound(2) && !isFound(.nan))
  }

  @Test(arguments: ScoreRule.allCases)
  func thresholdOneKeepsScoresThatRoundToOne(rule: ScoreRule) {
    var values = SIMD16<Float>()
    values[4] = 30
    values[15] = 30
    let threshold = ScoreThreshold(1)
    let head = YOLO5FaceHead.yoloFace[0].scored(by: rule)
    #expect(head.decode(values, anchor: 0, column: 0, row: 0, threshold: threshold)?.score == 1)
    values[4] = 10
    #expect(head.decode(values, anchor: 0, column: 0, row: 0, threshold: threshold) == nil)
  }

  @Test(arguments: [Float.nan, .signalingNaN, .infinity, -Float.infinity], ScoreRule.allCases)
  func cellsThatAreNotFiniteAreDropped(value: Float, rule: ScoreRule) {
    for index in 0..<16 {
      var values = SIMD16<Float>()
      values[index] = value
      let face = YOLO5FaceHead.yoloFace[0].scored(by: rule).decode(
        values, anchor: 0, column: 0, row: 0, threshold: everything)
      #expect(face == nil, "value \(index)")
    }
  }

  @Test(arguments: [3.4e38, -3.4e38, 1e-30])
  func hugeAndTinyValuesStayFinite(value: Float) throws {
    let face = try #require(
      YOLO5FaceHead.yoloFace[2].decode(
        SIMD16(repeating: value), anchor: 2, column: 511, row: 511, threshold: everything))
    #expect(face.box.minX.isFinite && face.box.maxX.isFinite)
    #expect(face.landmarks!.points.allSatisfy { $0.x.isFinite && $0.y.isFinite })
    #expect((0...1).contains(face.score))
  }

  /// An output of 3 × (3 · 2) × 16 values without a face.
  let background = [Float](repeating: -20, count: 3 * 3 * 2 * 16)

  @Test func scanAppendsCellsWhereTheyAre() throws {
    let head = YOLO5FaceHead.yoloFace[0]
    var output = background
    // Anchor, row, column of a 3 × 2 grid: rows of three cells, 16 values each.
    let cells = [(0, 0, 1), (1, 1, 2), (2, 1, 0)]
    for (anchor, row, column) in cells {
      let first = anchor * 96 + row * 48 + column * 16
      for index in 0..<16 { output[first + index] = 0 }
    }
    let known = Face(score: 1, box: Box(x: 0, y: 0, width: 1, height: 1))
    var candidates = [known]
    try head.appendCandidates(
      from: output.span, columns: 3, rows: 2, threshold: ScoreThreshold(0.25), to: &candidates)
    #expect(candidates.removeFirst() == known)
    #expect(
      candidates.map(\.box.center)
        == [Point2D(x: 12, y: 4), Point2D(x: 20, y: 12), Point2D(x: 4, y: 12)])
    #expect(candidates.map(\.box.width) == [4, 8, 13])
    #expect(candidates.map(\.box.height) == [5, 10, 16])
    #expect(candidates.map(\.landmarks?.nose.x) == [8, 16, 0])
  }

  @Test func scanAgreesWithSingleCells() throws {
    var random = SeededGenerator(seed: 4)
    for head in YOLO5FaceHead.yoloFace {
      let (columns, rows) = (7, 5)
      var output = (0..<3 * columns * rows * 16).map { _ in Float(random.double(in: -4...4)) }
      for (index, value) in [4: Float.nan, 20: .infinity, 41: .infinity, 52: -.infinity] {
        output[index] = value
      }
      let threshold = ScoreThreshold(0.4)
      var expected: [Face] = []
      for anchor in 0..<3 {
        for cell in 0..<columns * rows {
          let values = SIMD16(output[((anchor * columns * rows + cell) * 16)...].prefix(16))
          let face = head.decode(
            values, anchor: anchor, column: cell % columns, row: cell / columns,
            threshold: threshold)
          if let face { expected.append(face) }
        }
      }
      var candidates: [Face] = []
      try head.appendCandidates(
        from: output.span, columns: columns, rows: rows, threshold: threshold, to: &candidates)
      #expect(candidates == expected)
      #expect(!candidates.isEmpty && candidates.count < 105)
    }
  }

  @Test(arguments: [0, 1, 287, 289])
  func refusesOutputsOfAnotherSize(count: Int) {
    let output = [Float](repeating: 0, count: count)
    var candidates: [Face] = []
    let error = ValueError("detection head output of \(count) values, expected 288")
    #expect(throws: error) {
      try YOLO5FaceHead.yoloFace[0].appendCandidates(
        from: output.span, columns: 3, rows: 2, threshold: everything, to: &candidates)
    }
    #expect(candidates.isEmpty)
  }

  @Test(arguments: [(0, 2), (3, 0), (-3, -2), (Int.max, Int.max), (Int.max, 1), (Int.min, 1)])
  func refusesImpossibleGrids(columns: Int, rows: Int) {
    var candidates: [Face] = []
    let error = ValueError(
      "detection head of \(columns) × \(rows) cells: each side must be at least 1, and the number of values "
        + "must be countable")
    #expect(throws: error) {
      try YOLO5FaceHead.yoloFace[0].appendCandidates(
        from: background.span, columns: columns, rows: rows, threshold: everything,
        to: &candidates)
    }
  }
}

extension YOLO5FaceHead {
  /// The same head with another rule.
  func scored(by rule: ScoreRule) -> YOLO5FaceHead {
    YOLO5FaceHead(stride: stride, anchors: anchors, scoreRule: rule)
  }
}
