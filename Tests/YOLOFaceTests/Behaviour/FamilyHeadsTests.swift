// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceGeometry

@testable import YOLOFace

/// One cell of each family's head, decoded by hand. The grid has 2 rows of 3 cells; the cell is the
/// one in row 1, column 2.
@Suite struct FamilyHeadsTests {
  let grid = CellGrid(rows: 2, columns: 3)

  /// The head that a family makes of a level.
  private func head(
    _ family: FaceFamily, _ level: FamilyRecipe.Level,
    _ change: (inout FamilyRecipe) -> Void = { _ in }
  ) throws -> FaceHead {
    var recipe = FamilyRecipe(
      family: family, input: "in", planes: .rgb, mean: [0, 0, 0], divisor: 1, fill: 0,
      size: .multiples(of: 32), levels: [level])
    change(&recipe)
    return try recipe.recipe().heads[0]
  }

  /// A level of stride 8 whose blobs are named by a letter.
  private static let plain = FamilyRecipe.Level(stride: 8, scores: "s", boxes: "b", points: "p")

  private typealias Blob = (shape: [Int], values: [Float])

  /// A blob whose channels are a value in every cell, and others in the cell.
  private func blob(_ channels: Int, else filler: Float = 0, _ values: [Int: Float]) -> Blob {
    var numbers = [Float](repeating: filler, count: channels * 6)
    for (channel, value) in values { numbers[6 * channel + 5] = value }
    return ([channels, 2, 3], numbers)
  }

  private typealias Places = [(WritableKeyPath<Landmarks, Point2D>, x: Double, y: Double)]

