import FaceDecoding
import TestSupport
import Testing

@testable import YOLOFace

@Suite struct RecipeFitTests {
  static let files = ["param", "bin"].map {
    SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5.\($0)").path
  }

  private func family() throws -> FamilyRecipe {
    try #require(try FaceDetector(param: Self.files[0], bin: Self.files[1]).recipe.family)
  }

  private func refusal(of family: FamilyRecipe) throws -> String {
    let error = #expect(throws: FaceDetectorError.self) {
      try FaceDetector(param: Self.files[0], bin: Self.files[1], recipe: try family.recipe())
    }
    return try #require(error).description
  }

  @Test func takesANetworksOwnRecipe() throws {
    let recipe = try family().recipe()
    _ = try FaceDetector(param: Self.files[0], bin: Self.files[1], recipe: recipe)
  }

  @Test func refusesBlobsOfOtherShapes() throws {
    var family = try family()
    family.levels.swapAt(0, 1)
    family.levels[0].stride = 8
    family.levels[1].stride = 16
    let text = try refusal(of: family)
    #expect(text.contains("with an input of 64 × 32"), "\(text)")
    #expect(text.contains("found shape [3, 8, 16] of out_16, expected [3, 32, 16]"), "\(text)")
  }

  /// Doubled maps of 40 pixels do not meet those that they are added to.
  @Test func refusesSizesThatTheNetworkCannotTake() throws {
    var family = try family()
    family.size = .multiples(of: 40)
    let text = try refusal(of: family)
    #expect(text.contains("with an input of 80 × 40"), "\(text)")
  }
}
