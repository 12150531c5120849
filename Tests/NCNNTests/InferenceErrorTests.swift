// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceNCNN

struct InferenceErrorTests {
  /// A few thousand inputs with names of 255 bytes.
  @Test func truncatesTextFromHostileFiles() throws {
    let names = (0..<3000).map { "\($0)" + String(repeating: "x", count: 240) }
    let interpreter = try Interpreter(Network(names.map { "Input \($0) 0 1 \($0)" }))
    let input = try Tensor(shape: [1], values: [0])
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run(["other": input], extracting: [names[0]])
    }
    #expect(error.expected.hasPrefix("inputs named 0xxx") && error.expected.hasSuffix("more"))
    #expect(error.description.utf8.count < 9000)
  }

  @Test func namesTheBlobsThatAreLikeAWrongName() throws {
    let names = ["data", "conv1", "out_16", "out_8", "output"] + (0..<20).map { "else\($0)" }
    let interpreter = try Interpreter(Network(names.map { "Input \($0) 0 1 \($0)" }))
    let error = try #require(throws: InferenceError.self) {
      try interpreter.run([:], extracting: ["out8"])
    }
    #expect(error.reason == .blob)
    #expect(
      error.expected.hasPrefix("one that a layer produces: out_8, data, out_16, output,")
        && error.expected.hasSuffix(" and 13 more"), "\(error)")
  }

  /// The distance of two empty beginnings is that of nothing; long names differ in their beginnings alone.
  @Test func namesNearHostileOnes() {
    let long = String(repeating: "\u{301}", count: 100_000)
    #expect(nearest(to: long, among: ["", "a", long + "b"]).first == long + "b")
    #expect(nearest(to: "", among: ["ab", "", "a"]) == ["", "a", "ab"])
    #expect(
      nearest(to: "kitten", among: ["mitten", "sitting", "kitten"]) == [
        "kitten", "mitten", "sitting",
      ])
    #expect(nearest(to: "a", among: []) == [])
  }
}