  /// Expects the only candidate of a head: its score, which is σ(1) = 0.731059 in fp32 unless said otherwise,
  /// the place of its box, some of its landmarks, and none at all where none are given.
  private func expect(
    _ head: FaceHead, of blobs: [Blob], _ grid: CellGrid? = nil, anchor: Int = 0,
    score: Double = 0.731_058_6, box: (x: Double, y: Double, width: Double, height: Double),
    points: Places = [], tolerance: Double = 0
  ) throws {
    let found = try head.candidates(in: blobs, grid ?? self.grid, threshold: ScoreThreshold(0.6))
    let candidate = try #require(found.first)
    #expect(found.count == 1 && candidate.row == 1 && candidate.column == 2)
    #expect(candidate.anchor == anchor)
    let face = candidate.face
    #expect(isClose(Double(face.score), score, tolerance: 1e-6))
    let expected = Box(x: box.x, y: box.y, width: box.width, height: box.height)
    #expect(isClose(face.box, expected, tolerance: tolerance), "\(face.box)")
    #expect((face.landmarks == nil) == points.isEmpty)
    let steps = try head.decoding(of: (anchor, 1, 2), in: blobs, grid ?? self.grid)
    let values = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.value) })
    let sides = ["left", "top", "right", "bottom"].map { values[$0] }
    let middle = ["centre x", "centre y", "width", "height"].map { values[$0] }
    let whole = Double(tolerance > 0 ? 1e-5 : 0)
    for (found, wanted) in [
      (sides, [box.x, box.y, box.x + box.width, box.y + box.height]),
      (middle, [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height]),
    ] where found[0] != nil {
      #expect(zip(found, wanted).allSatisfy { abs(($0 ?? .nan) - $1) <= whole }, "\(found)")
    }
    #expect((sides[0] == nil) != (middle[0] == nil))
    #expect(values.keys.contains("nose y") == (face.landmarks != nil))
    // Each formula, worked out, gives the value.
    for step in steps where !step.formula.contains("softmax") && !step.formula.contains("corner") {
      let value = try Formula(step.formula, t: Double(step.raw)).value
      #expect(abs(value - step.value) <= 1e-4, "\(step)")
    }
    for (name, x, y) in points {
      let point = try #require(face.landmarks)[keyPath: name]
      #expect(isClose(point, Point2D(x: x, y: y), tolerance: tolerance), "\(point)")
    }
  }

  @Test func scrfdReachesFromACorner() throws {
    // The second proposal: score channel 1, box channels 4 … 7, point channels 10 … 19. The cell's corner is
    // (16, 8): left 16 − 8, top 8 − 16, right 16 + 24, bottom 8 + 32.
    try expect(
      head(.scrfd, Self.plain),
      of: [
        blob(2, else: -9, [1: 1]), blob(8, [4: 1, 5: 2, 6: 3, 7: 4]),
        blob(20, [10: 0.5, 11: -0.25, 18: 1, 19: 2]),
      ], anchor: 1, box: (8, -8, 32, 48),
      points: [(\.rightEye, 20, 6), (\.nose, 16, 8), (\.leftMouth, 24, 24)])
  }

  @Test func scrfdTakesScoresAsTheyAre() throws {
    let level = FamilyRecipe.Level(stride: 8, scores: "s", boxes: "b", proposals: 1)
    try expect(
      head(.scrfd, level) { $0.hasScores = true },
      of: [blob(1, [0: 0.75]), blob(4, [2: 1, 3: 1])], score: 0.75, box: (16, 8, 8, 8))
  }

  @Test func ultraFaceMovesAnchorsOfCellsThatDivideTheInput() throws {
    // Background −2 and face −1 of the second anchor; everywhere else background is far ahead.
    var scores = blob(4, [0: 9, 2: -2, 3: -1])
    for index in 0..<5 { (scores.values[index], scores.values[12 + index]) = (9, 9) }
    // An input of 45 × 20 in 3 × 2 cells: 15 × 10 pixels each, where the stride is 16. The second anchor is
    // 48 × 48, but no larger than the input. Centre (37.5, 15) + 0.1 · (1 · 45, −2 · 20); width
    // 45 · e^(0.2 · 5 ln 2) = 90, height 20.
    try expect(
      head(
        .ultraFace,
        FamilyRecipe.Level(stride: 16, scores: "s", boxes: "b", anchors: [[32, 32], [48, 48]])),
      of: [scores, blob(8, [4: 1, 5: -2, 6: 3.465_735_9, 7: 0])],
      CellGrid(rows: 2, columns: 3, inputSize: Letterbox.InputSize(width: 45, height: 20)),
      anchor: 1, box: (42 - 45, 11 - 10, 90, 20), tolerance: 1e-5)
  }

  @Test func retinaFaceOfItsAuthorsHasAnchorsEightPixelsIntoACell() throws {
    let level = FamilyRecipe.Level(
      stride: 16, scores: "s", boxes: "b", points: "p", anchors: [[128, 128], [64, 64]])
    let head = try head(.retinaFace, level) {
      ($0.classOrder, $0.variances, $0.anchorCenter) = (.byClass, [1, 1], 8)
    }
    // Classes one after the other: backgrounds in channels 0 and 1, faces in 2 and 3. Centre
    // (2 · 16 + 8, 16 + 8) + 128 · (0.5, 0), size 128.
    try expect(
      head,
      of: [blob(4, [0: 1, 2: 2, 1: 9]), blob(8, [0: 0.5, 3: 0]), blob(20, [0: 0.25, 1: -0.25])],
      box: (40 + 64 - 64, 24 - 64, 128, 128), points: [(\.rightEye, 72, -8), (\.nose, 40, 24)])
  }

  @Test func retinaFaceInPyTorchHasVariances() throws {
    let level = FamilyRecipe.Level(
      stride: 8, scores: "s", boxes: "b", points: "p", anchors: [[16, 16], [32, 32]])
    // The anchor is 32 × 32 around (20, 12): centre + 3.2, width 32 · 2, height 32.
    try expect(
      head(.retinaFace, level),
      of: [
        blob(4, [2: 1, 3: 2, 0: 9]), blob(8, [4: 1, 5: 1, 6: 3.465_735_9]),
        blob(20, [10: 5, 11: 5]),
      ], anchor: 1, box: (23.2 - 32, 15.2 - 16, 64, 32), points: [(\.rightEye, 36, 28)],
      tolerance: 1e-5)
  }

  @Test func yolo8FaceTakesMeansOfDistributions() throws {
    // Left: bins 2 and 4 alike, so 3. Top: bin 1. Right: all alike, so 7.5. Bottom: bin 15.
    var joined = blob(80, [2: 80, 4: 80, 16 + 1: 80, 48 + 15: 200, 64: 1, 65: 0.25, 66: -0.5])
    for cell in 0..<5 { joined.values[64 * 6 + cell] = -9 }
    let parts = [0..<64, 64..<65, 65..<80].map { channels -> Blob in
      (
        [channels.count, 2, 3],
        Array(joined.values[channels.lowerBound * 6..<channels.upperBound * 6])
      )
    }
    for (level, blobs) in [
      (FamilyRecipe.Level(stride: 8, values: "v"), [joined]), (Self.plain, parts),
    ] {
      // The cell's middle is (20, 12).
      try expect(
        head(.yolo8Face, level), of: blobs, box: (20 - 24, 12 - 8, 24 + 60, 8 + 120),
        points: [(\.rightEye, 20, 0), (\.leftEye, 16, 8)], tolerance: 1e-6)
    }
  }

  @Test func yolo26FaceReachesFromAMiddle() throws {
    // The other cells' boxes have no area. The cell's middle is (20, 12).
    try expect(
      head(.yolo26Face, Self.plain),
      of: [
        blob(1, else: 2, [0: 1]), blob(4, [0: 1, 1: 2, 2: 3, 3: 4]),
        blob(15, [0: 0.5, 1: -0.25, 12: 1, 13: 2, 14: 9]),
      ], box: (12, -4, 32, 48),
      points: [(\.rightEye, 24, 10), (\.nose, 20, 12), (\.leftMouth, 28, 28)])
  }

  @Test func yolo7FaceHasLandmarksInStrides() throws {
    let head = try head(
      .yolo7Face, FamilyRecipe.Level(stride: 8, values: "v", anchors: [[4, 5], [6, 8]]))
    // Centre (1 − 0.5 + cell) · 8 = (20, 12), size 6 × 8.
    try expect(
      head,
      of: [blob(42, else: -9, [21: 0, 22: 0, 23: 0, 24: 0, 25: 20, 26: 1, 27: 0.25, 28: 1])],
      anchor: 1, box: (17, 8, 6, 8), points: [(\.rightEye, 16, 20)])
    let confidences = try head.confidences(in: [blob(42, [25: 20, 26: 1])], grid)
    #expect(confidences.map(\.name) == ["objectness", "class"])
    #expect(isClose(Double(confidences[1].values[11]), 0.731_058_6, tolerance: 1e-6))
  }

  @Test func yuNetTakesARoot() throws {
    let level = FamilyRecipe.Level(stride: 8, scores: "c", objectness: "o", boxes: "b", points: "p")
    // √(σ(1) · σ(1)) = σ(1). The centre is (20, 4).
    try expect(
      head(.yuNet, level),
      of: [
        blob(1, else: -9, [0: 1]), blob(1, else: -9, [0: 1]),
        blob(4, [0: 0.5, 1: -0.5, 2: 0.693_147_2, 3: 0]), blob(10, [4: 1, 5: 1]),
      ], box: (20 - 8, 4 - 4, 16, 8), points: [(\.nose, 24, 16)], tolerance: 1e-5)
  }

  @Test func centerFaceHasLandmarksInItsBox() throws {
    let level = FamilyRecipe.Level(stride: 4, scores: "s", boxes: "b", offsets: "o", points: "p")
    // Centre ((2 + 0.5 − 0.5) · 4, (1 + 0.5 + 0.25) · 4) = (8, 7), width 4 · 2, height 4: the corner is (4, 5).
    try expect(
      head(.centerFace, level),
      of: [
        blob(1, else: -9, [0: 1]), blob(2, [0: 0, 1: 0.693_147_2]), blob(2, [0: 0.25, 1: -0.5]),
        blob(10, [0: 0.5, 1: 0.25, 8: 1, 9: -1]),
      ], box: (4, 5, 8, 4), points: [(\.rightEye, 6, 7), (\.leftMouth, -4, 9)], tolerance: 1e-5)
  }

  @Test func blazeFaceMovesACellsMiddle() throws {
    let head = try head(.blazeFace, FamilyRecipe.Level(stride: 8, scores: "s", boxes: "b"))
    let scores = blob(2, else: -9, [1: 1])
    // The cell's middle is (20, 12).
    try expect(
      head, of: [scores, blob(32, else: 5, [16: 3, 17: -4, 18: 30, 19: 20])], anchor: 1,
      box: (23 - 15, 8 - 10, 30, 20))
    // A box without an area.
    let flat = [scores, blob(32, else: 5, [18: 30, 19: 0])]
    #expect(try head.candidates(in: flat, grid, threshold: ScoreThreshold(0.6)).isEmpty)
  }

  @Test func yolo3MovesACellsCorner() throws {
    let head = try head(
      .yolo3, FamilyRecipe.Level(stride: 8, values: "v", anchors: [[4, 5], [6, 8]]))
    // Centre (σ(0) + cell) · 8 = (20, 12), size 6 · 2 × 8. The score is 1 / (1 + e⁻¹ (1 + e⁻²)) = 0.705384, which is
    // not σ(1) · σ(2) = 0.643914.
    try expect(
      head, of: [blob(12, else: -9, [6: 0, 7: 0, 8: 0.693_147_2, 9: 0, 10: 1, 11: 2])],
      anchor: 1, score: 0.705_384_5, box: (14, 8, 12, 8), tolerance: 1e-5)
    let confidences = try head.confidences(in: [blob(12, [10: 1])], grid)
    #expect(confidences.map(\.name) == ["objectness", "class"])
    #expect(isClose(Double(confidences[0].values[11]), 0.731_058_6, tolerance: 1e-6))
  }

  @Test func dbFaceTakesPeaks() throws {
    let head = try head(
      .dbFace, FamilyRecipe.Level(stride: 4, scores: "s", boxes: "b", points: "p"))
    // Every cell scores above the threshold, but only one has no better neighbour. Corners (2 − 1, 1 − 0.5) · 4 and (2 + 2, 1 + 3) · 4. Points: 4 · 0.125 · e, and −e^(4 · 0.5).
    try expect(
      head,
      of: [
        ([1, 2, 3], [0.7, 0.8, 0.9, 0.6, 0.8, 1]), blob(4, [0: 1, 1: 0.5, 2: 2, 3: 3]),
        blob(10, [0: 0.125, 5: -0.5, 4: 0, 9: 0.25]),
      ], box: (4, 2, 12, 14),
      points: [
        (\.rightEye, 8 + 4 * 0.5 * 2.718_281_828, 4 - 4 * 7.389_056_099),
        (\.leftMouth, 8, 4 + 4 * 2.718_281_828),
      ], tolerance: 1e-5)
  }

  @Test(arguments: [true, false])
  func yuNetOf2021MovesAnchors(isJoined: Bool) throws {
    // The anchor is 16 × 16 around (20, 12): centre + 1.6 · (1, −1), width 16 · 2, height 16. The overlap counts as 1,
    // and √σ(t) = 0.731059 where t = ln(0.534447 / 0.465553) = 0.138005.
    let values: [Int: Float] = [
      0: 1, 1: -1, 2: 3.465_735_9, 4: 2.5, 5: 5, 12: -2.5, 13: 0, 14: 1, 15: 1.138_005, 16: 1.5,
    ]
    func blob(_ width: Int, from first: Int) -> Blob {
      var channels: [Int: Float] = [:]
      for index in 0..<width {
        channels[width + index] = values[first + index] ?? 0
        if first + index == 14 { channels[index] = 20 }
      }
      return self.blob(2 * width, channels)
    }
    var level = FamilyRecipe.Level(stride: 8, anchors: [[10, 10], [16, 16]])
    var blobs = [blob(17, from: 0)]
    level.values = "v"
    if !isJoined {
      level.values = nil
      (level.scores, level.objectness, level.boxes) = ("c", "i", "b")
      blobs = [blob(2, from: 14), blob(1, from: 16), blob(14, from: 0)]
    }
    try expect(
      head(.yuNet2021, level), of: blobs, anchor: 1, box: (21.6 - 16, 10.4 - 8, 32, 16),
      points: [(\.rightEye, 24, 20), (\.leftMouth, 16, 12)], tolerance: 1e-5)
  }

  @Test(arguments: [(ClassOrder.faceFirst, [2: -1, 3: -2]), (.byAnchor, [2: -2, 3: -1])])
  func paddlesBlazeFaceHasItsFaceFirst(order: ClassOrder, scores: [Int: Float]) throws {
    let level = FamilyRecipe.Level(
      stride: 8, scores: "s", boxes: "b", anchors: [[16, 16], [24, 24]])
    // Other proposals are background. The anchor is 24 × 24 around (20, 12): centre + 2.4 · (1, 0), height 24 · 2.
    let background = order == .faceFirst ? (1, 3) : (0, 2)
    var classes = blob(4, scores)
    for cell in 0..<6 { classes.values[6 * background.0 + cell] = 9 }
    for cell in 0..<5 { classes.values[6 * background.1 + cell] = 9 }
    try expect(
      head(.paddleBlazeFace, level) { $0.classOrder = order },
      of: [classes, blob(8, [4: 1, 7: 3.465_735_9])], anchor: 1,
      box: (22.4 - 12, 12 - 24, 24, 48), tolerance: 1e-5)
  }

  @Test func ssdGivesSharesOfTheInput() throws {
    let head = try head(.ssd, FamilyRecipe.Level(stride: 300, values: "d", proposals: 4))
    let grid = head.grid(inputWidth: 300, inputHeight: 200)
    #expect(grid.count == 1)
    let rows: [Float] = [
      1, 0.75, 0.25, 0.5, 0.5, 0.75,  // A face.
      1, 0.5, 0, 0, 1, 1,  // Below the threshold.
      1, 0.75, 0, .infinity, 1, 1, 0, 0.9, 0, 0, 0, 0,  // Impossible, and empty.
    ]
    let found = try head.candidates(in: [([4, 6], rows)], grid, threshold: ScoreThreshold(0.6))
    #expect(found.map(\.face.score) == [0.75] && found[0].face.landmarks == nil)
    #expect(found[0].face.box == Box(x: 75, y: 100, width: 75, height: 50))
  }

  @Test func yolo5FaceReadsChannelsAsItReadsCells() throws {
    let head = YOLO5FaceHead.yoloFace[0]
    // 3 anchors × 6 cells × 16 values, and the same as 48 channels.
    let cells = (0..<288).map { Float(($0 * 37) % 19) / 4 - 2 }
    var channels = [Float](repeating: 0, count: 288)
    for anchor in 0..<3 {
      for cell in 0..<6 {
        for value in 0..<16 {
          channels[(anchor * 16 + value) * 6 + cell] = cells[(anchor * 6 + cell) * 16 + value]
        }
      }
    }
    let threshold = ScoreThreshold(0.1)
    let level = FamilyRecipe.Level(
      stride: 8, values: "out", anchors: [[4, 5], [8, 10], [13, 16]])
    let (one, other) = (head.reading("out"), try self.head(.yolo5Face, level))
    let (cellsBlob, channelsBlob) = ([([3, 6, 16], cells)], [([48, 2, 3], channels)])
    let expected = try one.candidates(in: cellsBlob, grid, threshold: threshold)
    #expect(!expected.isEmpty)
    #expect(try other.candidates(in: channelsBlob, grid, threshold: threshold) == expected)
    let cell = (anchor: 1, row: 1, column: 2)
    let steps = try one.decoding(of: cell, in: cellsBlob, grid)
    #expect(steps.count == 16)
    #expect(try other.decoding(of: cell, in: channelsBlob, grid) == steps)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func cellsWithImpossibleValuesAreLeftOut(value: Float) throws {
    let head = try head(
      .scrfd,
      FamilyRecipe.Level(stride: 8, scores: "s", boxes: "b", points: "p", proposals: 1))
    for (map, channels) in [1, 4, 10].enumerated() {
      var blobs = [blob(1, else: 1, [:]), blob(4, else: 1, [:]), blob(10, [:])]
      blobs[map] = blob(channels, else: map == 2 ? 0 : 1, [channels - 1: value])
      let found = try head.candidates(in: blobs, grid, threshold: ScoreThreshold(0))
      #expect(found.map { [$0.row, $0.column] } == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]])
    }
  }

  @Test func boxesThatOverflowAreLeftOut() throws {
    let head = try head(
      .yuNet, FamilyRecipe.Level(stride: 8, scores: "c", objectness: "o", boxes: "b"))
    let found = try head.candidates(
      in: [blob(1, [:]), blob(1, [:]), blob(4, [2: 1000])], grid, threshold: ScoreThreshold(0))
    #expect(found.count == 5)
  }
}

