// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceNCNN

@Suite struct EmbedTests {
  /// Bits of a negative integer are those of a number that is not one.
  @Test func clampsIndices() throws {
    var network = try read(["Input i 0 1 a", "Embed e 1 1 a b 0=2 1=3 3=6"])
    try network.loadWeights(floatBytes([0, 1, 2, 3, 4, 5, 6]), source: "test.bin")
    let indices = [Int32.min, -1, 0, 1, 2, 3, .max].map {
      Float(bitPattern: UInt32(bitPattern: $0))
    }
    let result = try Interpreter(network).run(
      ["a": Tensor(shape: [7], values: indices)], extracting: ["b"])["b"]
    #expect(result?.shape == [7, 2])
    #expect(result?.values == [1, 2, 1, 2, 1, 2, 3, 4, 5, 6, 5, 6, 5, 6])
    #expect(throws: InferenceError.self) { try ShapeInference(network, inputs: ["a": [2, 3]]) }
    #expect(throws: ModelError.self) { try readLayer("Embed", "0=2 1=3 3=5") }
  }
}
