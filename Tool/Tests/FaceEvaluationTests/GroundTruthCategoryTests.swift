// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceEvaluation

struct GroundTruthCategoryTests {
  private func pictures(_ categories: [(String, Int)?]) -> [GroundTruthPicture] {
    let named = categories.map { $0.map { GroundTruthCategory(name: $0.0, number: $0.1) } }
    let faces = named.map { GroundTruthFace(box: rectangle(0, 0, 9, 9), category: $0) }
    return ["a", "b"].map {
      GroundTruthPicture(name: $0, category: named.compactMap { $0 }.first, faces: faces)
    }
  }

  /// The categories of a picture's objects, the words, and the numbers of those that count, or what is found instead.
  private static let cases: [(categories: [(String, Int)?], words: [String], found: String)] = [
    ([], [], ""), ([nil, nil], [], "none none"), ([("head", 3)], [], "3"),
    ([("person", 1), ("Face", 2)], [], "2"), ([("face", 1), ("face", 2), nil], [], "1 2 none"),
    ([("person", 1), ("head", 2)], ["HEAD"], "2"), ([("person", 1), ("head", 2)], ["1"], "1"),
    ([("person", 1), ("head", 2), ("face", 3)], ["2", "person"], "1 2"),
    ([("person", 1), ("head", 2)], [], "1 2"),
    ([("face", 1), ("head", 2)], ["face", "hat"], "the categories face, head"),
    ([nil], ["hat"], "no categories"),
    ([("Person", 1), ("Human face", 2), ("Surface", 3), ("face_with_mask", 4)], [], "2 4"),
    ([("faces", 1), ("Gesicht", 2)], [], "1"),
  ]

  @Test(arguments: cases.indices) func takesFaces(index: Int) {
    let (categories, words, expected) = Self.cases[index]
    do {
      let found = try pictures(categories).faces(called: words, source: "a.json")
      let numbers = found.pictures[0].faces.map { $0.category?.number.map { "\($0)" } ?? "none" }
      #expect(numbers.joined(separator: " ") == expected)
      #expect(found.pictures[1].faces == found.pictures[0].faces)
      #expect(found.pictures[0].category?.number == Int(numbers.first ?? ""))
      #expect(found.leftOut.values.reduce(0, +) == 2 * (categories.count - numbers.count))
      #expect(found.counted.values.reduce(0, +) == 2 * numbers.filter { $0 != "none" }.count)
    } catch {
      #expect(error.found == expected)
    }
  }

  /// A data set may have a category of faces, and none of them.
  @Test func thereMayBeNoFace() throws {
    var pictures = pictures([("person", 1)])
    pictures[0].category = GroundTruthCategory(name: "face", number: 2)
    let found = try pictures.faces(called: [], source: "a.json")
    #expect(found.pictures.allSatisfy { $0.faces.isEmpty })
    #expect(found.leftOut == ["person": 2] && found.counted.isEmpty)
  }
}