/// The value of a formula of t, as `DecodedValue.formula` writes it.
private struct Formula {
  private var letters: Substring
  private let t: Double
  private(set) var value = 0.0

  init(_ text: String, t: Double) throws {
    (letters, self.t) = (Substring(text.filter { $0 != " " }), t)
    value = try sum()
    try #require(letters.isEmpty, "\(text)")
  }

  private mutating func takes(_ word: String) -> Bool {
    guard letters.hasPrefix(word) else { return false }
    letters.removeFirst(word.count)
    return true
  }

  private mutating func sum() throws -> Double {
    var value = try product()
    while true {
      if takes("+") {
        value += try product()
      } else if takes("−") {
        value -= try product()
      } else {
        return value
      }
    }
  }

  private mutating func product() throws -> Double {
    var value = try power()
    while takes("·") || letters.first.map({ "tσe(".contains($0) }) == true { value *= try power() }
    return value
  }

  private mutating func power() throws -> Double {
    let value = try atom()
    return takes("²") ? value * value : value
  }

  private mutating func atom() throws -> Double {
    for (name, function) in [
      ("σ(", { 1 / (1 + exp(-$0)) }), ("exp(", { exp($0) }),
      ("e(", { abs($0) < 1 ? $0 * exp(1) : $0.sign == .plus ? exp($0) : -exp(-$0) }),
      ("(", { $0 }),
    ] as [(String, (Double) -> Double)] where takes(name) {
      let value = function(try sum())
      try #require(takes(")"))
      return value
    }
    if takes("t") { return t }
    let digits = letters.prefix { "0123456789.".contains($0) }
    letters.removeFirst(digits.count)
    return try #require(Double(digits), "\(letters)")
  }
}
