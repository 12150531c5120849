// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFace

@Suite struct RecipeFileTests {
  static let scrfd = """
    {"family": "scrfd", "input": "in", "planes": "bgr", "mean": [1, 2, 3], "divisor": 4, "fill": 5,
     "size": {"multipleOf": 64},
     "levels": [{"stride": 8, "scores": "s", "boxes": "b", "proposals": 3}]}
    """

  private func read(_ json: String) throws -> FamilyRecipe {
    var recipe: FamilyRecipe?
    try withTemporaryFolder { folder in
      let file = folder.appending(path: "recipe.json")
      try writeText(json, to: file)
      recipe = try FamilyRecipe(path: file.path)
    }
    return try #require(recipe)
  }

  @Test func becomesARecipe() throws {
    let recipe = try read(Self.scrfd).recipe()
    #expect(recipe.input == "in" && recipe.heads.map(\.blobs) == [["s", "b"]])
    #expect(recipe.heads[0].anchors.count == 3)
    #expect(
      recipe.normalization.mean == SIMD3(1, 2, 3) && recipe.normalization.divisors == SIMD3(4, 4, 4)
    )
    #expect(recipe.normalization.order == .bgr)
    #expect(recipe.letterbox == Letterbox.Style(fill: 5, granularity: 64))
  }

  @Test func saysWhichAreaPicturesHave() throws {
    let json = Self.scrfd.replacing("{\"multipleOf\": 64}", with: "{\"area\": 36864}")
    let letterbox = try read(json).recipe().letterbox
    #expect(letterbox.standardMode == .area(36864) && letterbox.granularity == 1)
    #expect(letterbox.fixedSize == nil)
  }

  @Test func dividesEachColorByANumberOfItsOwn() throws {
    let json = Self.scrfd.replacing("\"fill\"", with: "\"divisors\": [2, 3, 4], \"fill\"")
    #expect(try read(json).recipe().normalization.divisors == SIMD3(2, 3, 4))
  }

  /// Blobs that the family does not read.
  @Test func otherBlobsGiveNoLandmarks() throws {
    var recipe = try read(Self.scrfd)
    recipe.levels[0].values = "v"
    #expect(!recipe.findsLandmarks)
    recipe.levels[0].points = "p"
    #expect(recipe.findsLandmarks)
    recipe.family = .blazeFace
    #expect(!recipe.findsLandmarks)
  }

  @Test func isReadAsItIsWritten() throws {
    var recipe = try read(Self.scrfd)
    #expect(try read(recipe.json()) == recipe)
    recipe.size = .fixed(Letterbox.InputSize(width: 320, height: 240))
    #expect(try read(recipe.json()) == recipe)
    recipe.size = .fixed(Letterbox.InputSize(width: 320, height: 240), isStretched: true)
    #expect(try read(recipe.json()) == recipe)
    recipe.size = .usual(
      Letterbox.InputSize(width: 320, height: 256), isStretched: true, multiplesOf: 32)
    #expect(try read(recipe.json()) == recipe)
    recipe.size = .area(36864, multiplesOf: 32)
    recipe.divisors = [70.5, 69, 73.5]
    #expect(try read(recipe.json()) == recipe)
    (recipe.variances, recipe.anchorCenter) = ([0.1, 0.2], 8)
    (recipe.classOrder, recipe.hasScores) = (.byClass, true)
    recipe.levels[0].anchors = [[1, 2.5]]
    #expect(try read(recipe.json()) == recipe)
  }

  /// Each is a change of the good recipe, with words of the error.
  @Test(arguments: [
    ("\"scrfd\"", "\"mtcnn\"", "family"), ("\"bgr\"", "\"cmyk\"", "planes"),
    ("\"divisor\": 4", "\"divisor\": 0", "divisor"),
    ("\"divisor\": 4", "\"divisor\": 1e-30", "divisor"),
    ("[1, 2, 3]", "[1, 2]", "mean"), ("[1, 2, 3]", "[1e30, 2, 3]", "mean"),
    ("[1, 2, 3]", "\"grey\"", "mean"), ("\"fill\": 5", "\"fill\": 256", "JSON"),
    ("64}", "0}", "multipleOf"), ("{\"multipleOf\": 64}", "{\"width\": 0, \"height\": 8}", "size"),
    ("{\"multipleOf\": 64}", "{\"width\": 9223372036854775807, \"height\": 8}", "size"),
    ("{\"multipleOf\": 64}", "{}", "width"), ("\"stride\": 8", "\"stride\": -8", "stride"),
    ("\"b\"", "\"s\"", "another blob"),
    ("\"stride\": 8", "\"stride\": 1e300", "JSON"),
    ("\"proposals\": 3", "\"proposals\": 1000000", "proposals"),
    ("\"proposals\": 3", "\"anchors\": [[1]]", "anchors"),
    ("\"proposals\": 3", "\"anchors\": [[1, -1]]", "anchors"),
    (
      "\"proposals\": 3", "\"anchors\": [4, 5, 8, 10]",
      "levels[0].anchors, expected pairs of width and height, such as [[4, 5], [8, 10]]"
    ),
    ("\"proposals\": 3", "\"anchors\": [[\"4\", 5]]", "pairs of width and height"),
    ("\"divisor\": 4", "\"divisor\": 4, \"divisors\": [1, 2]", "divisors, expected three"),
    ("\"divisor\": 4", "\"divisor\": 4, \"divisors\": [1, 0, 1]", "divisors"),
    ("{\"multipleOf\": 64}", "{\"area\": 0}", "size.area"),
    ("{\"multipleOf\": 64}", "{\"area\": 64, \"multipleOf\": 0}", "size.multipleOf"),
    ("{\"multipleOf\": 64}", "{\"area\": 64, \"width\": 8}", "size.width"),
    ("\"levels\": [", "\"levels\": [], \"rest\": [", "levels"), ("\"input\": \"in\",", "", "input"),
    ("\"fill\": 5", "\"variances\": [0, 1], \"fill\": 5", "variances"),
    ("\"divisor\": 4", "\"divisor\": 4, \"varances\": [1, 1]", "varances"),
    ("\"proposals\": 3", "\"proposal\": 3", "levels.proposal"),
    (
      "{\"multipleOf\": 64}", "{\"multipleOf\": 64, \"width\": 3, \"height\": 3}", "multiples of 64"
    ),
    ("}]}", "}, {\"stride\": 16, \"scores\": \"s\", \"boxes\": \"c\"}]}", "another blob"),
    ("\"fill\": 5", "\"anchorCenter\": 1e9, \"fill\": 5", "anchorCenter"), ("}]}", "", "JSON"),
    ("\"scores\":", "\"points\":", "no scores at stride 8, expected it for SCRFD"),
    ("\"boxes\":", "\"points\":", "no boxes at stride 8, expected it for SCRFD"),
  ])
  func refusesOtherRecipes(part: String, replacement: String, word: String) throws {
    let json = Self.scrfd.replacing(part, with: replacement)
    #expect(json != Self.scrfd)
    let error = #expect(throws: ValueError.self) { try read(json) }
    let text = try #require(error?.description)
    #expect(text.contains("recipe.json: found") && text.contains(word), "\(text)")
  }

  /// Every family refuses a level of nothing but its stride.
  @Test(arguments: FaceFamily.allCases)
  func refusesEmptyLevels(family: FaceFamily) throws {
    let recipe = Self.scrfd.replacing("scrfd", with: family.rawValue)
      .replacing(#", "scores": "s", "boxes": "b", "proposals": 3"#, with: "")
    let error = #expect(throws: ValueError.self) { try read(recipe) }
    #expect(error?.description.contains("at stride 8, expected it for \(family.name)") == true)
  }

  /// The page has a row for each, and its name among the keys of recipes.
  @Test(arguments: FaceFamily.allCases)
  func isOnThePage(family: FaceFamily) throws {
    let path = SharedData.projectRoot.appending(
      path: "Sources/YOLOFace/YOLOFace.docc/OtherDetectors.md")
    let page = try String(contentsOf: path, encoding: .utf8)
    #expect(page.contains("``FaceFamily/\(family)`` |") && page.contains("`\(family)`"))
  }

  @Test func refusesFilesOfManyBytes() throws {
    #expect(throws: (any Error).self) {
      try read(String(repeating: " ", count: FamilyRecipe.largestFile) + Self.scrfd)
    }
    // Nested deeper than a decoder's stack would bear.
    #expect(throws: ValueError.self) { try read(String(repeating: "[", count: 60_000)) }
    // Below what a recipe is, no value is looked at.
    let deep =
      String(repeating: "[", count: 25)
      + Array(repeating: "1", count: 28_000).joined(separator: ",")
      + String(repeating: "]", count: 25)
    let error = #expect(throws: ValueError.self) {
      try read(Self.scrfd.replacing("\"fill\": 5", with: "\"fill\": 5, \"deep\": \(deep)"))
    }
    #expect(error?.description.contains("found the key deep") == true)
  }
}
