// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFace

/// Recipes with bytes changed at random: each is refused, or it is the same when written and read
/// again, and its heads find no impossible face among arbitrary numbers.
@Suite struct RecipeMutationTests {
  /// What takes the place of a run of bytes.
  private static let words = [
    "", "0", "-1", "1e7", "1e999", "9223372036854775807", "null", "true", "\"\"", "[]", "{}", ",",
  ].map { Array($0.utf8) }

  /// With each of the family's lists of maps in turn; every other time without points, and stretched to one size.
  private func seed(_ family: FaceFamily, _ number: Int) -> [UInt8] {
    let keys = family.maps[number / 2 % family.maps.count].map { $0.key.rawValue }
    let isEven = number.isMultiple(of: 2)
    let blobs = keys.filter { $0 != "points" || isEven }.map { "\"\($0)\": \"\($0)\", " }
    let size = isEven ? "\"multipleOf\": 32" : "\"width\": 320, \"height\": 240, \"stretch\": true"
    let rest = family == .retinaFace ? "\"variances\": [1, 1], \"anchorCenter\": 8, " : ""
    return Array(
      """
      {"family": "\(family.rawValue)", "input": "data", "planes": "bgr", "mean": [127.5, 104, 0],
       "divisor": 128, "fill": 114, "size": {\(size)}, \(rest)"hasScores": \(family == .yuNet),
       "levels": [{"stride": 8, \(blobs.joined())"anchors": [[16, 16], [32, 32]], "proposals": 3}]}
      """.utf8)
  }

  @Test(arguments: FaceFamily.allCases)
  func isRefusedOrSound(family: FaceFamily) throws {
    var random = SeededGenerator(seed: 19)
    for number in 0..<2 * family.maps.count {
      #expect(try check(seed(family, number), &random))
    }
    var accepted = 0
    let count = Rounds.few(1800 / FaceFamily.allCases.count, of: 1500)
    for round in 0..<count {
      var bytes = seed(family, round / 4)
      if round.isMultiple(of: 4) {
        let digits = bytes.indices.filter {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0])
        }
        let digit = try #require(digits.randomElement(using: &random))
        bytes[digit] = .random(in: UInt8(ascii: "1")...UInt8(ascii: "9"), using: &random)
        if try check(bytes, &random) { accepted += 1 }
        continue
      }
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let start = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, start + .random(in: 0...6, using: &random))
        let word =
          Bool.random(using: &random)
          ? [UInt8.random(in: 0...255, using: &random)]
          : Self.words.randomElement(using: &random) ?? []
        bytes.replaceSubrange(start..<end, with: word)
      }
      if try check(bytes, &random) { accepted += 1 }
    }
    #expect(accepted > count / 15)
  }

  /// Whether the bytes are a recipe.
  private func check(_ bytes: [UInt8], _ random: inout SeededGenerator) throws -> Bool {
    guard let family = try? FamilyRecipe(json: bytes, source: "m.json") else { return false }
    let again = try FamilyRecipe(json: Array(family.json().utf8), source: "again.json")
    try #require(again == family)
    for head in try family.recipe().heads { try search(head, &random) }
    return true
  }

  private func search(_ head: FaceHead, _ random: inout SeededGenerator) throws {
    let grid = head.grid(inputWidth: 2 * head.stride, inputHeight: head.stride + 1)
    let outputs = head.shapes(grid).map { shape in
      let values = (0..<shape.reduce(1, *)).map { index in
        index % 7 == 0
          ? Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
          : Float.random(in: -3...3, using: &random)
      }
      return (shape: shape, values: values)
    }
    let found = try head.candidates(in: outputs, grid, threshold: ScoreThreshold(0.1))
    #expect(found.count <= grid.count * head.anchors.count)
    for candidate in found {
      #expect((0...1).contains(candidate.face.score) && candidate.face.box.x.isFinite)
    }
    for part in try head.confidences(in: outputs, grid) {
      #expect(part.values.count == grid.count * head.anchors.count)
    }
  }
}
