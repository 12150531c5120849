// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceEvaluation

struct WIDERProtocolTests {
  private func average(_ pictures: [ExaminedPicture], listed list: String? = nil) throws -> Double {
    let subset = try list.map { try WIDERSubset(Array($0.utf8), name: "", source: "") }
    return try #require(WIDERProtocol(pictures, subset: subset).averagePrecision)
  }

  /// Faces at 0, 100 and 200; the second is not on the list. Detections, best first: the
  /// first face, the second (ignored), the first again (wrong), the third, and nothing. So
  /// precision is 1 at a recall of 1/2, and 2 of 3 at 1.
  @Test func byHand() throws {
    let picture = examined(
      [trueFace(at: 0), trueFace(at: 100), trueFace(at: 200)],
      [
        detection(0.9, at: 0), detection(0.8, at: 100), detection(0.7, at: 1),
        detection(0.6, at: 200), detection(0.5, at: 300),
      ])
    #expect(isClose(try average([picture], listed: "a.jpg\n1 3\n"), 5.0 / 6))
    // All three count: precision 1 up to a recall of 2/3, then 3 of 4.
    #expect(isClose(try average([picture]), 11.0 / 12))
    #expect(WIDERProtocol([picture]).faceCount == 3)
  }

  /// The wrong detection of 0.1 passes only the last threshold, since the lowest score becomes 0;
  /// those of 0.5002 and 0.5 pass the same one.
  @Test func scoresAreRescaledAndThresholdsAreSteps() {
    let result = WIDERProtocol([
      examined(
        [trueFace(at: 0)],
        [
          detection(0.9, at: 200), detection(0.5002, at: 100), detection(0.5, at: 0),
          detection(0.1, at: 300),
        ])
    ])
    #expect(result.precisions.count == 1000)
    // (0.5 − 0.1) / 0.8 is at or just above 0.5, the threshold of index 499.
    #expect(result.precisions[0] == 0 && result.recalls[498] == 0)
    for step in [500, 998] { #expect(isClose(result.precisions[step], 1.0 / 3)) }
    #expect(result.precisions[999] == 0.25)
  }

  private static let found = examined(
    [trueFace(at: 0)], [detection(0.8, at: 0), detection(0.1, at: 100)])

  private static let cases: [(pictures: [ExaminedPicture], listed: String?, average: Double)] = [
    // Edges are whole pixels: the IoU at 3.2 of a face 9 wide is 0.475, but 6.8 of 13.2 with the last ones inside.
    (
      [
        examined(
          [trueFace(at: 0, side: 9)], [detection(0.9, at: 3.2, side: 9), detection(0.1, at: 50)])
      ],
      nil, 1
    ),
    // A picture without faces does not matter.
    ([found, examined([], [detection(0.9, at: 0)], name: "b")], nil, 1),
    // The face with the largest overlap is not on the list; the other one is not found instead.
    (
      [
        examined(
          [trueFace(at: 0), trueFace(at: 2)], [detection(0.9, at: 0), detection(0.1, at: 100)])
      ],
      "a.jpg\n2\n", 0
    ),
    // Nothing is found, and all scores are the same.
    ([examined([trueFace(at: 0)], [])], nil, 0),
    ([examined([trueFace(at: 0)], [detection(0.5, at: 0)])], nil, 1),
  ]

  @Test(arguments: cases.indices) func averages(index: Int) throws {
    let (pictures, list, expected) = Self.cases[index]
    #expect(try average(pictures, listed: list) == expected)
  }

  @Test func thereMayBeNoFaces() {
    #expect(WIDERProtocol([]).averagePrecision == nil && WIDERProtocol([]).faceCount == 0)
  }
}
