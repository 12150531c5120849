// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding

@_spi(Tool) @testable import YOLOFace

@Suite struct FaceDetectorErrorTests {
  /// Whatever a model or a recipe names, a message repeats a few thousand bytes of it.
  @Test func messagesAreShort() {
    let names = (0..<6500).map { "\($0)" + String(repeating: "x", count: 250) }
    let long = String(repeating: "x", count: 100_000)
    let errors: [FaceDetectorError] = [
      .unknownFamily(model: "a.param", found: names, nearest: nil),
      .otherInputs(model: "a.param", found: names, expected: long),
      .missingBlob(model: "a.param", blob: long),
    ]
    for error in errors {
      #expect(error.description.utf8.count < 8500)
      #expect(error.description.contains(" expected ") || error.description.hasSuffix("…"))
    }
    #expect(errors[0].description.contains(" and 6488 more; expected a recipe"))
  }
}
