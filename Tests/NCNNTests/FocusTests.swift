// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct FocusTests {
  /// The order of YOLOX: `x[::2, ::2]`, `x[1::2, ::2]`, `x[::2, 1::2]` and `x[1::2, 1::2]`, each with all channels.
  @Test func everySecondPixel() throws {
    let network = try read(["Input i 0 1 a", "YoloV5Focus f 1 1 a b"])
    let pixels = try Tensor(shape: [2, 2, 4], values: (0..<16).map { Float($0) })
    let result = try Interpreter(network).run(["a": pixels], extracting: ["b"])["b"]
    #expect(result?.shape == [8, 1, 2])
    #expect(result?.values == [0, 2, 8, 10, 4, 6, 12, 14, 1, 3, 9, 11, 5, 7, 13, 15])
  }

  @Test(arguments: [[2, 3, 4], [2, 4, 3], [4, 4]])
  func refusesOddSides(shape: [Int]) throws {
    let network = try read(["Input i 0 1 a", "YoloV5Focus f 1 1 a b"])
    #expect(throws: InferenceError.self) { try ShapeInference(network, inputs: ["a": shape]) }
  }
}
