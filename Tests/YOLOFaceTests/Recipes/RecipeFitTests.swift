// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFace

@Suite struct RecipeFitTests {
  /// Why the default model does not fit its own recipe after a change.
  private func refusal(_ change: (inout FamilyRecipe) -> Void) throws -> String {
    let (param, bin) = ("\(modelPath).param", "\(modelPath).bin")
    var family = try #require(try FaceDetector(param: param, bin: bin).recipe.family)
    _ = try FaceDetector(param: param, bin: bin, recipe: try family.recipe())
    change(&family)
    let error = #expect(throws: FaceDetectorError.self) {
      try FaceDetector(param: param, bin: bin, recipe: try family.recipe())
    }
    return try #require(error).description
  }

  @Test func refusesBlobsOfOtherShapes() throws {
    let text = try refusal {
      $0.levels.swapAt(0, 1)
      ($0.levels[0].stride, $0.levels[1].stride) = (8, 16)
    }
    #expect(text.contains("with an input of 64 × 32"), "\(text)")
    #expect(text.contains("found shape [3, 8, 16] of out_16, expected [3, 32, 16]"), "\(text)")
  }

  /// Doubled maps of 40 pixels do not meet those that they are added to.
  @Test func refusesSizesThatTheNetworkCannotTake() throws {
    let text = try refusal { $0.size = .multiples(of: 40) }
    #expect(text.contains("with an input of 80 × 40"), "\(text)")
  }
}
